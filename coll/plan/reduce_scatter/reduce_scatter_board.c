/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_scatter_board.c: each rank stores its vector on its board and reduces
 * its own block from all boards, beginning with its own board, or in rank order
 * if that matters. Blocks of any length.
 *
 * In rows of k ranks it takes two stages and fewer loads: first a rank reduces
 * the blocks of its row from the boards of its column, the ranks with its place
 * in the other rows; then its own block from these sums of its row.
 *
 * Source: see board.h.
 * Cost: one latency, a copy of the vector, and n - 1 reductions of a block; in
 * rows two latencies, n / k - 1 reductions of a row, and k - 1 of a block.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"
#include "coll/plan/board.h"

static bool reduce_scatter_board_fits(const struct shape *shape)
{
	size_t row = board_longest_row(shape);

	return board_fits(shape, blocks_count(shape, 0, shape->size) + row) &&
	       (!row || shape->commutative);
}

/* Reduces `part` of what the ranks have posted, where this rank has `mine`, to
 * `dst`. Returns the last step. */
static uint32_t sum_up(struct plan *plan, const struct shape *shape,
		       struct board_ranks ranks, struct part part,
		       struct ref mine, struct ref dst, uint32_t after)
{
	struct operands o = {.right = dst, .dst = dst};
	int first = shape->commutative ? ranks.me : 0;

	for (int k = 0; k < ranks.n; k++) {
		int i = (first + k) % ranks.n;
		int from = ranks.first + i * ranks.stride;

		if (i == ranks.me && !k)
			after = plan_copy(plan, mine, dst, part.count, after);
		else if (i == ranks.me)
			after = plan_reduce(
			    plan, (struct operands){dst, mine, dst, part.count},
			    after, 0);
		else if (!k)
			after = plan_load(plan, from, part, dst, after);
		else
			after =
			    plan_load_reduce(plan, from, part, o, true, after);
	}
	return after;
}

static void reduce_scatter_board_build(struct plan *plan,
				       const struct shape *shape, int rank)
{
	int n = shape->size, k = board_row(shape), first = rank / k * k;
	struct part all = {.count = blocks_count(shape, 0, n)};
	struct part own = {ref(BUF_BOARD, blocks_count(shape, 0, rank)),
			   shape_own(shape, rank), 0};
	uint32_t last;

	all.ref = plan_board(plan, all.count);
	last = plan_post(plan, all, blocks_collect(plan, shape, all.ref, 0));
	if (k < n) {
		struct part row = {
		    ref(BUF_BOARD, blocks_count(shape, 0, first)),
		    blocks_count(shape, first, k), 0};
		struct part sum = {plan_board(plan, row.count), row.count, 1};

		last = sum_up(plan, shape, board_column(shape, rank), row,
			      ref(BUF_BOARD, all.ref.at + row.ref.at), sum.ref,
			      last);
		last = plan_post(plan, sum, last);
		own.ref.at -= row.ref.at;
		own.tag = sum.tag;
		all.ref = sum.ref;
	}
	sum_up(plan, shape, board_row_ranks(shape, rank), own,
	       ref(BUF_BOARD, all.ref.at + own.ref.at), ref(BUF_RECV, 0), last);
}

static void reduce_scatter_board_cost(const struct shape *shape, struct cost *c)
{
	int n = shape->size, k = board_row(shape), rows = n / k;
	double m = blocks_mean(shape);

	board_cost(k - 1, m, n, n * m, n, c);
	board_cost(rows - 1, k * m, n, 0, 0, c);
	/* three quarters go on while the operands come */
	c->reduced += (n - 1) * m / 4;
}

const struct algorithm reduce_scatter_board = {
    .name = "board",
    BOARD_ARG,
    .board = true,
    .formula = "a + (2 n - 1) m b + (n - 1) m c; in rows 2 a",
    .fits = reduce_scatter_board_fits,
    .build = reduce_scatter_board_build,
    .cost = reduce_scatter_board_cost,
};
