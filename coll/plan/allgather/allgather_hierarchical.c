/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allgather_hierarchical.c: the leaders of caches and nodes gather the blocks,
 * the nodes' leaders exchange them, and all blocks are broadcast down. The
 * ranks of each node must be a range, so that a leader's blocks are one range.
 * Blocks of any length.
 *
 * Source: see hierarchy.h.
 * Cost: the sum over the levels. Between nodes each block is sent once to every
 * other node, not to every other rank.
 */
#include "coll/plan/blocks.h"
#include "coll/plan/ranges.h"

static void allgather_hierarchical_collect(struct ranges *r, enum level level,
					   struct ref vector)
{
	struct hierarchy *h = &r->h;
	bool top = level == hierarchy_top(h);
	struct group g = hierarchy_group(h, level);
	struct shape s;

	if (!g.size)
		return;
	s = ranges_shape(r, &g, level);
	s.send = NULL;
	s.in_place = true;
	h->acc = ranges_from(r, vector, &g);
	h->own =
	    ref(vector.buf, vector.at + ranges_below(r, level, h->rank).at);
	hierarchy_embed(h, &g,
			top	 ? COLL_ALLGATHERV
			: s.recv ? COLL_GATHERV
				 : COLL_GATHER,
			s, top ? OVER : UP + level);
	h->left = !top && g.me != g.root;
}

static void allgather_hierarchical_build(struct plan *plan,
					 const struct shape *shape, int rank)
{
	struct ranges r;
	struct ref vector, own;

	if (!ranges_make(&r, plan, COLL_ALLGATHERV, shape, rank))
		return;
	vector = own = blocks_vector(plan, shape);
	own.at += r.at[rank];
	r.h.after = blocks_own(plan, shape, rank, own);
	for (enum level level = 0; level <= hierarchy_top(&r.h); level++)
		allgather_hierarchical_collect(&r, level, vector);
	r.h.own = r.h.acc = vector;
	hierarchy_down(&r.h, r.whole.count);
	blocks_spread(plan, shape, vector, 0, r.h.after);
}

/* Assumes groups of equal size; used for the choice. */
static void allgather_hierarchical_cost(const struct shape *shape,
					struct cost *c)
{
	ranges_cost(shape, COLL_BCAST, COLL_GATHER, COLL_GATHERV,
		    COLL_ALLGATHERV, c);
}

const struct algorithm allgather_hierarchical = {
    HIERARCHICAL_MEMBERS,
    .fits = ranges_fit,
    .build = allgather_hierarchical_build,
    .cost = allgather_hierarchical_cost,
};
