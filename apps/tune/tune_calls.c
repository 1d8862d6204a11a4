/* SPDX-License-Identifier: Apache-2.0 */
/* tune_calls.c: the collectives that mrt-tune times; reductions add doubles. */
#include "apps/tune/tune.h"

#define W MRT_COMM_WORLD
#define DOUBLE sizeof(double)

static void barrier(const struct tune *t, size_t bytes, int root)
{
	mrt_barrier(W);
}

static void bcast(const struct tune *t, size_t bytes, int root)
{
	mrt_bcast(t->recv, bytes, MRT_BYTE, root, W);
}

static void reduce(const struct tune *t, size_t bytes, int root)
{
	mrt_reduce(t->send, t->recv, bytes / DOUBLE, MRT_DOUBLE, MRT_SUM, root,
		   W);
}

static void allreduce(const struct tune *t, size_t bytes, int root)
{
	mrt_allreduce(t->send, t->recv, bytes / DOUBLE, MRT_DOUBLE, MRT_SUM,
		      W);
}

const struct tune_collective tune_collectives[] = {
    {"barrier", 0, 0, 0, barrier},
    {"bcast", 1, 0, 0, bcast},
    {"reduce", DOUBLE, 0, 0, reduce},
    {"allreduce", DOUBLE, 0, 0, allreduce},
    {NULL, 0, 0, 0, NULL}};
