/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_hierarchical.c: vectors are reduced inside each cache and node, then
 * from the nodes' leaders to the root, which leads its node.
 *
 * Source: see hierarchy.h.
 * Cost: the sum over the levels; between nodes that of as many ranks as there
 * are nodes.
 */
#include "coll/plan/hierarchy.h"

static void reduce_hierarchical_build(struct plan *plan,
				      const struct shape *shape, int rank)
{
	struct hierarchy h =
	    hierarchy_make(plan, COLL_REDUCE, shape, rank, shape->root);

	if (rank != shape->root)
		h.acc = ref(plan_tmp(plan, shape->count), 0);
	hierarchy_up(&h);
	hierarchy_over(&h, COLL_REDUCE);
}

static void reduce_hierarchical_cost(const struct shape *shape, struct cost *c)
{
	hierarchy_cost(shape, COLL_REDUCE, true, false, c);
}

const struct algorithm reduce_hierarchical = {
    .name = "hierarchical",
    .arg = "algorithm",
    .arg_is_algorithm = true,
    .by_node = true,
    .formula = "the sum of its levels",
    .fits = fits_hierarchy,
    .build = reduce_hierarchical_build,
    .cost = reduce_hierarchical_cost,
};
