/* SPDX-License-Identifier: Apache-2.0 */
/* tune_run.c: times calls of a collective with one of its algorithms. Roots
 * alternate, or a root that only sends would run ahead of the other ranks. */
#include "tools/tune/tune.h"

#include <math.h>
#include <string.h>

#define W MRT_COMM_WORLD
#define ITERATIONS_MAX 1000000L

int tune_fits(const struct tune_times *times, int way, size_t bytes)
{
	size_t len = strcspn(times->way[way], ":");
	char name[TUNE_NAME];

	mrt_chosen_algorithm(times->collective->name, bytes, W, name,
			     sizeof(name));
	return !strncmp(name, times->way[way], len) &&
	       (!name[len] || name[len] == ':');
}

void tune_use(const struct tune_times *times, int way)
{
	mrt_set_algorithm(times->collective->name,
			  way ? times->way[way] : NULL);
}

double tune_run(const struct tune *t, const struct tune_times *times,
		size_t bytes, long iterations)
{
	double start;

	mrt_barrier(W);
	start = mrt_wtime();
	for (long i = 0; i < iterations; i++)
		times->collective->call(t, bytes, i % 2 ? t->ranks - 1 : 0);
	return mrt_wtime() - start;
}

long tune_calls(const struct tune *t, const struct tune_times *times,
		size_t bytes, double seconds)
{
	double each = INFINITY;
	long n = 2, next = n;

	tune_run(t, times, bytes, n);
	while (next) {
		double took = tune_run(t, times, bytes, n);

		each = fmin(each, took / (double)n);
		next = took > seconds / 8 || n > ITERATIONS_MAX / 8 ? 0 : 8 * n;
		mrt_bcast(&next, 1, MRT_LONG, 0, W);
		n = next ? next : n;
	}
	n = (long)fmin(ceil(seconds / each), ITERATIONS_MAX);
	n += n % 2;
	mrt_bcast(&n, 1, MRT_LONG, 0, W);
	return n;
}
