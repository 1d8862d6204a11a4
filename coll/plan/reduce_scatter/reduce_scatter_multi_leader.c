/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_scatter_multi_leader.c: inside each node a reduce-scatter of the
 * blocks of one node after the other, by which each rank gets a block of each
 * node; then the ranks of the same place in all nodes reduce and scatter these.
 * All ranks lead. All nodes must be ranges of as many ranks. Blocks of any
 * length.
 *
 * Source: see allgather_multi_leader.c, whose levels these are in reverse
 * order. Cost: inside nodes a reduce-scatter for each node, and one between as
 * many ranks as there are nodes, with the links shared by all ranks of a node.
 */
#include "coll/plan/blocks.h"
#include "coll/plan/ranges.h"

static bool reduce_scatter_multi_leader_fits(const struct shape *shape)
{
	return ranges_fit_mesh(shape) && blocks_in_order(shape);
}

/* Reduces the blocks of node k inside the own node, to `sum`. */
static void reduce_scatter_multi_leader_inside(struct ranges *r, int k,
					       struct ref sum)
{
	const struct topology *t = r->whole.topo;
	struct group node = topology_node(t, r->h.rank);
	struct group other =
	    topology_members(t, k * node.size, (k + 1) * node.size, node.me);
	struct shape s;

	s = ranges_shape(r, &other, LEVEL_CACHE);
	s.send = NULL;
	r->h.own = ranges_from(r, ref(BUF_SEND, 0), &other);
	r->h.acc = sum;
	r->h.segment = (struct embed_segment){k, t->nodes};
	hierarchy_embed(
	    &r->h, &node,
	    s.recv ? COLL_REDUCE_SCATTER : COLL_REDUCE_SCATTER_BLOCK, s, UP);
}

/* Reduces the sums of the ranks of the same place, whose blocks these are. */
static void reduce_scatter_multi_leader_between(struct ranges *r,
						const struct group *column,
						struct block *blocks,
						struct ref sums)
{
	struct shape s = hierarchy_shape(&r->whole, column->size, 0);

	s.count = blocks[0].count;
	s.recv = r->alike ? NULL : blocks;
	r->h.own = sums;
	r->h.acc = ref(BUF_RECV, 0);
	r->h.segment = (struct embed_segment){0, 0};
	hierarchy_embed(
	    &r->h, column,
	    s.recv ? COLL_REDUCE_SCATTER : COLL_REDUCE_SCATTER_BLOCK, s, OVER);
}

static void reduce_scatter_multi_leader_build(struct plan *plan,
					      const struct shape *shape,
					      int rank)
{
	const struct topology *t = shape->topo;
	struct ranges r;
	struct group column;
	struct block *blocks;
	struct ref sums;
	size_t all = 0;

	if (!ranges_make(&r, plan, COLL_REDUCE_SCATTER_BLOCK, shape, rank))
		return;
	column = topology_column(t, rank, r.h.ranks);
	blocks = ranges_list(&r, &column, LEVEL_CACHE);
	if (!blocks)
		return;
	for (int k = 0; k < t->nodes; all += blocks[k++].count)
		blocks[k].at = all;
	r.h.leaders = shape->size / t->nodes;
	sums = ref(plan_tmp(plan, all), 0);
	for (int k = 0; k < t->nodes; k++)
		reduce_scatter_multi_leader_inside(&r, k,
						   ref(sums.buf, blocks[k].at));
	reduce_scatter_multi_leader_between(&r, &column, blocks, sums);
}

static void reduce_scatter_multi_leader_cost(const struct shape *shape,
					     struct cost *c)
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
    .fits = reduce_scatter_multi_leader_fits,
    .build = reduce_scatter_multi_leader_build,
    .cost = reduce_scatter_multi_leader_cost,
};
