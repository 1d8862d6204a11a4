/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_scatter_board.c: each rank stores its vector on its board and reduces
 * its own block from all boards, beginning with its own board, or in rank order
 * if that matters. Blocks of any length.
 *
 * Source: see board.h.
 * Cost: one latency, a copy of the vector, and n - 1 reductions of a block.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"
#include "coll/plan/board.h"

static bool fits(const struct shape *shape)
{
	return board_fits(shape, blocks_count(shape, 0, shape->size));
}

/* Stores the blocks on the board in rank order. */
static uint32_t show(struct plan *plan, const struct shape *shape,
		     struct part all)
{
	uint32_t stored = 0;

	for (int i = 0; i < shape->size; i++) {
		struct part to = blocks_part(shape, all.ref, i, 1, 0);

		stored = plan_copy(plan, blocks_one(shape, BUF_SEND, i, 0).ref,
				   to.ref, to.count, stored);
	}
	return plan_post(plan, all, stored);
}

static void build(struct plan *plan, const struct shape *shape, int rank)
{
	int n = shape->size, first = shape->commutative ? rank : 0;
	struct part all = {.count = blocks_count(shape, 0, n)};
	struct part own = {ref(BUF_BOARD, blocks_count(shape, 0, rank)),
			   shape_own(shape, rank), 0};
	struct operands o = {.right = ref(BUF_RECV, 0),
			     .dst = ref(BUF_RECV, 0)};
	struct ref mine;
	uint32_t sum;

	all.ref = plan_board(plan, all.count);
	mine = ref(BUF_BOARD, all.ref.at + own.ref.at);
	sum = show(plan, shape, all);
	for (int k = 0; k < n; k++) {
		int from = (first + k) % n;

		if (from == rank && !k)
			sum = plan_copy(plan, mine, o.dst, own.count, sum);
		else if (from == rank)
			sum = plan_reduce(
			    plan,
			    (struct operands){o.dst, mine, o.dst, own.count},
			    sum, 0);
		else if (!k)
			sum = plan_load(plan, from, own, o.dst, sum);
		else
			sum = plan_load_reduce(plan, from, own, o, true, sum);
	}
}

static void cost(const struct shape *shape, struct cost *c)
{
	int n = shape->size;
	double m = blocks_mean(shape);

	board_cost(n - 1, m, n, n * m, n, c);
	c->reduced += (n - 1) * m;
}

const struct algorithm reduce_scatter_board = {
    .name = "board",
    .board = true,
    .formula = "a + (2 n - 1) m b + (n - 1) m c",
    .fits = fits,
    .build = build,
    .cost = cost,
};
