/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_coll.c: collectives, called back to back (the time of a call when
 * calls follow each other), or with --sync each after a barrier outside the
 * time, as the OSU benchmarks do it. Root is rank 0; reductions add doubles.
 */
#include "apps/bench/bench.h"

#include <string.h>

#define DOUBLE sizeof(double)

enum which { BARRIER, BCAST, REDUCE, ALLREDUCE };

static void call(const struct bench *b, enum which which, size_t bytes)
{
	switch (which) {
	case BARRIER:
		mrt_barrier(MRT_COMM_WORLD);
		break;
	case BCAST:
		mrt_bcast(b->recv, bytes, MRT_BYTE, 0, MRT_COMM_WORLD);
		break;
	case REDUCE:
		mrt_reduce(b->send, b->recv, bytes / DOUBLE, MRT_DOUBLE,
			   MRT_SUM, 0, MRT_COMM_WORLD);
		break;
	case ALLREDUCE:
		mrt_allreduce(b->send, b->recv, bytes / DOUBLE, MRT_DOUBLE,
			      MRT_SUM, MRT_COMM_WORLD);
		break;
	}
}

static inline double run(const struct bench *b, enum which which, size_t bytes,
			 long iterations)
{
	double start, seconds = 0;

	mrt_barrier(MRT_COMM_WORLD);
	start = mrt_wtime();
	if (!b->sync) {
		for (long i = 0; i < iterations; i++)
			call(b, which, bytes);
		return mrt_wtime() - start;
	}
	for (long i = 0; i < iterations; i++) {
		start = mrt_wtime();
		call(b, which, bytes);
		seconds += mrt_wtime() - start;
		mrt_barrier(MRT_COMM_WORLD);
	}
	return seconds;
}

static double run_barrier(struct bench *b, size_t bytes, long iterations)
{
	return run(b, BARRIER, bytes, iterations);
}

static double run_bcast(struct bench *b, size_t bytes, long iterations)
{
	/* The root's data is the send buffer, as in the other patterns. */
	if (b->check && b->me == 0)
		memcpy(b->recv, b->send, bytes);
	return run(b, BCAST, bytes, iterations);
}

static double run_reduce(struct bench *b, size_t bytes, long iterations)
{
	return run(b, REDUCE, bytes, iterations);
}

static double run_allreduce(struct bench *b, size_t bytes, long iterations)
{
	return run(b, ALLREDUCE, bytes, iterations);
}

static size_t verify_barrier(const struct bench *b, size_t bytes)
{
	return 0;
}

static size_t verify_bcast(const struct bench *b, size_t bytes)
{
	size_t bad = 0;

	for (size_t i = 0; i < bytes; i++)
		bad += b->recv[i] != bench_pattern(0, i);
	return bad;
}

/* Rank r contributed i % 1000 + r: whole numbers, so the sum is exact. */
static size_t verify_allreduce(const struct bench *b, size_t bytes)
{
	const double *sum = (const double *)(const void *)b->recv;
	double ranks = b->ranks, of_ranks = ranks * (ranks - 1) / 2;
	size_t bad = 0;

	for (size_t i = 0; i < bytes / DOUBLE; i++)
		bad += sum[i] != ranks * (double)(i % 1000) + of_ranks;
	return bad;
}

static size_t verify_reduce(const struct bench *b, size_t bytes)
{
	return b->me == 0 ? verify_allreduce(b, bytes) : 0;
}

const struct bench_test bench_coll_tests[] = {
    {"barrier", BENCH_BARRIER, 0, 0, run_barrier, verify_barrier, NULL},
    {"bcast", BENCH_COLLECTIVE, 1, 4 << 20, run_bcast, verify_bcast, NULL},
    {"reduce", BENCH_COLLECTIVE, 8, 4 << 20, run_reduce, verify_reduce, NULL},
    {"allreduce", BENCH_COLLECTIVE, 8, 4 << 20, run_allreduce,
     verify_allreduce, NULL},
    {NULL, BENCH_COLLECTIVE, 0, 0, NULL, NULL, NULL}};
