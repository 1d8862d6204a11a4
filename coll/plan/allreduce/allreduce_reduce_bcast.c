/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_reduce_bcast.c: a reduce to rank 0 and a bcast from it.
 *
 * reduce_bcast: both along a k-nomial tree, by default a binomial one. Source:
 * J. Pjesivac-Grbovic et al., "Performance analysis of MPI collective
 * operations", Cluster Computing 10 (2007), section 4.
 * Cost: twice the rounds of recursive doubling, but only 2 (n - 1) messages and
 * n - 1 reductions, which counts where ranks share cores.
 *
 * linear: all ranks send to rank 0, which sends the result to all. Source: the
 * basic allreduce of MPI libraries; see reduce_linear.c and bcast_linear.c.
 * Cost: 2 (n - 1) messages, all at rank 0: for few ranks.
 */
#include "coll/plan/algorithms.h"

static void reduce_then_bcast(struct plan *plan, const struct shape *shape,
			      int rank, const struct algorithm *reduce,
			      const struct algorithm *bcast)
{
	struct embed part = {.algorithm = reduce,
			     .shape = *shape,
			     .rank = rank,
			     .send = ref(BUF_SEND, 0),
			     .recv = ref(BUF_RECV, 0)};

	part.after = plan_embed(plan, part);
	part.algorithm = bcast;
	part.number = 1;
	plan_embed(plan, part);
}

static void allreduce_reduce_bcast_build(struct plan *plan,
					 const struct shape *shape, int rank)
{
	reduce_then_bcast(plan, shape, rank, &reduce_knomial, &bcast_knomial);
}

static void allreduce_reduce_bcast_cost(const struct shape *shape,
					struct cost *c)
{
	reduce_knomial.cost(shape, c);
	cost_both_ways(c);
}

static void allreduce_linear_build(struct plan *plan, const struct shape *shape,
				   int rank)
{
	reduce_then_bcast(plan, shape, rank, &reduce_linear, &bcast_linear);
}

static void allreduce_linear_cost(const struct shape *shape, struct cost *c)
{
	reduce_linear.cost(shape, c);
	cost_both_ways(c);
}

const struct algorithm allreduce_reduce_bcast = {
    .name = "reduce_bcast",
    ALGORITHM_ARG("radix", 2, 2),
    .formula = "(k - 1) ceil(log_k n) (2 a + 2 m b + m c)",
    .build = allreduce_reduce_bcast_build,
    .cost = allreduce_reduce_bcast_cost,
};

const struct algorithm allreduce_linear = {
    .name = "linear",
    .formula = "(n - 1) (2 a + 2 m b + m c)",
    .build = allreduce_linear_build,
    .cost = allreduce_linear_cost,
};
