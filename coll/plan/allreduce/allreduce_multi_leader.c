/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_multi_leader.c: a reduce-scatter inside each node, an allreduce for
 * each share between the nodes, and an allgather inside each node.
 *
 * Source: see leaders.h.
 * Cost: the sum of the three; between nodes that of as many ranks as there are
 * nodes, with the links shared by all leaders. For long vectors.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/leaders.h"

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
