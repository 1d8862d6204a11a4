/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allgather_multi_leader.c: the ranks of the same place in all nodes exchange
 * their blocks; then the ranks of each node exchange the blocks that they have
 * received, those from each node by an allgather of their own. All ranks lead.
 * All nodes must be ranges of as many ranks, so that nothing is copied.
 *
 * Source: several leaders as in K. Kandalla, H. Subramoni, G. Santhanaraman et
 * al., "Designing multi-leader-based Allgather algorithms for multi-core
 * clusters", CAC at IPDPS 2009.
 * Cost: an allgather between as many ranks as there are nodes, with the links
 * shared by all ranks of a node, and inside nodes one for each node.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/hierarchy.h"

/* Nodes up to which each has tags enough for its plan. */
enum { NODES = 64 };

static bool fits(const struct shape *shape)
{
	return shape->topo && topology_is_mesh(shape->topo) &&
	       shape->topo->ordered && shape->topo->nodes <= NODES;
}

/* Exchanges the own block with the ranks of the same place. */
static void between(struct hierarchy *h, struct block *blocks)
{
	const struct topology *t = h->shape->topo;
	struct group column = topology_column(t, h->rank, h->ranks);
	struct shape s = hierarchy_shape(h->shape, t->nodes, 0);
	size_t m = s.count;

	for (int k = 0; k < t->nodes; k++)
		blocks[k] = (struct block){(size_t)column.ranks[k] * m, m};
	s.recv = blocks;
	hierarchy_embed(h, &column, COLL_ALLGATHERV, s, OVER);
}

/* Exchanges the blocks of node k inside the own node. */
static void inside(struct hierarchy h, int k)
{
	const struct topology *t = h.shape->topo;
	struct group node = topology_node(t, h.rank);
	struct shape s = hierarchy_shape(h.shape, node.size, 0);

	h.acc.at = (size_t)k * (size_t)node.size * s.count;
	h.own = ref(BUF_RECV, h.acc.at + (size_t)node.me * s.count);
	h.inside = &allgather_recursive_doubling;
	h.segment = (struct embed_segment){k, t->nodes};
	s.in_place = true;
	hierarchy_embed(&h, &node, COLL_ALLGATHER, s, DOWN);
}

static void build(struct plan *plan, const struct shape *shape, int rank)
{
	struct hierarchy h =
	    hierarchy_make(plan, COLL_ALLGATHER, shape, rank, -1);
	int nodes = shape->topo->nodes;
	struct block *blocks =
	    plan_scratch(plan, (size_t)nodes * sizeof(*blocks));

	if (!h.ranks || !blocks)
		return;
	h.leaders = shape->size / nodes;
	between(&h, blocks);
	for (int k = 0; k < nodes; k++)
		inside(h, k);
}

static void cost(const struct shape *shape, struct cost *c)
{
	int nodes = shape->topo->nodes, n = shape->size / nodes;
	struct shape column = hierarchy_shape(shape, nodes, 0);
	struct shape node = hierarchy_shape(shape, n, 0);
	struct cost one = hierarchy_cost_of(COLL_ALLGATHER, &node, 0,
					    &allgather_recursive_doubling);

	*c = hierarchy_cost_of(COLL_ALLGATHERV, &column, n, NULL);
	c->leaders = n;
	c->sends = n * c->sends + nodes * (nodes * one.sends);
	c->moved = n * c->moved + nodes * (nodes * one.moved);
	c->intra_rounds = nodes * one.rounds;
	c->intra_together = (nodes - 1) * one.rounds;
	c->intra_bytes = nodes * one.bytes;
	c->fetched = nodes * one.fetched;
	c->rounds += c->intra_rounds;
	c->together += c->intra_together;
	c->bytes += c->intra_bytes;
}

const struct algorithm allgather_multi_leader = {
    .name = "multi_leader",
    .by_node = true,
    .formula = "the sum of its levels",
    .fits = fits,
    .build = build,
    .cost = cost,
};
