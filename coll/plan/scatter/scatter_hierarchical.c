/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scatter_hierarchical.c: the root sends the blocks of each node to its leader
 * in one message, and the leader scatters them. The root leads its node. The
 * ranks of each node must be a range.
 *
 * Source: see hierarchy.h.
 * Cost: that of a scatter between as many ranks as there are nodes, of the
 * blocks of a node, and of one inside the largest node.
 */
#include "coll/plan/hierarchy.h"

static void scatter_hierarchical_build(struct plan *plan,
				       const struct shape *shape, int rank)
{
	struct hierarchy h =
	    hierarchy_make(plan, COLL_SCATTER, shape, rank, shape->root);
	struct by_node n;

	if (!hierarchy_by_node(&h, &n))
		return;
	if (rank == shape->root)
		h.acc = ref(BUF_SEND, n.own.at);
	else if (n.leads)
		h.acc = ref(plan_tmp(plan, n.own.count), 0);
	if (rank == shape->root)
		n.between.send = n.blocks;
	if (n.leads)
		hierarchy_embed(&h, &n.leaders,
				n.blocks ? COLL_SCATTERV : COLL_SCATTER,
				n.between, OVER);
	h.own = h.acc;
	h.acc = ref(BUF_RECV, 0);
	hierarchy_embed(&h, &n.node, COLL_SCATTER, n.inside, DOWN);
}

static void scatter_hierarchical_cost(const struct shape *shape, struct cost *c)
{
	hierarchy_cost_by_node(shape, COLL_SCATTER, COLL_SCATTERV, c);
}

const struct algorithm scatter_hierarchical = {
    .name = "hierarchical",
    .arg = "algorithm",
    .arg_is_algorithm = true,
    .by_node = true,
    .formula = "the sum of its levels",
    .fits = fits_by_node,
    .build = scatter_hierarchical_build,
    .cost = scatter_hierarchical_cost,
};
