/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_coll.c: collectives, called back to back (the time per call when calls
 * follow each other) or, with --sync, each followed by a barrier that is not
 * timed, as in the OSU benchmarks. The root is rank 0, reductions add doubles
 * or integers, and the size is one rank's block.
 */
#include "apps/bench/bench.h"

#include <stdint.h>
#include <string.h>

#define DOUBLE sizeof(double)

enum which {
	BARRIER,
	BCAST,
	REDUCE,
	ALLREDUCE,
	GATHER,
	SCATTER,
	ALLGATHER,
	ALLTOALL,
	REDUCE_SCATTER_BLOCK,
	SCAN,
	EXSCAN
};

static void bench_coll_move(const struct bench *b, enum which which,
			    size_t bytes)
{
	switch (which) {
	case BCAST:
		mrt_bcast(b->recv, bytes, MRT_BYTE, 0, b->comm);
		break;
	case GATHER:
		mrt_gather(b->send, bytes, MRT_BYTE, b->recv, bytes, MRT_BYTE,
			   0, b->comm);
		break;
	case SCATTER:
		mrt_scatter(b->send, bytes, MRT_BYTE, b->recv, bytes, MRT_BYTE,
			    0, b->comm);
		break;
	case ALLGATHER:
		mrt_allgather(b->send, bytes, MRT_BYTE, b->recv, bytes,
			      MRT_BYTE, b->comm);
		break;
	case ALLTOALL:
		mrt_alltoall(b->send, bytes, MRT_BYTE, b->recv, bytes, MRT_BYTE,
			     b->comm);
		break;
	default:
		mrt_barrier(b->comm);
		break;
	}
}

static void bench_coll_call(const struct bench *b, enum which which,
			    size_t bytes)
{
	size_t n = bytes / DOUBLE;
	struct mrt_type *type = b->integers ? MRT_INT64 : MRT_DOUBLE;

	switch (which) {
	case REDUCE:
		mrt_reduce(b->send, b->recv, n, type, MRT_SUM, 0, b->comm);
		break;
	case ALLREDUCE:
		mrt_allreduce(b->send, b->recv, n, type, MRT_SUM, b->comm);
		break;
	case REDUCE_SCATTER_BLOCK:
		mrt_reduce_scatter_block(b->send, b->recv, n, type, MRT_SUM,
					 b->comm);
		break;
	case SCAN:
		mrt_scan(b->send, b->recv, n, type, MRT_SUM, b->comm);
		break;
	case EXSCAN:
		mrt_exscan(b->send, b->recv, n, type, MRT_SUM, b->comm);
		break;
	default:
		bench_coll_move(b, which, bytes);
		break;
	}
}

static inline double bench_coll_run(const struct bench *b, enum which which,
				    size_t bytes, long iterations)
{
	double start, seconds = 0;

	mrt_barrier(b->comm);
	start = mrt_wtime();
	if (!b->sync) {
		for (long i = 0; i < iterations; i++)
			bench_coll_call(b, which, bytes);
		return mrt_wtime() - start;
	}
	for (long i = 0; i < iterations; i++) {
		start = mrt_wtime();
		bench_coll_call(b, which, bytes);
		seconds += mrt_wtime() - start;
		mrt_barrier(b->comm);
	}
	return seconds;
}

#define RUN(name, which)                                                       \
	static double run_##name(struct bench *b, size_t bytes,                \
				 long iterations)                              \
	{                                                                      \
		return bench_coll_run(b, which, bytes, iterations);            \
	}
RUN(barrier, BARRIER)
RUN(reduce, REDUCE)
RUN(allreduce, ALLREDUCE)
RUN(gather, GATHER)
RUN(scatter, SCATTER)
RUN(allgather, ALLGATHER)
RUN(alltoall, ALLTOALL)
RUN(reduce_scatter_block, REDUCE_SCATTER_BLOCK)
RUN(scan, SCAN)
RUN(exscan, EXSCAN)

static double run_bcast(struct bench *b, size_t bytes, long iterations)
{
	/* The root's own data, so that all ranks can be verified alike. */
	if (b->check && b->me == 0)
		memcpy(b->recv, b->send, bytes);
	return bench_coll_run(b, BCAST, bytes, iterations);
}

/* ---- Results ---- */

static size_t verify_barrier(const struct bench *b, size_t bytes)
{
	return 0;
}

