/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bcast_multi_leader.c: a scatter inside the root's node, a bcast of each share
 * to the other nodes, and an allgather inside each node.
 *
 * Source: see leaders.h; the scatter and allgather of M. Barnett et al.,
 * "Building a high-performance collective communication library", SC 1994.
 * Cost: the sum of the three; between nodes that of as many ranks as there are
 * nodes, with the links shared by all leaders. For long vectors.
 */
#include "coll/plan/leaders.h"

static void bcast_multi_leader_build(struct plan *plan,
				     const struct shape *shape, int rank)
{
	struct leaders l;

	if (!leaders_make(&l, plan, COLL_BCAST, shape, rank))
		return;
	l.h.own = l.h.acc;
	if (shape->topo->node[rank] == shape->topo->node[shape->root])
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
