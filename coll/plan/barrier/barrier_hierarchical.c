/* SPDX-License-Identifier: Apache-2.0 */
/*
 * barrier_hierarchical.c: empty reductions to the nodes' leaders, a barrier
 * among these, and empty bcasts back.
 *
 * Source: see hierarchy.h.
 * Cost: the sum over the levels; between nodes that of as many ranks as there
 * are nodes.
 */
#include "coll/plan/hierarchy.h"

static void barrier_hierarchical_build(struct plan *plan,
				       const struct shape *shape, int rank)
{
	struct hierarchy h =
	    hierarchy_make(plan, COLL_BARRIER, shape, rank, -1);

	hierarchy_up(&h);
	hierarchy_over(&h, COLL_BARRIER);
	hierarchy_down(&h, shape->count);
}

static void barrier_hierarchical_cost(const struct shape *shape, struct cost *c)
{
	hierarchy_cost(shape, COLL_BARRIER, true, true, c);
}

const struct algorithm barrier_hierarchical = {
    .name = "hierarchical",
    .arg = "algorithm",
    .arg_is_algorithm = true,
    .by_node = true,
    .formula = "the sum of its levels",
    .fits = fits_hierarchy,
    .build = barrier_hierarchical_build,
    .cost = barrier_hierarchical_cost,
};
