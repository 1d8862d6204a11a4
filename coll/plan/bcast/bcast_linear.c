/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bcast_linear.c: the root sends to all ranks.
 *
 * Source: J. Pjesivac-Grbovic et al., "Performance analysis of MPI collective
 * operations", Cluster Computing 10 (2007), section 4 (flat tree).
 * Cost: n - 1 messages, all from the root: for few ranks, or
 * many that share cores.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

static void bcast_linear_build(struct plan *plan, const struct shape *shape,
			       int rank)
{
	struct part all = {ref(BUF_RECV, 0), shape->count, 0};

	if (rank != shape->root)
		plan_recv(plan, shape->root, all, 0, 0);
	for (int r = 0; r < shape->size && rank == shape->root; r++)
		if (r != rank)
			plan_send(plan, r, all, 0, 0);
}

const struct algorithm bcast_linear = {
    .name = "linear",
    .formula = "(n - 1) (a + m b)",
    .build = bcast_linear_build,
    .cost = tree_cost_flat,
};
