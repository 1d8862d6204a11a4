/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allgather_board.c: each rank stores its block on its board and copies those
 * of the others from theirs, beginning with its neighbour's. Blocks of any
 * length.
 *
 * In rows of k ranks it takes two stages and fewer loads: first a rank loads
 * the blocks of its row and stores them together; then it loads the other rows
 * from the boards of its column, the ranks with its place there.
 *
 * Source: see board.h.
 * Cost: one latency, a copy of the own block and n - 1 of the others'; in rows
 * one more latency, and a copy of a row.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"
#include "coll/plan/board.h"

static bool allgather_board_fits(const struct shape *shape)
{
	return board_fits(shape,
			  blocks_longest(shape) + board_longest_row(shape));
}

/* Loads the block of each rank to its place in RECV. */
static void load_blocks(struct plan *plan, const struct shape *shape, int rank)
{
	for (int k = 1; k < shape->size; k++) {
		int from = (rank + k) % shape->size;
		struct part its = blocks_one(shape, BUF_RECV, from, 0);
		struct ref to = its.ref;

		its.ref = ref(BUF_BOARD, 0);
		plan_load(plan, from, its, to, 0);
	}
}

/* Loads the blocks of the own row, then the other rows, as parts of a vector in
 * rank order. */
static void load_rows(struct plan *plan, const struct shape *shape, int rank,
		      struct ref vector, uint32_t after)
{
	struct board_ranks in_row = board_row_ranks(shape, rank);
	struct board_ranks column = board_column(shape, rank);
	struct part row = blocks_part(shape, vector, in_row.first, in_row.n, 1);
	uint32_t last = after;

	for (int k = 1; k < in_row.n; k++) {
		int from = in_row.first + (in_row.me + k) % in_row.n;
		struct part its = blocks_part(shape, vector, from, 1, 0);
		struct ref to = its.ref;

		its.ref = ref(BUF_BOARD, 0);
		last = plan_load(plan, from, its, to, last);
	}
	board_show(plan, row, last);
	for (int k = 1; k < column.n; k++) {
		int i = (column.me + k) % column.n;
		struct part its =
		    blocks_part(shape, vector, i * in_row.n, in_row.n, 1);
		struct ref to = its.ref;

		its.ref = ref(BUF_BOARD, 0);
		last = plan_load(plan, column.first + i * column.stride, its,
				 to, last);
	}
	blocks_spread(plan, shape, vector, 0, last);
}

static void allgather_board_build(struct plan *plan, const struct shape *shape,
				  int rank)
{
	struct part own = blocks_one(shape, BUF_RECV, rank, 0);
	bool rows = board_row(shape) < shape->size;
	struct ref vector = rows ? blocks_vector(plan, shape) : own.ref;
	uint32_t there = blocks_own(
	    plan, shape, rank,
	    rows ? blocks_part(shape, vector, rank, 1, 0).ref : own.ref);

	own.ref = ref(BUF_SEND, 0);
	there = board_show(plan, own, there);
	if (rows)
		load_rows(plan, shape, rank, vector, there);
	else
		load_blocks(plan, shape, rank);
}

static void allgather_board_cost(const struct shape *shape, struct cost *c)
{
	int n = shape->size, k = board_row(shape);
	double m = blocks_mean(shape);

	board_cost(k - 1, m, n, m, n, c);
	if (k < n)
		board_cost(n / k - 1, k * m, n, k * m, n, c);
}

const struct algorithm allgather_board = {
    .name = "board",
    BOARD_ARG,
    .board = true,
    .formula = "a + n m b; in rows 2 a + (n + k) m b",
    .fits = allgather_board_fits,
    .build = allgather_board_build,
    .cost = allgather_board_cost,
};
