/* SPDX-License-Identifier: Apache-2.0 */
/* board.c: what the algorithms on boards have in common. */
#include "coll/plan/board.h"

#include "coll/plan/topology.h"

enum { PIECE = 4096 };

bool board_fits(const struct shape *shape, size_t count)
{
	return shape->board && count <= shape->board / shape->type_size &&
	       (!shape->topo || shape->topo->nodes == 1);
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
