/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allgather_multi_leader.c: the ranks of the same place in all nodes exchange
 * their blocks; then the ranks of each node exchange the blocks that they have
 * received, those from each node by an allgather of their own. All ranks lead.
 * All nodes must be ranges of as many ranks, so that nothing is copied. Blocks
 * of any length.
 *
 * Source: several leaders as in K. Kandalla, H. Subramoni, G. Santhanaraman et
 * al., "Designing multi-leader-based Allgather algorithms for multi-core
 * clusters", CAC at IPDPS 2009.
 * Cost: an allgather between as many ranks as there are nodes, with the links
 * shared by all ranks of a node, and inside nodes one for each node; they
 * overlap, since a block is passed on in the node while the next one arrives,
 * and so do half of the rendezvous inside nodes, as simulated.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"
#include "coll/plan/leaders.h"
#include "coll/plan/model.h"
#include "coll/plan/ranges.h"

/* Exchanges the own block with the ranks of the same place. */
static void allgather_multi_leader_between(struct ranges *r, struct ref vector)
{
	struct group column =
	    topology_column(r->whole.topo, r->h.rank, r->h.ranks);
	struct shape s = hierarchy_shape(&r->whole, column.size, 0);

	s.count = ranges_below(r, LEVEL_CACHE, r->h.rank).count;
	s.recv = ranges_list(r, &column, LEVEL_CACHE);
	r->h.acc = ranges_from(r, vector, &column);
	hierarchy_embed(&r->h, &column, COLL_ALLGATHERV, s, OVER);
}

/* Exchanges the blocks of node k inside the own node. Returns the last step. */
static uint32_t allgather_multi_leader_inside(struct ranges r, int k,
					      struct ref vector)
{
	const struct topology *t = r.whole.topo;
	struct group node = topology_node(t, r.h.rank);
	struct group other =
	    topology_members(t, k * node.size, (k + 1) * node.size, node.me);
	int like = group_rank(&other, node.me);
	struct shape s;

	s = ranges_shape(&r, &other, LEVEL_CACHE);
	s.count = ranges_below(&r, LEVEL_CACHE, like).count;
	s.send = NULL;
	s.in_place = true;
	r.h.acc = ranges_from(&r, vector, &other);
	r.h.own = ref(vector.buf, vector.at + r.at[like]);
	r.h.inside = &allgather_recursive_doubling;
	r.h.segment = (struct embed_segment){k, t->nodes};
	hierarchy_embed(&r.h, &node, s.recv ? COLL_ALLGATHERV : COLL_ALLGATHER,
			s, DOWN);
	return r.h.after;
}

static void allgather_multi_leader_build(struct plan *plan,
					 const struct shape *shape, int rank)
{
	struct ranges r;
	struct ref vector;
	uint32_t done = 0;

	if (!ranges_make(&r, plan, COLL_ALLGATHER, shape, rank))
		return;
	vector = blocks_vector(plan, shape);
	r.h.leaders = shape->size / shape->topo->nodes;
	allgather_multi_leader_between(&r, vector);
	for (int k = 0; k < shape->topo->nodes; k++) {
		uint32_t got = allgather_multi_leader_inside(r, k, vector);

		/* only blocks that are copied wait for all */
		if (vector.buf != BUF_RECV)
			done = plan_join(plan, got, done);
	}
	blocks_spread(plan, shape, vector, 0, done);
}

static void allgather_multi_leader_cost(const struct shape *shape,
					struct cost *c)
{
	int nodes = shape->topo->nodes, n = shape->size / nodes;
	struct shape column = hierarchy_shape(shape, nodes, 0);
	struct shape node = hierarchy_shape(shape, n, 0);
	struct cost one = hierarchy_cost_of(COLL_ALLGATHER, &node, 0,
					    &allgather_recursive_doubling);
	struct cost levels[2] = {
	    hierarchy_cost_of(COLL_ALLGATHERV, &column, n, NULL),
	    {.rounds = nodes * one.rounds,
	     .together = (nodes - 1) * one.rounds,
	     .bytes = nodes * one.bytes,
	     .intra_rounds = nodes * one.rounds,
	     .intra_together = (nodes - 1) * one.rounds,
	     .intra_bytes = nodes * one.bytes,
	     .fetched = nodes * one.fetched / 2}};
	bool between;

	levels[0].leaders = n;
	between = model_chain(&levels[0]) > model_chain(&levels[1]);
	cost_add_chain(&levels[0], leaders_overlap(nodes, between) / nodes, c);
	cost_add_chain(&levels[1], leaders_overlap(nodes, !between) / nodes, c);
	c->leaders = n;
	c->intra_sends = nodes * (nodes * one.sends);
	c->intra_moved = nodes * (nodes * one.moved);
	c->sends = n * levels[0].sends + c->intra_sends;
	c->moved = n * levels[0].moved + c->intra_moved;
}

const struct algorithm allgather_multi_leader = {
    .name = "multi_leader",
    .by_node = true,
    .formula = "the sum of its levels",
    .fits = ranges_fit_mesh,
    .build = allgather_multi_leader_build,
    .cost = allgather_multi_leader_cost,
};
