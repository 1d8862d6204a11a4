/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_multi_leader.c: a reduce-scatter inside each node, a reduction of each
 * share to the root's node, and a gather inside that node.
 *
 * Source: see leaders.h.
 * Cost: the sum of the three; between nodes that of as many ranks as there are
 * nodes, with the links shared by all leaders. For long vectors.
 */
#include "coll/plan/leaders.h"

static void reduce_multi_leader_build(struct plan *plan,
				      const struct shape *shape, int rank)
{
	struct leaders l;
	bool home;

	if (!leaders_make(&l, plan, COLL_REDUCE, shape, rank))
		return;
	home = shape->topo->node[rank] == shape->topo->node[shape->root];
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
