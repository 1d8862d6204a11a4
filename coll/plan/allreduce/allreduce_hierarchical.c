/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_hierarchical.c: reduced to the nodes' leaders, combined among
 * these, and handed down again.
 *
 * Source: see hierarchy.h.
 * Cost: the sum of the levels'; between nodes that of as many ranks as there
 * are nodes.
 */
#include "coll/plan/hierarchy.h"

static void build(struct plan *plan, const struct shape *shape, int rank)
{
	struct climb c = climb_make(plan, COLL_ALLREDUCE, shape, rank, -1);

	climb_up(&c);
	climb_over(&c, COLL_ALLREDUCE);
	climb_down(&c, shape->count);
}

static void cost(const struct shape *shape, struct cost *c)
{
	climb_cost(shape, COLL_ALLREDUCE, true, true, c);
}

const struct algorithm allreduce_hierarchical = {
    .name = "hierarchical",
    .arg = "algorithm",
    .arg_is_algorithm = true,
    .formula = "the sum of its levels",
    .fits = fits_hierarchy,
    .build = build,
    .cost = cost,
};
