/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prefix_levels.c: scan and exscan by node, or, on a single node, by cache: the
 * same collective in each group, an exscan of the groups' results among their
 * last ranks, and a broadcast of what comes before a group to its ranks, which
 * put it in front of their own result.
 *
 * Each group must be a range of ranks, also where the operation commutes: the
 * result of a group of scattered ranks comes before none of the others.
 *
 * Source: see hierarchy.h; P. Sanders, J. L. Träff, "Parallel prefix (scan)
 * algorithms for MPI", EuroPVM/MPI 2006 (clusters of multiprocessors).
 * Cost: the sum of the levels. Between nodes each round has one vector for each
 * node, not one for each rank.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/hierarchy.h"
#include "coll/plan/ranges.h"

struct levels {
	struct hierarchy h;
	struct group branch;
	bool exclusive, first, last; /* first, last: of the branch */
};

static struct ref prefix_levels_tmp(struct levels *l)
{
	return ref(plan_tmp(l->h.plan, l->h.shape->count), 0);
}

/* Appends dst = left op right. */
static void prefix_levels_reduce(struct levels *l, struct ref left,
				 struct ref right, struct ref dst)
{
	struct operands o = {left, right, dst, l->h.shape->count};

	l->h.after = plan_reduce(l->h.plan, o, l->h.after, 0);
}

/* Appends the collective of the branch. Returns where its last rank has the
 * result over all of it. */
static struct ref prefix_levels_inside(struct levels *l,
				       enum collective collective)
{
	struct ref own = l->h.own, recv = l->h.acc, all;
	bool sums = l->exclusive && l->last && !l->first;

	if (sums && l->h.shape->in_place) {
		own = prefix_levels_tmp(l);
		l->h.after =
		    plan_copy(l->h.plan, l->h.own, own, l->h.shape->count, 0);
	}
	hierarchy_embed(&l->h, &l->branch, collective,
			hierarchy_shape(l->h.shape, l->branch.size, 0), UP);
	if (!sums)
		return l->exclusive ? own : recv;
	all = own.buf == BUF_SEND ? prefix_levels_tmp(l) : own;
	prefix_levels_reduce(l, recv, own, all);
	return all;
}

/* Appends an exscan among the last ranks of the branches. */
static void prefix_levels_between(struct levels *l)
{
	const struct topology *t = l->h.shape->topo;
	struct group g = {.me = topology_branch(t, l->h.rank),
			  .ranks = l->h.ranks};

	for (; g.size < topology_branches(t); g.size++)
		l->h.ranks[g.size] =
		    topology_member(t, topology_begin(t, g.size + 1) - 1);
	hierarchy_embed(&l->h, &g, COLL_EXSCAN,
			hierarchy_shape(l->h.shape, g.size, 0), OVER);
}

/* Appends a broadcast of what the last rank has at h.acc. */
static void prefix_levels_back(struct levels *l)
{
	int n = l->branch.size;

	hierarchy_embed(&l->h, &l->branch, COLL_BCAST,
			hierarchy_shape(l->h.shape, n, n - 1), DOWN);
}

/* shape->arg names the algorithm of the exscan by its row; the tables of both
 * collectives have the same order. */
static void prefix_levels(struct plan *plan, const struct shape *shape,
			  int rank, enum collective collective)
{
	const struct topology *t = shape->topo;
	int mine = topology_branch(t, rank), begin = topology_begin(t, mine);
	struct levels l = {
	    .h = hierarchy_make(plan, COLL_EXSCAN, shape, rank, -1),
	    .branch = topology_members(t, begin, topology_begin(t, mine + 1),
				       rank - begin),
	    .exclusive = collective == COLL_EXSCAN};
	struct ref recv = l.h.acc, all;

	if (!l.h.ranks)
		return;
	l.first = !l.branch.me;
	l.last = l.branch.me == l.branch.size - 1;
	all = prefix_levels_inside(&l, collective);
	/* before the first rank's own part comes nothing of its branch */
	if (mine && !(l.exclusive && l.first))
		l.h.acc = prefix_levels_tmp(&l);
	l.h.own = all;
	if (l.last)
		prefix_levels_between(&l);
	if (!mine)
		return;
	prefix_levels_back(&l);
	if (l.h.acc.buf != recv.buf)
		prefix_levels_reduce(&l, l.h.acc, recv, recv);
}

static void prefix_levels_cost(const struct shape *shape,
			       enum collective collective, struct cost *cost)
{
	bool between = topology_has(shape->topo, LEVEL_ALL);
	double m = shape_bytes(shape);

	hierarchy_cost_branches(shape, 0, collective, NULL, cost);
	hierarchy_cost_level(shape, between ? LEVEL_ALL : LEVEL_NODE,
			     COLL_EXSCAN, cost);
	hierarchy_cost_branches(shape, 1, COLL_BCAST, NULL, cost);
	cost->reduced += collective == COLL_EXSCAN ? 2 * m : m;
}

#define PREFIX_LEVELS(upper, lower)                                            \
	static void lower##_build(struct plan *plan,                           \
				  const struct shape *shape, int rank)         \
	{                                                                      \
		prefix_levels(plan, shape, rank, COLL_##upper);                \
	}                                                                      \
	static void lower##_cost(const struct shape *shape, struct cost *c)    \
	{                                                                      \
		prefix_levels_cost(shape, COLL_##upper, c);                    \
	}                                                                      \
	const struct algorithm lower##_hierarchical = {                        \
	    HIERARCHICAL_MEMBERS, .fits = ranges_fit, .build = lower##_build,  \
	    .cost = lower##_cost};
PREFIX_LEVELS(SCAN, scan)
PREFIX_LEVELS(EXSCAN, exscan)
