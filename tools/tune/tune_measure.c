/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tune_measure.c: times the algorithms of a collective. They take turns in
 * several rounds, so that a disturbance of the machine affects all alike; the
 * median counts.
 */
#include "tools/tune/tune.h"

#include "tools/common/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define W MRT_COMM_WORLD
#define ARGUMENT_FEW 64 /* smaller arguments are ranks, larger ones bytes */

static void add_way(struct tune_times *times, const char *name, size_t argument)
{
	char *way;

	if (times->nways == TUNE_WAYS)
		return;
	way = times->way[times->nways++];
	if (argument)
		snprintf(way, TUNE_NAME, "%s:%zu", name, argument);
	else
		snprintf(way, TUNE_NAME, "%s", name);
}

/* Adds an algorithm with its default argument, and with two others. */
static void add_algorithm(struct tune_times *times, const char *name,
			  size_t argument)
{
	add_way(times, name, 0);
	if (!argument)
		return;
	add_way(times, name,
		argument < ARGUMENT_FEW ? 2 * argument : argument / 4);
	add_way(times, name, 4 * argument);
}

void tune_prepare(const struct tune *t, const struct tune_collective *c,
		  struct tune_times *times)
{
	struct sizes sizes = t->sizes;
	const char *name;
	size_t argument;

	memset(times, 0, sizeof(*times));
	times->collective = c;
	add_way(times, "default", 0);
	for (int k = 0; (name = mrt_algorithm_name(c->name, k, &argument)); k++)
		add_algorithm(times, name, argument);
	if (c->min)
		sizes_at_least(&sizes, c->min);
	times->nsizes = !c->min;
	for (int k = 0; c->min && k < sizes.n; k++)
		if (!c->blocks ||
		    sizes.bytes[k] <= TUNE_BYTES / (size_t)t->ranks)
			times->bytes[times->nsizes++] = sizes.bytes[k];
}

/* Returns the median of the rounds, and sorts them; a round counts with its
 * slowest rank. */
static double tune_measure_median(const struct tune *t, double *seconds)
{
	mrt_allreduce(MRT_IN_PLACE, seconds, (size_t)t->rounds, MRT_DOUBLE,
		      MRT_MAX, W);
	quantile_sort(seconds, t->rounds);
	return (seconds[(t->rounds - 1) / 2] + seconds[t->rounds / 2]) / 2;
}

static void tune_measure_progress(const struct tune *t,
				  const struct tune_times *times, int k,
				  int round)
{
	if (t->progress)
		fprintf(stderr, "\r%s %zu bytes, round %d of %d \033[K",
			times->collective->name, times->bytes[k], round + 1,
			t->rounds);
}

void tune_measure(struct tune *t, struct tune_times *times, int k)
{
	static double seconds[TUNE_WAYS][TUNE_ROUNDS_MAX];
	size_t bytes = times->bytes[k];
	long n[TUNE_WAYS];

	tune_use(times, 0);
	mrt_chosen_algorithm(times->collective->name, bytes, W,
			     times->chosen[k], TUNE_NAME);
	for (int w = 0; w < times->nways; w++) {
		tune_use(times, w);
		n[w] = 0;
		if (!w || tune_fits(times, w, bytes))
			n[w] =
			    tune_calls(t, times, bytes, t->budget / t->rounds);
	}
	for (int r = 0; r < t->rounds; r++) {
		tune_measure_progress(t, times, k, r);
		for (int w = 0; w < times->nways; w++) {
			seconds[w][r] = INFINITY;
			if (!n[w])
				continue;
			tune_use(times, w);
			tune_run(t, times, bytes, 2); /* builds the plans */
			seconds[w][r] =
			    tune_run(t, times, bytes, n[w]) / (double)n[w];
		}
	}
	tune_use(times, 0);
	for (int w = 0; w < times->nways; w++) {
		times->seconds[k][w] = tune_measure_median(t, seconds[w]);
		times->least[k][w] = seconds[w][0];
	}
	if (t->progress)
		fputs("\r\033[K", stderr);
}

int tune_fastest(const struct tune_times *times, int k)
{
	int best = 0;

	for (int w = 1; w < times->nways; w++)
		if (times->seconds[k][w] < times->seconds[k][best])
			best = w;
	return best;
}

int tune_winner(const struct tune *t, const struct tune_times *times, int k)
{
	const double *median = times->seconds[k], *least = times->least[k];
	int best = tune_fastest(times, k);
	double by = 1 + t->margin;

	/* in both, so that a disturbance does not get into the file */
	if (median[best] * by < median[0] && least[best] * by < least[0])
		return best;
	return 0;
}
