/* SPDX-License-Identifier: Apache-2.0 */
/* exchange.c: the messages of alltoall and alltoallv. */
#include "coll/plan/exchange.h"

static struct part exchange_part(uint8_t buf, struct block b)
{
	return (struct part){ref(buf, b.at), b.count, 0};
}

struct part exchange_out(const struct shape *shape, int i)
{
	return exchange_part(BUF_SEND, shape->in_place ? shape_recv(shape, i)
						       : shape_send(shape, i));
}

/* Returns the place in RECV of the block that rank i sends. */
static struct part block_from(const struct shape *shape, int i)
{
	return exchange_part(BUF_RECV, shape_recv(shape, i));
}

uint32_t exchange_recv(struct plan *plan, const struct shape *shape, int from,
		       uint32_t after)
{
	return plan_recv(plan, from, block_from(shape, from), after, 0);
}

void exchange_own(struct plan *plan, const struct shape *shape, int rank)
{
	struct part out = exchange_out(shape, rank);

	if (!shape->in_place)
		plan_copy(plan, out.ref, block_from(shape, rank).ref, out.count,
			  0);
}
