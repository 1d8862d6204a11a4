/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gather_hierarchical.c: the blocks of each node are gathered by its leader,
 * which sends them to the root in one message. The root leads its node. The
 * ranks of each node must be a range.
 *
 * Source: see hierarchy.h.
 * Cost: that of a gather inside the largest node, and of one between as many
 * ranks as there are nodes, of the blocks of a node.
 */
#include "coll/plan/hierarchy.h"

static void gather_hierarchical_build(struct plan *plan,
				      const struct shape *shape, int rank)
{
	struct hierarchy h =
	    hierarchy_make(plan, COLL_GATHER, shape, rank, shape->root);
	struct by_node n;

	if (!hierarchy_by_node(&h, &n))
		return;
	if (rank == shape->root)
		h.acc.at = n.own.at;
	else if (n.leads)
		h.acc = ref(plan_tmp(plan, n.own.count), 0);
	hierarchy_embed(&h, &n.node, COLL_GATHER, n.inside, UP);
	if (!n.leads)
		return;
	h.own = h.acc;
	h.acc = ref(BUF_RECV, 0);
	if (rank == shape->root)
		n.between.recv = n.blocks;
	hierarchy_embed(&h, &n.leaders, n.blocks ? COLL_GATHERV : COLL_GATHER,
			n.between, OVER);
}

static void gather_hierarchical_cost(const struct shape *shape, struct cost *c)
{
	hierarchy_cost_by_node(shape, COLL_GATHER, COLL_GATHERV, c);
}

const struct algorithm gather_hierarchical = {
    .name = "hierarchical",
    .arg = "algorithm",
    .arg_is_algorithm = true,
    .by_node = true,
    .formula = "the sum of its levels",
    .fits = fits_by_node,
    .build = gather_hierarchical_build,
    .cost = gather_hierarchical_cost,
};
