/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allgather_linear.c: every rank sends its block to every other one, all at
 * once, and begins with its neighbour. Blocks of any length.
 *
 * Source: the definition.
 * Cost: one latency, and n - 1 blocks into and out of each rank; n (n - 1)
 * messages: for few ranks, where a fabric takes many messages at once.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"

static void allgather_linear_build(struct plan *plan, const struct shape *shape,
				   int rank)
{
	int n = shape->size;
	struct part own = blocks_one(shape, BUF_RECV, rank, 0);

	blocks_own(plan, shape, rank, own.ref);
	own.ref = ref(BUF_SEND, 0);
	for (int k = 1; k < n; k++) {
		int from = (rank - k + n) % n;

		plan_recv(plan, from, blocks_one(shape, BUF_RECV, from, 0), 0,
			  0);
		plan_send(plan, (rank + k) % n, own, 0, 0);
	}
}

static void allgather_linear_cost(const struct shape *shape, struct cost *c)
{
	cost_all_pairs(shape->size, blocks_mean(shape), c);
	c->together = shape->size > 1 ? shape->size - 2 : 0;
	c->peers = shape->size - 1;
}

const struct algorithm allgather_linear = {
    .name = "linear",
    .formula = "a + (n - 1) m b",
    .build = allgather_linear_build,
    .cost = allgather_linear_cost,
};