/* Returns whether the block at `at` is what `rank` sends from byte
 * `from` on. */
static size_t verify_block(const struct bench *b, size_t at, size_t bytes,
			   int rank, size_t from)
{
	size_t bad = 0;

	for (size_t i = 0; i < bytes; i++)
		bad += b->recv[at + i] != bench_pattern(rank, from + i);
	return bad;
}

static size_t verify_bcast(const struct bench *b, size_t bytes)
{
	return verify_block(b, 0, bytes, 0, 0);
}

static size_t verify_scatter(const struct bench *b, size_t bytes)
{
	return verify_block(b, 0, bytes, 0, (size_t)b->me * bytes);
}

static size_t verify_allgather(const struct bench *b, size_t bytes)
{
	size_t bad = 0;

	for (int r = 0; r < b->ranks; r++)
		bad += verify_block(b, (size_t)r * bytes, bytes, r, 0);
	return bad;
}

static size_t verify_gather(const struct bench *b, size_t bytes)
{
	return b->me == 0 ? verify_allgather(b, bytes) : 0;
}

static size_t verify_alltoall(const struct bench *b, size_t bytes)
{
	size_t bad = 0;

	for (int r = 0; r < b->ranks; r++)
		bad += verify_block(b, (size_t)r * bytes, bytes, r,
				    (size_t)b->me * bytes);
	return bad;
}

/* Returns element i of a reduction's buffer. */
static double bench_coll_number(const struct bench *b, const char *buf,
				size_t i)
{
	if (b->integers)
		return (double)((const int64_t *)(const void *)buf)[i];
	return ((const double *)(const void *)buf)[i];
}

/* Verifies sums over the first `ranks` ranks, from element `from` on. Rank r
 * contributed i % 1000 + r; sums of such whole numbers are exact. */
static size_t verify_sum(const struct bench *b, size_t bytes, int ranks,
			 size_t from)
{
	double n = ranks, of_ranks = n * (n - 1) / 2;
	size_t bad = 0;

	for (size_t i = 0; i < bytes / DOUBLE; i++)
		bad += bench_coll_number(b, b->recv, i) !=
		       n * (double)((from + i) % 1000) + of_ranks;
	return bad;
}

static size_t verify_allreduce(const struct bench *b, size_t bytes)
{
	return verify_sum(b, bytes, b->ranks, 0);
}

static size_t verify_reduce(const struct bench *b, size_t bytes)
{
	return b->me == 0 ? verify_allreduce(b, bytes) : 0;
}

static size_t verify_reduce_scatter_block(const struct bench *b, size_t bytes)
{
	return verify_sum(b, bytes, b->ranks, (size_t)b->me * (bytes / DOUBLE));
}

static size_t verify_scan(const struct bench *b, size_t bytes)
{
	return verify_sum(b, bytes, b->me + 1, 0);
}

static size_t verify_exscan(const struct bench *b, size_t bytes)
{
	return b->me ? verify_sum(b, bytes, b->me, 0) : 0;
}

#define COLLECTIVE(call, least, most)                                          \
	.name = #call, .kind = BENCH_COLLECTIVE, .min = least, .max = most,    \
	.run = run_##call, .verify = verify_##call
enum { LONG = 4 << 20, WIDE = 1 << 20 };

const struct bench_test bench_coll_tests[] = {
    {.name = "barrier",
     .kind = BENCH_BARRIER,
     .run = run_barrier,
     .verify = verify_barrier},
    {COLLECTIVE(bcast, 1, LONG)},
    {COLLECTIVE(reduce, DOUBLE, LONG), .doubles = 1},
    {COLLECTIVE(allreduce, DOUBLE, LONG), .doubles = 1},
    {COLLECTIVE(gather, 1, WIDE), .wide = 1},
    {COLLECTIVE(scatter, 1, WIDE), .wide = 1},
    {COLLECTIVE(allgather, 1, WIDE), .wide = 1},
    {COLLECTIVE(alltoall, 1, WIDE), .wide = 1},
    {COLLECTIVE(reduce_scatter_block, DOUBLE, WIDE), .doubles = 1, .wide = 1},
    {COLLECTIVE(scan, DOUBLE, LONG), .doubles = 1},
    {COLLECTIVE(exscan, DOUBLE, LONG), .doubles = 1},
    {.name = NULL}};
