/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bcast_board.c: the root stores the vector on its board, and all others copy
 * it from there at the same time.
 *
 * Source: see board.h.
 * Cost: one latency and two copies. The CPUs get the line of the post one after
 * the other, in a third of the time that a message takes of its receiver.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/board.h"

static bool bcast_board_fits(const struct shape *shape)
{
	return board_fits(shape, shape->count);
}

static void bcast_board_build(struct plan *plan, const struct shape *shape,
			      int rank)
{
	struct ref recv = ref(BUF_RECV, 0);

	if (shape->size == 1)
		return;
	if (rank == shape->root)
		board_show(plan, (struct part){recv, shape->count, 0}, 0);
	else
		plan_load(plan, shape->root,
			  (struct part){ref(BUF_BOARD, 0), shape->count, 0},
			  recv, 0);
}

static void bcast_board_cost(const struct shape *shape, struct cost *c)
{
	double m = shape_bytes(shape), readers = shape->size - 1;

	board_cost(1, m, shape->size - 1, m, 1, c);
	c->rounds += readers / 3;
	c->together += readers / 3;
}

const struct algorithm bcast_board = {
    .name = "board",
    .board = true,
    .formula = "a + 2 m b",
    .fits = bcast_board_fits,
    .build = bcast_board_build,
    .cost = bcast_board_cost,
};
