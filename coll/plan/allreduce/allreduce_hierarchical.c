/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_hierarchical.c: vectors are reduced to the nodes' leaders, which do
 * an allreduce and broadcast the result down again.
 *
 * Source: see hierarchy.h.
 * Cost: the sum over the levels; between nodes that of as many ranks as there
 * are nodes.
 */
#include "coll/plan/hierarchy.h"

static void allreduce_hierarchical_build(struct plan *plan,
					 const struct shape *shape, int rank)
{
	struct hierarchy h =
	    hierarchy_make(plan, COLL_ALLREDUCE, shape, rank, -1);

	hierarchy_up(&h);
	hierarchy_over(&h, COLL_ALLREDUCE);
	hierarchy_down(&h, shape->count);
}

static void allreduce_hierarchical_cost(const struct shape *shape,
					struct cost *c)
{
	hierarchy_cost(shape, COLL_ALLREDUCE, true, true, c);
}

const struct algorithm allreduce_hierarchical = {
    .name = "hierarchical",
    .arg = "algorithm",
    .arg_is_algorithm = true,
    .by_node = true,
    .formula = "the sum of its levels",
    .fits = fits_hierarchy,
    .build = allreduce_hierarchical_build,
    .cost = allreduce_hierarchical_cost,
};
