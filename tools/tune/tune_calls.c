/* SPDX-License-Identifier: Apache-2.0 */
/* tune_calls.c: the collectives that mrt-tune times; reductions add doubles. */
#include "tools/tune/tune.h"

#define W MRT_COMM_WORLD
#define DOUBLE sizeof(double)

static void tune_calls_barrier(const struct tune *t, size_t bytes, int root)
{
	mrt_barrier(W);
}

static void tune_calls_bcast(const struct tune *t, size_t bytes, int root)
{
	mrt_bcast(t->recv, bytes, MRT_BYTE, root, W);
}

static void tune_calls_reduce(const struct tune *t, size_t bytes, int root)
{
	mrt_reduce(t->send, t->recv, bytes / DOUBLE, MRT_DOUBLE, MRT_SUM, root,
		   W);
}

static void tune_calls_allreduce(const struct tune *t, size_t bytes, int root)
{
	mrt_allreduce(t->send, t->recv, bytes / DOUBLE, MRT_DOUBLE, MRT_SUM, W);
}

static void tune_calls_gather(const struct tune *t, size_t bytes, int root)
{
	mrt_gather(t->send, bytes, MRT_BYTE, t->recv, bytes, MRT_BYTE, root, W);
}

static void tune_calls_scatter(const struct tune *t, size_t bytes, int root)
{
	mrt_scatter(t->send, bytes, MRT_BYTE, t->recv, bytes, MRT_BYTE, root,
		    W);
}

static void tune_calls_allgather(const struct tune *t, size_t bytes, int root)
{
	mrt_allgather(t->send, bytes, MRT_BYTE, t->recv, bytes, MRT_BYTE, W);
}

/* All blocks have equal length; still, every rank plans with all lengths. */
static void equal_blocks(const struct tune *t, size_t count)
{
	for (int r = 0; r < t->ranks; r++) {
		t->counts[r] = count;
		t->displs[r] = (ptrdiff_t)((size_t)r * count);
	}
}

static void tune_calls_allgatherv(const struct tune *t, size_t bytes, int root)
{
	equal_blocks(t, bytes);
	mrt_allgatherv(t->send, bytes, MRT_BYTE, t->recv, t->counts, t->displs,
		       MRT_BYTE, W);
}

static void tune_calls_alltoall(const struct tune *t, size_t bytes, int root)
{
	mrt_alltoall(t->send, bytes, MRT_BYTE, t->recv, bytes, MRT_BYTE, W);
}

static void reduce_scatter_block(const struct tune *t, size_t bytes, int root)
{
	mrt_reduce_scatter_block(t->send, t->recv, bytes / DOUBLE, MRT_DOUBLE,
				 MRT_SUM, W);
}

static void reduce_scatter(const struct tune *t, size_t bytes, int root)
{
	equal_blocks(t, bytes / DOUBLE);
	mrt_reduce_scatter(t->send, t->recv, t->counts, MRT_DOUBLE, MRT_SUM, W);
}

/* In a scan rank 0 waits for no other rank: without the barrier calls would
 * overlap. */
static void tune_calls_scan(const struct tune *t, size_t bytes, int root)
{
	mrt_scan(t->send, t->recv, bytes / DOUBLE, MRT_DOUBLE, MRT_SUM, W);
	mrt_barrier(W);
}

static void tune_calls_exscan(const struct tune *t, size_t bytes, int root)
{
	mrt_exscan(t->send, t->recv, bytes / DOUBLE, MRT_DOUBLE, MRT_SUM, W);
	mrt_barrier(W);
}

/*
 * Left out are gatherv, scatterv and alltoallv, whose ranks choose without
 * knowing all lengths, and neighbourhood collectives: their choice does not
 * depend on the length.
 */
const struct tune_collective tune_collectives[] = {
    {"barrier", 0, 0, tune_calls_barrier},
    {"bcast", 1, 0, tune_calls_bcast},
    {"reduce", DOUBLE, 0, tune_calls_reduce},
    {"allreduce", DOUBLE, 0, tune_calls_allreduce},
    {"gather", 1, 1, tune_calls_gather},
    {"scatter", 1, 1, tune_calls_scatter},
    {"allgather", 1, 1, tune_calls_allgather},
    {"allgatherv", 1, 1, tune_calls_allgatherv},
    {"alltoall", 1, 1, tune_calls_alltoall},
    {"reduce_scatter_block", DOUBLE, 1, reduce_scatter_block},
    {"reduce_scatter", DOUBLE, 1, reduce_scatter},
    {"scan", DOUBLE, 0, tune_calls_scan},
    {"exscan", DOUBLE, 0, tune_calls_exscan},
    {NULL, 0, 0, NULL}};
