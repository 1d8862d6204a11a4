/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_scatter_hierarchical.c: vectors are reduced to the nodes' leaders,
 * which do a reduce-scatter of the blocks of whole nodes and scatter these down
 * again. The ranks of each node must be a range. Blocks of any length.
 *
 * Source: see hierarchy.h; allgather_hierarchical.c has the same levels in
 * reverse order.
 * Cost: the sum over the levels. Between nodes that of as many ranks as there
 * are nodes.
 */
#include "coll/plan/blocks.h"
#include "coll/plan/ranges.h"

static bool reduce_scatter_hierarchical_fits(const struct shape *shape)
{
	return ranges_fit(shape) && blocks_in_order(shape);
}

/* Tells whether the rank leads a group of several below `level`. */
static bool reduce_scatter_hierarchical_leads(const struct hierarchy *h,
					      enum level level)
{
	for (enum level k = 0; k < level; k++) {
		struct group g = hierarchy_group(h, k);

		if (g.size && g.me == g.root)
			return true;
	}
	return false;
}

/* Appends the reduce-scatter at the top, or a scatter below it, of the vector
 * that a leader has at *vector. Makes it the vector of which the rank has the
 * blocks for which it stands below `level`. */
static void hand_down(struct ranges *r, enum level level, struct ref *vector)
{
	struct hierarchy *h = &r->h;
	bool top = level == hierarchy_top(h),
	     more = reduce_scatter_hierarchical_leads(h, level);
	struct block own = ranges_below(r, level, h->rank);
	struct group g = hierarchy_group(h, level);
	struct shape s;

	if (!g.size)
		return;
	s = ranges_shape(r, &g, level);
	s.in_place = !top && more && g.me == g.root;
	h->own = ranges_from(r, *vector, &g);
	h->acc = ref(BUF_RECV, 0);
	if (s.in_place)
		h->acc = ref(vector->buf, vector->at + own.at);
	else if (more)
		h->acc = ref(plan_tmp(h->plan, own.count), 0);
	*(top ? &s.send : &s.recv) = NULL;
	hierarchy_embed(h, &g,
			top	 ? COLL_REDUCE_SCATTER
			: s.send ? COLL_SCATTERV
				 : COLL_SCATTER,
			s, top ? OVER : DOWN + level);
	*vector = ref(h->acc.buf, h->acc.at - own.at);
}

static void reduce_scatter_hierarchical_build(struct plan *plan,
					      const struct shape *shape,
					      int rank)
{
	struct ranges r;
	struct ref vector;
	enum level top;

	if (!ranges_make(&r, plan, COLL_REDUCE_SCATTER, shape, rank))
		return;
	top = hierarchy_top(&r.h);
	if (reduce_scatter_hierarchical_leads(&r.h, top))
		r.h.acc = ref(plan_tmp(plan, r.whole.count), 0);
	hierarchy_up(&r.h);
	vector = r.h.own;
	for (int level = (int)top; level >= 0; level--) {
		hand_down(&r, (enum level)level, &vector);
		r.h.left = false;
	}
}

/* Assumes groups of equal size; used for the choice. */
static void reduce_scatter_hierarchical_cost(const struct shape *shape,
					     struct cost *c)
{
	ranges_cost(shape, COLL_REDUCE, COLL_SCATTER, COLL_SCATTERV,
		    COLL_REDUCE_SCATTER, c);
}

const struct algorithm reduce_scatter_hierarchical = {
    HIERARCHICAL_MEMBERS,
    .fits = reduce_scatter_hierarchical_fits,
    .build = reduce_scatter_hierarchical_build,
    .cost = reduce_scatter_hierarchical_cost,
};
