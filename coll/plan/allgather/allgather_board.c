/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allgather_board.c: each rank stores its block on its board and copies those
 * of the others from theirs, beginning with its neighbour's. Blocks of any
 * length.
 *
 * Source: see board.h.
 * Cost: one latency, a copy of the own block and n - 1 of the others'.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"
#include "coll/plan/board.h"

static bool fits(const struct shape *shape)
{
	return board_fits(shape, blocks_longest(shape));
}

static void build(struct plan *plan, const struct shape *shape, int rank)
{
	struct part own = blocks_one(shape, BUF_RECV, rank, 0);

	blocks_own(plan, shape, rank, own.ref);
	own.ref = ref(BUF_SEND, 0);
	board_show(plan, own, 0);
	for (int k = 1; k < shape->size; k++) {
		int from = (rank + k) % shape->size;
		struct part its = blocks_one(shape, BUF_RECV, from, 0);
		struct ref to = its.ref;

		its.ref = ref(BUF_BOARD, 0);
		plan_load(plan, from, its, to, 0);
	}
}

static void cost(const struct shape *shape, struct cost *c)
{
	int n = shape->size;
	double m = blocks_mean(shape);

	board_cost(n - 1, m, n, m, n, c);
}

const struct algorithm allgather_board = {
    .name = "board",
    .board = true,
    .formula = "a + n m b",
    .fits = fits,
    .build = build,
    .cost = cost,
};
