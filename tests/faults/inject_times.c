/* SPDX-License-Identifier: Apache-2.0 */
/* inject_times.c measures the time from the fault to the end of the last
 * process, by kind of fault. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/faults/inject.h"

struct sample {
	char launcher[16], kind[40], name[64];
	int ranks, code;
	double launcher_ms, last_ms;
	bool counted; /* by times_print */
};

static struct sample *samples;
static int count;

void times_add(const char *launcher, const struct fault *f,
	       const struct outcome *o)
{
	struct sample *s;

	if (!o->injected)
		return;
	if (count % 256 == 0)
		samples =
		    realloc(samples, ((size_t)count + 256) * sizeof(*samples));
	if (!samples)
		exit(99);
	s = &samples[count++];
	memset(s, 0, sizeof(*s));
	snprintf(s->launcher, sizeof(s->launcher), "%s", launcher);
	snprintf(s->kind, sizeof(s->kind), "%s", f->kind);
	snprintf(s->name, sizeof(s->name), "%s", f->name);
	s->ranks = f->ranks;
	s->code = o->code;
	s->launcher_ms = o->launcher_ms;
	s->last_ms = o->last_ms;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double quantile(const double *sorted, int n, double q)
{
	int k = (int)(q * (n - 1) + 0.5);

	return sorted[k];
}

static void print_kind(const struct sample *like)
{
	double *ms = malloc((size_t)count * sizeof(*ms));
	int n = 0;

	for (int k = 0; ms && k < count; k++) {
		if (strcmp(samples[k].kind, like->kind) ||
		    strcmp(samples[k].launcher, like->launcher))
			continue;
		samples[k].counted = true;
		ms[n++] = samples[k].last_ms;
	}
	if (n) {
		qsort(ms, (size_t)n, sizeof(*ms), by_value);
		printf("# %-8s %-34s %5d %8.1f %8.1f %8.1f\n", like->launcher,
		       like->kind, n, quantile(ms, n, 0.5),
		       quantile(ms, n, 0.99), ms[n - 1]);
	}
	free(ms);
}

void times_print(void)
{
	printf("# %-8s %-34s %5s %8s %8s %8s\n", "launcher",
	       "fault; ms until the last process", "runs", "p50", "p99", "max");
	for (int k = 0; k < count; k++)
		if (!samples[k].counted)
			print_kind(&samples[k]);
}

bool times_csv(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return false;
	fprintf(f, "launcher,kind,fault,ranks,exit_code,launcher_ms,last_ms\n");
	for (int k = 0; k < count; k++) {
		const struct sample *s = &samples[k];

		fprintf(f, "%s,%s,%s,%d,%d,%.3f,%.3f\n", s->launcher, s->kind,
			s->name, s->ranks, s->code, s->launcher_ms, s->last_ms);
	}
	return fclose(f) == 0;
}
