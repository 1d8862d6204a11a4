/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_linear.c: all ranks send to rank 0, which reduces and sends the
 * result to all.
 *
 * Source: the basic allreduce of MPI libraries; see reduce_linear.c and
 * bcast_linear.c.
 * Cost: 2 (n - 1) messages, all at rank 0: for two or three ranks, and as a
 * baseline for the others.
 */
#include "coll/plan/algorithms.h"

static void allreduce_linear_build(struct plan *plan, const struct shape *shape,
				   int rank)
{
	struct embed part = {.algorithm = &reduce_linear,
			     .shape = *shape,
			     .rank = rank,
			     .send = ref(BUF_SEND, 0),
			     .recv = ref(BUF_RECV, 0)};

	part.after = plan_embed(plan, part);
	part.algorithm = &bcast_linear;
	part.number = 1;
	plan_embed(plan, part);
}

static void allreduce_linear_cost(const struct shape *shape, struct cost *c)
{
	reduce_linear.cost(shape, c);
	cost_both_ways(c);
}

const struct algorithm allreduce_linear = {
    .name = "linear",
    .formula = "(n - 1) (2 a + 2 m b + m c)",
    .build = allreduce_linear_build,
    .cost = allreduce_linear_cost,
};
