/* SPDX-License-Identifier: Apache-2.0 */
/*
 * multi_leader.c: the algorithms of vectors in which all ranks of a node, or as
 * many as the smallest node has, lead a share of the vector.
 *
 * Source: see leaders.h.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/leaders.h"

/*
 * Bcast: a scatter inside the root's node, a bcast of each share to the other
 * nodes, and an allgather inside each node.
 *
 * Source: the scatter and allgather of M. Barnett et al., "Building a
 * high-performance collective communication library", SC 1994.
 * Cost: the sum of the three; between nodes that of as many ranks as there are
 * nodes, with the links shared by all leaders. For long vectors.
 */
static void bcast_multi_leader_build(struct plan *plan,
				     const struct shape *shape, int rank)
{
	struct leaders l;

	if (!leaders_make(&l, plan, COLL_BCAST, shape, rank))
		return;
	l.h.own = l.h.acc;
	if (topology_node_of(shape->topo, rank) ==
	    topology_node_of(shape->topo, shape->root))
		leaders_scatter(&l);
	l.h.own = l.h.acc = ref(BUF_RECV, l.share.at);
	leaders_over(&l, COLL_BCAST);
	l.h.acc = ref(BUF_RECV, 0);
	leaders_allgather(&l);
}

static void bcast_multi_leader_cost(const struct shape *shape, struct cost *c)
{
	leaders_cost_root(shape, COLL_SCATTERV, c);
	leaders_cost_over(shape, COLL_BCAST, false, c);
	leaders_cost_inside(shape, COLL_ALLGATHERV, false, c);
}

const struct algorithm bcast_multi_leader = {
    .name = "multi_leader",
    LEADERS_ARG,
    .by_node = true,
    .formula = "the sum of its levels",
    .fits = leaders_fit,
    .build = bcast_multi_leader_build,
    .cost = bcast_multi_leader_cost,
};

/*
 * Reduce: a reduce-scatter inside each node, a reduction of each share to the
 * root's node, and a gather inside that node.
 *
 * Cost: the sum of the three; between nodes that of as many ranks as there are
 * nodes, with the links shared by all leaders. For long vectors.
 */
static void reduce_multi_leader_build(struct plan *plan,
				      const struct shape *shape, int rank)
{
	struct leaders l;
	bool home;

	if (!leaders_make(&l, plan, COLL_REDUCE, shape, rank))
		return;
	home = topology_node_of(shape->topo, rank) ==
	       topology_node_of(shape->topo, shape->root);
	l.h.acc = ref(plan_tmp(plan, l.share.count), 0);
	leaders_reduce_scatter(&l);
	l.h.own = l.h.acc;
	if (rank == shape->root)
		l.h.acc = ref(BUF_RECV, l.share.at);
	else if (home)
		l.h.acc = ref(plan_tmp(plan, l.share.count), 0);
	leaders_over(&l, COLL_REDUCE);
	if (home)
		leaders_gather(&l);
}

static void reduce_multi_leader_cost(const struct shape *shape, struct cost *c)
{
	leaders_cost_inside(shape, COLL_REDUCE_SCATTER, false, c);
	leaders_cost_over(shape, COLL_REDUCE, false, c);
	leaders_cost_root(shape, COLL_GATHERV, c);
}

const struct algorithm reduce_multi_leader = {
    .name = "multi_leader",
    LEADERS_ARG,
    .by_node = true,
    .formula = "the sum of its levels",
    .fits = leaders_fit,
    .build = reduce_multi_leader_build,
    .cost = reduce_multi_leader_cost,
};

/*
 * Allreduce: a reduce-scatter inside each node, an allreduce for each share
 * between the nodes, and an allgather inside each node.
 *
 * Cost: the sum of the three; between nodes that of as many ranks as there are
 * nodes, with the links shared by all leaders. For long vectors.
 */
static void allreduce_multi_leader_build(struct plan *plan,
					 const struct shape *shape, int rank)
{
	struct leaders l;

	if (!leaders_make(&l, plan, COLL_ALLREDUCE, shape, rank))
		return;
	l.h.acc = ref(plan_tmp(plan, l.share.count), 0);
	leaders_reduce_scatter(&l);
	l.h.own = l.h.acc;
	l.h.acc = ref(BUF_RECV, l.share.at);
	leaders_over(&l, COLL_ALLREDUCE);
	l.h.acc = ref(BUF_RECV, 0);
	leaders_allgather(&l);
}

