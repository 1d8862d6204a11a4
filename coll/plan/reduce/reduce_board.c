/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_board.c: each rank but the root stores its vector on its board, and
 * the root reduces from all of them, in rank order.
 *
 * Source: see board.h.
 * Cost: one latency, one copy, and n - 1 reductions of the vector by the root:
 * for short vectors.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/board.h"

static bool reduce_board_fits(const struct shape *shape)
{
	return board_fits(shape, shape->count);
}

/* Builds the sum in a temporary until the root's own vector, which may lie in
 * RECV, has been used. */
static void reduce_board_collect(struct plan *plan, const struct shape *shape)
{
	struct part its = {ref(BUF_BOARD, 0), shape->count, 0};
	struct operands o = {.right = ref(BUF_SEND, 0),
			     .dst = ref(BUF_RECV, 0),
			     .count = shape->count};
	uint32_t sum = 0;

	if (shape->root) {
		o.dst = o.right = ref(plan_tmp(plan, o.count), 0);
		sum = plan_load(plan, 0, its, o.dst, 0);
	}
	for (int r = 1; r < shape->size; r++) {
		if (r == shape->root) {
			o.left = o.right;
			o.right = ref(BUF_SEND, 0);
			o.dst = ref(BUF_RECV, 0);
			sum = plan_reduce(plan, o, sum, 0);
		} else {
			sum = plan_load_reduce(plan, r, its, o, true, sum);
		}
		o.right = o.dst;
	}
}

static void reduce_board_build(struct plan *plan, const struct shape *shape,
			       int rank)
{
	if (plan_alone(plan, shape))
		return;
	if (rank == shape->root)
		reduce_board_collect(plan, shape);
	else
		board_show(plan,
			   (struct part){ref(BUF_SEND, 0), shape->count, 0}, 0);
}

static void reduce_board_cost(const struct shape *shape, struct cost *c)
{
	int n = shape->size;
	double m = shape_bytes(shape);

	board_cost(n - 1, m, 1, m, n - 1, c);
	/* three quarters go on while the operands come */
	c->reduced += (n - 1) * m / 4;
}

const struct algorithm reduce_board = {
    .name = "board",
    .board = true,
    .formula = "a + n m b + (n - 1) m c",
    .fits = reduce_board_fits,
    .build = reduce_board_build,
    .cost = reduce_board_cost,
};
