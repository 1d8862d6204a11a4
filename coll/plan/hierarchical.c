/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hierarchical.c: the hierarchies in which each level has a whole vector, or
 * nothing: vectors are reduced inside each cache and node, then there is the
 * collective among the nodes' leaders, and its result is broadcast inside each
 * node and cache. A reduce has no way down and a bcast none up; their root
 * leads its node.
 *
 * Source: see hierarchy.h.
 * Cost: the sum over the levels; between nodes that of as many ranks as there
 * are nodes.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/hierarchy.h"

static bool goes_up(enum collective collective)
{
	return collective != COLL_BCAST;
}

static bool goes_down(enum collective collective)
{
	return collective != COLL_REDUCE;
}

static void hierarchical_build(struct plan *plan, const struct shape *shape,
			       int rank, enum collective collective)
{
	bool up = goes_up(collective), down = goes_down(collective);
	struct hierarchy h = hierarchy_make(plan, collective, shape, rank,
					    up && down ? -1 : shape->root);

	if (!up)
		h.own = h.acc;
	if (!down && rank != shape->root)
		h.acc = ref(plan_tmp(plan, shape->count), 0);
	if (up)
		hierarchy_up(&h);
	hierarchy_over(&h, collective);
	if (down)
		hierarchy_down(&h, shape->count);
}

#define HIERARCHICAL(upper, lower)                                             \
	static void lower##_build(struct plan *plan,                           \
				  const struct shape *shape, int rank)         \
	{                                                                      \
		hierarchical_build(plan, shape, rank, COLL_##upper);           \
	}                                                                      \
	static void lower##_cost(const struct shape *shape, struct cost *c)    \
	{                                                                      \
		hierarchy_cost(shape, COLL_##upper, goes_up(COLL_##upper),     \
			       goes_down(COLL_##upper), c);                    \
	}                                                                      \
	const struct algorithm lower##_hierarchical = {                        \
	    HIERARCHICAL_MEMBERS, .fits = fits_hierarchy,                      \
	    .build = lower##_build, .cost = lower##_cost};
HIERARCHICAL(BARRIER, barrier)
HIERARCHICAL(BCAST, bcast)
HIERARCHICAL(REDUCE, reduce)
HIERARCHICAL(ALLREDUCE, allreduce)
