/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_segmented_multi_leader.c: multi_leader for one segment of the vector
 * after the other, such that the levels of three segments overlap: while one is
 * reduced to the root's node, the next is reduced inside the nodes, and the one
 * before is gathered by the root. As many ranks of each node lead as the
 * smallest node has.
 *
 * Source: see leaders.h.
 * Cost: that of multi_leader for one segment, and for each further one that of
 * its longest level: for long vectors.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/leaders.h"

/* share: where the rank's share of the segment goes inside the node. home: the
 * node is the root's. */
static void reduce_segmented_multi_leader_pass(struct leaders *l,
					       struct block segment,
					       struct ref share, bool home,
					       struct leaders_order *after)
{
	struct plan *plan = l->h.plan;

	l->h.own = ref(BUF_SEND, segment.at);
	l->h.acc = share;
	l->h.after = after->inside;
	leaders_reduce_scatter(l);
	after->inside = l->h.after;
	l->h.own = share;
	if (l->h.rank == l->shape.root || !home)
		l->h.acc = ref(BUF_RECV, segment.at + l->share.at);
	l->h.after = plan_join(plan, after->inside, after->over);
	leaders_over(l, COLL_REDUCE);
	after->over = l->h.after;
	l->h.after = plan_join(plan, after->over, after->back);
	if (home)
		leaders_gather(l);
	after->back = l->h.after;
}

static void reduce_segmented_multi_leader_build(struct plan *plan,
						const struct shape *shape,
						int rank)
{
	const int *node = shape->topo->node;
	struct shape all = leaders_all(shape);
	int n = leaders_segments(shape);
	struct leaders_order after = {0};
	struct leaders l;
	size_t longest;
	uint8_t shares;

	if (!leaders_make(&l, plan, COLL_REDUCE, &all, rank))
		return;
	longest = l.share.count / (size_t)n + 1;
	shares = plan_tmp(plan, longest * (size_t)n);
	for (int i = 0; i < n; i++) {
		struct block segment = leaders_segment(&l, i, n);

		reduce_segmented_multi_leader_pass(
		    &l, segment, ref(shares, longest * (size_t)i),
		    node[rank] == node[shape->root], &after);
	}
}

static void cost_levels(const struct shape *segment, struct cost *c)
{
	leaders_cost_inside(segment, COLL_REDUCE_SCATTER, true, &c[0]);
	leaders_cost_over(segment, COLL_REDUCE, true, &c[1]);
	leaders_cost_root(segment, COLL_GATHERV, &c[2]);
}

static void reduce_segmented_multi_leader_cost(const struct shape *shape,
					       struct cost *c)
{
	leaders_cost_segments(shape, cost_levels, c);
}

const struct algorithm reduce_segmented_multi_leader = {
    .name = "segmented_multi_leader",
    LEADERS_SEGMENT_ARG,
    .by_node = true,
    .formula = "a segment's levels, and m / k - 1 times its longest",
    .fits = leaders_fit,
    .build = reduce_segmented_multi_leader_build,
    .cost = reduce_segmented_multi_leader_cost,
};
