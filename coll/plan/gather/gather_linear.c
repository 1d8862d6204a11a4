/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gather_linear.c: every rank sends its block to the root. Blocks of any
 * length, which only the root knows.
 *
 * Source: the basic gather of MPI libraries.
 * Cost: n - 1 messages, all at the root; no block moves twice: the best for
 * long blocks.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

static void gather_linear_build(struct plan *plan, const struct shape *shape,
				int rank)
{
	struct part own = {ref(BUF_SEND, 0), shape->count, 0};

	if (rank != shape->root) {
		plan_send(plan, shape->root, own, 0, 0);
		return;
	}
	for (int r = 0; r < shape->size; r++) {
		struct block b = shape_recv(shape, r);
		struct part block = {ref(BUF_RECV, b.at), b.count, 0};

		if (r == rank)
			plan_copy(plan, own.ref, block.ref, b.count, 0);
		else
			plan_recv(plan, r, block, 0, 0);
	}
}

const struct algorithm gather_linear = {
    .name = "linear",
    .formula = "(n - 1) (a + m b)",
    .build = gather_linear_build,
    .cost = tree_cost_flat,
};
