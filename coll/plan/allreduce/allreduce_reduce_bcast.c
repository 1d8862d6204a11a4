/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_reduce_bcast.c: a reduce to rank 0 and a bcast from it, both along
 * a k-nomial tree, by default a binomial one.
 *
 * Source: J. Pjesivac-Grbovic et al., "Performance analysis of MPI collective
 * operations", Cluster Computing 10 (2007), section 4.
 * Cost: twice the rounds of recursive doubling, but only 2 (n - 1) messages and
 * n - 1 reductions, which counts where ranks share cores.
 */
#include "coll/plan/algorithms.h"

static void allreduce_reduce_bcast_build(struct plan *plan,
					 const struct shape *shape, int rank)
{
	struct embed part = {.algorithm = &reduce_knomial,
			     .shape = *shape,
			     .rank = rank,
			     .send = ref(BUF_SEND, 0),
			     .recv = ref(BUF_RECV, 0)};

	part.after = plan_embed(plan, part);
	part.algorithm = &bcast_knomial;
	part.number = 1;
	plan_embed(plan, part);
}

static void allreduce_reduce_bcast_cost(const struct shape *shape,
					struct cost *c)
{
	reduce_knomial.cost(shape, c);
	cost_both_ways(c);
}

const struct algorithm allreduce_reduce_bcast = {
    .name = "reduce_bcast",
    ALGORITHM_ARG("radix", 2, 2),
    .formula = "(k - 1) ceil(log_k n) (2 a + 2 m b + m c)",
    .build = allreduce_reduce_bcast_build,
    .cost = allreduce_reduce_bcast_cost,
};
