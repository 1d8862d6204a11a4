/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atomic_bench.c times barriers and allreduces of 64-bit integers by atomics
 * and by messages, in turns in one job. It prints the median of rank 0's times
 * for each call, which is not affected by the milliseconds that a software
 * device takes now and then. Run it with MRT_BARRIER=atomic, so that there are
 * cells.
 *
 *   atomic_bench [CALLS]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <mrt_lib.h>

enum { ROUNDS = 10, WARMUP = 5, COUNT_MAX = 8, CALLS_MAX = 100000 };

static const struct test {
	const char *collective, *algorithm;
	size_t count;
} tests[] = {
    {"barrier", "dissemination", 0},
    {"barrier", "tree", 0},
    {"barrier", "atomic", 0},
    {"barrier", "atomic:2", 0},
    {"allreduce", "recursive_doubling", 1},
    {"allreduce", "fetch_add", 1},
    {"allreduce", "compare_swap", 1},
    {"allreduce", "slots", 1},
    {"allreduce", "slots:2", 1},
    {"allreduce", "recursive_doubling", 8},
    {"allreduce", "fetch_add", 8},
    {"allreduce", "compare_swap", 8},
    {"allreduce", "slots", 8},
    {"allreduce", "slots:2", 8},
};
enum { TESTS = sizeof(tests) / sizeof(tests[0]) };

static double *times[TESTS];

static void call(const struct test *t)
{
	static int64_t in[COUNT_MAX], out[COUNT_MAX];

	if (t->count)
		mrt_allreduce(in, out, t->count, MRT_INT64, MRT_SUM,
			      MRT_COMM_WORLD);
	else
		mrt_barrier(MRT_COMM_WORLD);
}

static void run(const struct test *t, double *time, int calls)
{
	mrt_set_algorithm(t->collective, t->algorithm);
	for (int k = -WARMUP; k < calls; k++) {
		double start = mrt_wtime();

		call(t);
		if (k >= 0)
			time[k] = mrt_wtime() - start;
	}
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	int calls = argc > 1 ? atoi(argv[1]) : 1000;

	if (calls < 1 || calls > CALLS_MAX || mrt_init(&argc, &argv))
		return 1;
	for (int i = 0; i < TESTS; i++)
		times[i] = malloc(ROUNDS * sizeof(double) * (size_t)calls);
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < TESTS; i++)
			run(&tests[i], times[i] + (size_t)round * (size_t)calls,
			    calls);
	for (int i = 0; i < TESTS && mrt_rank(MRT_COMM_WORLD) == 0; i++) {
		size_t n = ROUNDS * (size_t)calls;

		qsort(times[i], n, sizeof(double), ascending);
		printf("%-9s %-18s %3zu B %8.2f us\n", tests[i].collective,
		       tests[i].algorithm, 8 * tests[i].count,
		       times[i][n / 2] * 1e6);
	}
	return mrt_finalize();
}
