/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bcast_hierarchical.c: a bcast among the nodes' leaders (the root leads its
 * node), then inside each node and each cache.
 *
 * Source: see hierarchy.h.
 * Cost: the sum over the levels; between nodes that of as many ranks as there
 * are nodes.
 */
#include "coll/plan/hierarchy.h"

static void bcast_hierarchical_build(struct plan *plan,
				     const struct shape *shape, int rank)
{
	struct hierarchy h =
	    hierarchy_make(plan, COLL_BCAST, shape, rank, shape->root);

	h.own = h.acc;
	hierarchy_over(&h, COLL_BCAST);
	hierarchy_down(&h, shape->count);
}

static void bcast_hierarchical_cost(const struct shape *shape, struct cost *c)
{
	hierarchy_cost(shape, COLL_BCAST, false, true, c);
}

const struct algorithm bcast_hierarchical = {
    .name = "hierarchical",
    .arg = "algorithm",
    .arg_is_algorithm = true,
    .by_node = true,
    .formula = "the sum of its levels",
    .fits = fits_hierarchy,
    .build = bcast_hierarchical_build,
    .cost = bcast_hierarchical_cost,
};
