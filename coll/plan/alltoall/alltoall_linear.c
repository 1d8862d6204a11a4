/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alltoall_linear.c: every rank sends to every other one, all at once, and
 * begins with its neighbour. In place, it first copies what it sends. Blocks of
 * any length.
 *
 * Source: the definition.
 * Cost: one latency, and n - 1 blocks into and out of each rank; n (n - 1)
 * messages at once: for few ranks or short blocks.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"
#include "coll/plan/exchange.h"

static void alltoall_linear_build(struct plan *plan, const struct shape *shape,
				  int rank)
{
	int n = shape->size;
	struct ref aside = {0};
	uint32_t ready = 0;

	/* in the order in which blocks are sent */
	if (shape->in_place)
		aside = blocks_save(plan, shape, rank + 1, &ready);
	exchange_own(plan, shape, rank);
	for (int k = 1; k < n; k++) {
		struct part out = exchange_out(shape, (rank + k) % n);

		if (shape->in_place) {
			out.ref = aside;
			aside.at += out.count;
		}
		exchange_recv(plan, shape, (rank - k + n) % n, ready);
		plan_send(plan, (rank + k) % n, out, ready, 0);
	}
}

static void alltoall_linear_cost(const struct shape *shape, struct cost *c)
{
	cost_all_pairs(shape->size, shape_bytes(shape), c);
	c->together = shape->size > 1 ? shape->size - 2 : 0;
}

const struct algorithm alltoall_linear = {
    .name = "linear",
    .formula = "a + (n - 1) m b",
    .build = alltoall_linear_build,
    .cost = alltoall_linear_cost,
};
