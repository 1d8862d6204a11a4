/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bcast_bine.c: the vector goes down a Bine tree: the messages of a binomial
 * tree, of which fewer leave a group of near ranks. The child with the largest
 * subtree is served first.
 *
 * Source: D. De Sensi et al., "Bine trees: enhancing collective operations by
 * optimizing communication locality", SC 2025 (arXiv 2508.17311).
 * Cost: that of a binomial tree, which knows no distances; for networks whose
 * links between groups of nodes are the bottleneck.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/bine.h"

static void bcast_bine_build(struct plan *plan, const struct shape *shape,
			     int rank)
{
	struct subtree t = bine_subtree(shape, rank);
	struct part all = {ref(BUF_RECV, 0), shape->count, 0};
	uint32_t got = 0;

	if (t.parent >= 0)
		got = plan_recv(plan, t.parent, all, 0, 0);
	for (int i = 0; i < t.nchildren; i++)
		plan_send(plan, t.children[i].rank, all, got, 0);
}

static void bcast_bine_cost(const struct shape *shape, struct cost *c)
{
	bcast_binomial.cost(shape, c);
}

const struct algorithm bcast_bine = {
    .name = "bine",
    .formula = "ceil(log2 n) (a + m b)",
    .build = bcast_bine_build,
    .cost = bcast_bine_cost,
};
