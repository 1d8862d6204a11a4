/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_scatter_multi_leader.c: inside each node a reduce-scatter of the
 * blocks of one node after the other, by which each rank gets a block of each
 * node; then the ranks of the same place in all nodes reduce and scatter these.
 * All ranks lead. All nodes must be ranges of as many ranks.
 *
 * Source: see allgather_multi_leader.c, whose levels these are in reverse
 * order. Cost: inside nodes a reduce-scatter for each node, and one between as
 * many ranks as there are nodes, with the links shared by all ranks of a node.
 */
#include "coll/plan/hierarchy.h"

/* Nodes up to which each has tags enough for its plan. */
enum { NODES = 64 };

static bool fits(const struct shape *shape)
{
	return shape->topo && topology_is_mesh(shape->topo) &&
	       shape->topo->ordered && shape->topo->nodes <= NODES;
}

/* Reduces the blocks of node k inside the own node. */
static void inside(struct hierarchy *h, int k, struct ref sums)
{
	struct group node = topology_node(h->shape->topo, h->rank);
	struct shape s = hierarchy_shape(h->shape, node.size, 0);

	h->own = ref(BUF_SEND, (size_t)k * (size_t)node.size * s.count);
	h->acc = ref(sums.buf, (size_t)k * s.count);
	h->segment = (struct embed_segment){k, h->shape->topo->nodes};
	hierarchy_embed(h, &node, COLL_REDUCE_SCATTER_BLOCK, s, UP);
}

static void build(struct plan *plan, const struct shape *shape, int rank)
{
	const struct topology *t = shape->topo;
	struct hierarchy h =
	    hierarchy_make(plan, COLL_REDUCE_SCATTER_BLOCK, shape, rank, -1);
	struct group column;
	struct ref sums;

	if (!h.ranks)
		return;
	column = topology_column(t, rank, h.ranks);
	h.leaders = shape->size / t->nodes;
	sums = ref(plan_tmp(plan, (size_t)t->nodes * shape->count), 0);
	for (int k = 0; k < t->nodes; k++)
		inside(&h, k, sums);
	h.own = sums;
	h.acc = ref(BUF_RECV, 0);
	h.segment = (struct embed_segment){0, 0};
	hierarchy_embed(&h, &column, COLL_REDUCE_SCATTER_BLOCK,
			hierarchy_shape(shape, t->nodes, 0), OVER);
}

static void cost(const struct shape *shape, struct cost *c)
{
	int nodes = shape->topo->nodes, n = shape->size / nodes;
	struct shape column = hierarchy_shape(shape, nodes, 0);
	struct shape node = hierarchy_shape(shape, n, 0);

	*c = hierarchy_cost_of(COLL_REDUCE_SCATTER_BLOCK, &column, n, NULL);
	c->leaders = n;
	c->sends *= n;
	c->moved *= n;
	for (int k = 0; k < nodes; k++)
		hierarchy_cost_inside(COLL_REDUCE_SCATTER_BLOCK, &node, nodes,
				      c);
}

const struct algorithm reduce_scatter_multi_leader = {
    .name = "multi_leader",
    .by_node = true,
    .formula = "the sum of its levels",
    .fits = fits,
    .build = build,
    .cost = cost,
};
