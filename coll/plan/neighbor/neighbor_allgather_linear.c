/* SPDX-License-Identifier: Apache-2.0 */
/*
 * neighbor_allgather_linear.c: a rank sends its vector to all its neighbours
 * and receives theirs, all at once.
 *
 * Source: the definition.
 * Cost: one latency, and a block for each neighbour.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/neighbor.h"

static void neighbor_allgather_linear_build(struct plan *plan,
					    const struct shape *shape, int rank)
{
	neighbor_exchange(plan, shape, rank, true);
}

const struct algorithm neighbor_allgather_linear = {
    .name = "linear",
    .formula = "a + k m b for k neighbours",
    .build = neighbor_allgather_linear_build,
    .cost = neighbor_cost,
};
