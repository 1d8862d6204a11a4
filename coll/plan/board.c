/* SPDX-License-Identifier: Apache-2.0 */
/* board.c: what the algorithms on boards have in common. */
#include "coll/plan/board.h"

#include "coll/plan/blocks.h"
#include "coll/plan/topology.h"

enum { PIECE = 4096 };

bool board_fits(const struct shape *shape, size_t count)
{
	return shape->board && count <= shape->board / shape->type_size &&
	       (!shape->topo || shape->topo->nodes == 1);
}

const size_t board_tries[] = {4, 8, 0};

int board_row(const struct shape *shape)
{
	size_t n = (size_t)shape->size;

	return n % shape->arg == 0 ? (int)shape->arg : shape->size;
}

size_t board_longest_row(const struct shape *shape)
{
	int k = board_row(shape);
	size_t longest = 0;

	for (int i = 0; i < shape->size && k < shape->size; i += k) {
		size_t row = blocks_count(shape, i, k);

		longest = row > longest ? row : longest;
	}
	return longest;
}

struct board_ranks board_row_ranks(const struct shape *shape, int rank)
{
	int k = board_row(shape);

	return (struct board_ranks){rank / k * k, 1, k, rank % k};
}

struct board_ranks board_column(const struct shape *shape, int rank)
{
	int k = board_row(shape);

	return (struct board_ranks){rank % k, k, shape->size / k, rank / k};
}

uint32_t board_show(struct plan *plan, struct part part, uint32_t after)
{
	struct part shown = {plan_board(plan, part.count), part.count,
			     part.tag};
	uint32_t stored =
	    plan_copy(plan, part.ref, shown.ref, part.count, after);

	return plan_post(plan, shown, stored);
}

/* A message is copied at both ends, what is loaded or stored once: it counts as
 * half of a message. A rank waits for others before its first load. Loads that
 * are long count as several messages, since none is by rendezvous. */
void board_cost(double loads, double bytes, int n, double shown, int shows,
		struct cost *cost)
{
	double pieces =
	    loads * (bytes > PIECE ? bytes / PIECE : 1) + shown / PIECE;
	double more = pieces > 1 ? (pieces - 1) / 2 : 0;

	cost->rounds += (loads > 0) + more;
	cost->together += more;
	cost->bytes += (loads * bytes + shown) / 2;
	cost->sends += n * pieces / 2;
	cost->moved += (n * loads * bytes + shows * shown) / 2;
}
