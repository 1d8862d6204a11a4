/* SPDX-License-Identifier: Apache-2.0 */
/*
 * neighbor_alltoall_linear.c: a rank sends each of its neighbours a block and
 * receives one from each, all at once.
 *
 * Source: the definition.
 * Cost: one latency, and a block for each neighbour.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/neighbor.h"

static void neighbor_alltoall_linear_build(struct plan *plan,
					   const struct shape *shape, int rank)
{
	neighbor_exchange(plan, shape, rank, false);
}

const struct algorithm neighbor_alltoall_linear = {
    .name = "linear",
    .formula = "a + k m b for k neighbours",
    .build = neighbor_alltoall_linear_build,
    .cost = neighbor_cost,
};
