/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scatter_linear.c: the root sends every rank its block. Blocks of any length,
 * which only the root knows.
 *
 * Source: the basic scatter of MPI libraries.
 * Cost: n - 1 messages, all from the root; no block moves twice: the best for
 * long blocks.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

static void scatter_linear_build(struct plan *plan, const struct shape *shape,
				 int rank)
{
	struct part own = {ref(BUF_RECV, 0), shape->count, 0};

	if (rank != shape->root) {
		plan_recv(plan, shape->root, own, 0, 0);
		return;
	}
	for (int r = 0; r < shape->size; r++) {
		struct block b = shape_send(shape, r);
		struct part block = {ref(BUF_SEND, b.at), b.count, 0};

		if (r == rank)
			plan_copy(plan, block.ref, own.ref, b.count, 0);
		else
			plan_send(plan, r, block, 0, 0);
	}
}

static void scatter_linear_cost(const struct shape *shape, struct cost *c)
{
	tree_cost_flat(shape, c);
	c->sent = c->together;
}

const struct algorithm scatter_linear = {
    .name = "linear",
    .formula = "(n - 1) (a + m b)",
    .build = scatter_linear_build,
    .cost = scatter_linear_cost,
};
