/* SPDX-License-Identifier: Apache-2.0 */
/*
 * times_report.c: how far predictions are right: the median of predicted to
 * measured and the mean of |ln| of it, by collective and size; how often the
 * algorithm that is predicted to be the fastest is, and what it costs; and
 * how many times are inside the bands of predictions.
 */
#include "tools/scale/times.h"

#include "tools/common/quantile.h"
#include "tools/scale/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct sizes_of {
	const char *name;
	size_t max;
} classes[] = {{"to 2K", 2048},
	       {"to 128K", 131072},
	       {"to 8M", 8388608},
	       {"more", SIZE_MAX}};
enum { CLASSES = sizeof(classes) / sizeof(classes[0]) };

static int class_of(const struct times_row *r)
{
	int k = 0;

	while (r->bytes > classes[k].max)
		k++;
	return k;
}

const char *times_name(const struct times_row *r)
{
	return r->kind == TIMES_MESSAGE ? "message"
	       : r->kind == TIMES_GAP	? "gap"
					: coll_tables[r->collective].name;
}

/* ---- Errors ---- */

struct errors {
	double *ratios; /* predicted to measured */
	int n;
	double logs;
};

static void times_report_add(struct errors *e, const struct times_row *r)
{
	double ratio = r->predicted / r->us;

	if (!isfinite(ratio) || ratio <= 0)
		return;
	e->ratios[e->n++] = ratio;
	e->logs += fabs(log(ratio));
}

static void print_errors(struct errors *e, const char *name, const char *size)
{
	if (!e->n)
		return;
	quantile_sort(e->ratios, e->n);
	printf("%-20s %-8s %6d %7.3f %7.3f %7.3f %7.3f\n", name, size, e->n,
	       quantile(e->ratios, e->n, 0.1), quantile(e->ratios, e->n, 0.5),
	       quantile(e->ratios, e->n, 0.9), e->logs / e->n);
}

static void print_collective(const struct times *t, const char *name,
			     double *room)
{
	for (int k = 0; k < CLASSES; k++) {
		struct errors e = {.ratios = room};

		for (int i = 0; i < t->n; i++)
			if (!strcmp(times_name(&t->rows[i]), name) &&
			    class_of(&t->rows[i]) == k)
				times_report_add(&e, &t->rows[i]);
		print_errors(&e, name, classes[k].name);
	}
}

static void print_all_errors(const struct times *t)
{
	double *room = scale_alloc((size_t)t->n, sizeof(*room));
	struct errors all = {.ratios = room};

	puts("# predicted / measured: quantiles and the mean of |ln|");
	printf("%-20s %-8s %6s %7s %7s %7s %7s\n", "# collective", "bytes",
	       "points", "10 %", "50 %", "90 %", "|ln|");
	for (int k = 0; k < COLLECTIVES; k++)
		print_collective(t, coll_tables[k].name, room);
	print_collective(t, "message", room);
	print_collective(t, "gap", room);
	for (int i = 0; i < t->n; i++)
		times_report_add(&all, &t->rows[i]);
	print_errors(&all, "all", "");
	free(room);
}

/* ---- The fastest algorithm ---- */

static bool same_call(const struct times_row *a, const struct times_row *b)
{
	return a->kind == b->kind && a->collective == b->collective &&
	       a->nodes == b->nodes && a->ppn == b->ppn &&
	       a->bytes == b->bytes && !strcmp(a->system, b->system);
}

static bool same_choice(const struct times_row *a, const struct times_row *b)
{
	return a->choice.algorithm == b->choice.algorithm &&
	       a->choice.arg == b->choice.arg;
}

/* Returns the least time of the algorithm of row i, which others may have
 * measured more than once; INFINITY if an earlier row has it. */
static double times_report_least(const struct times *t, int i)
{
	const struct times_row *r = &t->rows[i];
	double us = r->us;

	for (int k = 0; k < t->n; k++) {
		const struct times_row *q = &t->rows[k];

		if (!same_call(q, r) || !same_choice(q, r))
			continue;
		if (k < i)
			return INFINITY;
		us = fmin(us, q->us);
	}
	return us;
}

/* The row of the algorithm that is predicted to be the fastest for a call, NULL
 * if there is no choice; and the measured times of it and of the fastest. */
struct fastest {
	const struct times_row *predicted;
	double taken, best;
};

/* Finds the fastest of the call of row i; none, if an earlier row is of that
 * call. */
static struct fastest fastest_of(const struct times *t, int i)
{
	const struct times_row *r = &t->rows[i];
	struct fastest f = {NULL, INFINITY, INFINITY};
	int choices = 0;

	for (int k = 0; k < t->n; k++) {
		const struct times_row *q = &t->rows[k];
		double us;

		if (!same_call(q, r) || !q->choice.algorithm ||
		    !isfinite(q->predicted))
			continue;
		if (k < i)
			return (struct fastest){NULL, 0, 0};
		us = times_report_least(t, k);
		if (!isfinite(us))
			continue;
		choices++;
		f.best = fmin(f.best, us);
		if (!f.predicted || q->predicted < f.predicted->predicted) {
			f.predicted = q;
			f.taken = us;
		}
	}
	return choices > 1 ? f : (struct fastest){NULL, 0, 0};
}

static void print_fastest(const struct times *t)
{
	int cases = 0, named = 0;
	double logs = 0, worst = 1;

	for (int i = 0; i < t->n; i++) {
		struct fastest f = fastest_of(t, i);

		if (!f.predicted)
			continue;
		cases++;
		named += f.taken <= f.best;
		logs += log(f.taken / f.best);
		worst = fmax(worst, f.taken / f.best);
	}
	if (cases)
		printf("# of %d calls with several algorithms the fastest is "
		       "named in %d (%.0f %%); the one that is named takes "
		       "%.3f times the least (geometric mean), %.2f at worst\n",
		       cases, named, 100.0 * named / cases, exp(logs / cases),
		       worst);
}

/* Prints how many measured times are inside the bands of the predictions, if
 * these have bands. */
static void print_bands(const struct times *t)
{
	int bands = 0, below = 0, above = 0;

	for (int i = 0; i < t->n; i++) {
		const struct times_row *r = &t->rows[i];

		bands += r->high > 0;
		below += r->high > 0 && r->us < r->low;
		above += r->high > 0 && r->us > r->high;
	}
	if (bands)
		printf("# of %d measured times %.0f %% are inside the bands "
		       "(%d below, %d above)\n",
		       bands, 100.0 * (bands - below - above) / bands, below,
		       above);
}

void times_report(const struct times *t, bool bands)
{
	print_all_errors(t);
	print_fastest(t);
	if (bands)
		print_bands(t);
	if (t->unknown)
		printf("# %d rows left out: algorithms that libmrt does not "
		       "have\n",
		       t->unknown);
	if (t->empty)
		printf("# %d rows left out: less than an element in a block\n",
		       t->empty);
}
