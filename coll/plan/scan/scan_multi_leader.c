/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan_multi_leader.c: as many ranks of each node as the smallest has, each for
 * a share of the vector, collect their share from the ranks of their node,
 * combine it with what comes before the node, and hand out the results.
 *
 * Source: see prefix_shares.h; the shares as in leaders.h.
 * Cost: two exchanges inside nodes, in which each rank sends and receives its
 * vector once, and an exscan of a share between nodes; all ranks reduce.
 */
#include "coll/plan/prefix_shares.h"

static void scan_multi_leader_build(struct plan *plan,
				    const struct shape *shape, int rank)
{
	prefix_shares(plan, shape, rank, COLL_SCAN);
}

static void scan_multi_leader_cost(const struct shape *shape, struct cost *c)
{
	prefix_shares_cost(shape, COLL_SCAN, c);
}

const struct algorithm scan_multi_leader = {
    .name = "multi_leader",
    .by_node = true,
    .formula = "the sum of its levels",
    .fits = prefix_shares_fit,
    .build = scan_multi_leader_build,
    .cost = scan_multi_leader_cost,
};