static void allreduce_multi_leader_cost(const struct shape *shape,
					struct cost *c)
{
	leaders_cost_inside(shape, COLL_REDUCE_SCATTER, false, c);
	leaders_cost_over(shape, COLL_ALLREDUCE, false, c);
	leaders_cost_inside(shape, COLL_ALLGATHERV, false, c);
}

const struct algorithm allreduce_multi_leader = {
    .name = "multi_leader",
    LEADERS_ARG,
    .by_node = true,
    .formula = "the sum of its levels",
    .fits = leaders_fit,
    .build = allreduce_multi_leader_build,
    .cost = allreduce_multi_leader_cost,
};

/*
 * Segmented: multi_leader of reduce and allreduce for one segment of the vector
 * after the other, such that the levels of three segments overlap: while one
 * goes through the collective between the nodes, the next is reduced inside
 * them, and the one before is gathered there: by the root of a reduce, by all
 * ranks in an allreduce. As many ranks of each node lead as the smallest node
 * has.
 *
 * Cost: that of multi_leader for one segment, and for each further one that of
 * its longest level: for long vectors.
 */

/* share: where the rank's share of the segment goes inside the node. */
static void segmented_pass(struct leaders *l, enum collective collective,
			   struct block segment, struct ref share,
			   struct leaders_order *after)
{
	struct plan *plan = l->h.plan;
	const struct topology *t = l->shape.topo;
	bool all = collective == COLL_ALLREDUCE;
	bool home = topology_node_of(t, l->h.rank) ==
		    topology_node_of(t, l->shape.root);

	l->h.own = ref(BUF_SEND, segment.at);
	l->h.acc = share;
	l->h.after = after->inside;
	leaders_reduce_scatter(l);
	after->inside = l->h.after;
	l->h.own = share;
	/* what the root's node gathers lies in the temporaries */
	if (all || l->h.rank == l->shape.root || !home)
		l->h.acc = ref(BUF_RECV, segment.at + l->share.at);
	l->h.after = plan_join(plan, after->inside, after->over);
	leaders_over(l, collective);
	after->over = l->h.after;
	l->h.after = plan_join(plan, after->over, after->back);
	if (all) {
		l->h.acc = ref(BUF_RECV, segment.at);
		leaders_allgather(l);
	} else if (home) {
		leaders_gather(l);
	}
	after->back = l->h.after;
}

static void segmented_build(struct plan *plan, const struct shape *shape,
			    int rank, enum collective collective)
{
	struct shape all = leaders_all(shape);
	int n = leaders_segments(shape);
	struct leaders_order after = {0};
	struct leaders l;
	size_t longest;
	uint8_t shares;

	if (!leaders_make(&l, plan, collective, &all, rank))
		return;
	longest = l.share.count / (size_t)n + 1;
	shares = plan_tmp(plan, longest * (size_t)n);
	for (int i = 0; i < n; i++) {
		struct block segment = leaders_segment(&l, i, n);

		segmented_pass(&l, collective, segment,
			       ref(shares, longest * (size_t)i), &after);
	}
}

static void reduce_levels(const struct shape *segment, struct cost *c)
{
	leaders_cost_inside(segment, COLL_REDUCE_SCATTER, true, &c[0]);
	leaders_cost_over(segment, COLL_REDUCE, true, &c[1]);
	leaders_cost_root(segment, COLL_GATHERV, &c[2]);
}

static void allreduce_levels(const struct shape *segment, struct cost *c)
{
	leaders_cost_inside(segment, COLL_REDUCE_SCATTER, true, &c[0]);
	leaders_cost_over(segment, COLL_ALLREDUCE, true, &c[1]);
	leaders_cost_inside(segment, COLL_ALLGATHERV, true, &c[2]);
}

#define SEGMENTED(upper, lower)                                                \
	static void lower##_build(struct plan *plan,                           \
				  const struct shape *shape, int rank)         \
	{                                                                      \
		segmented_build(plan, shape, rank, COLL_##upper);              \
	}                                                                      \
	static void lower##_cost(const struct shape *shape, struct cost *c)    \
	{                                                                      \
		leaders_cost_segments(shape, lower##_levels, c);               \
	}                                                                      \
	const struct algorithm lower##_segmented_multi_leader = {              \
	    .name = "segmented_multi_leader",                                  \
	    LEADERS_SEGMENT_ARG,                                               \
	    .by_node = true,                                                   \
	    .formula = "a segment's levels, and m / k - 1 times its longest",  \
	    .fits = leaders_fit,                                               \
	    .build = lower##_build,                                            \
	    .cost = lower##_cost};
SEGMENTED(REDUCE, reduce)
SEGMENTED(ALLREDUCE, allreduce)
