/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inter_reduce.c: the sending group reduces to its first rank, which sends the
 * result to the root.
 *
 * Source: the definition.
 * Cost: a reduce of the sending group, and a message.
 */
#include "coll/plan/inter/inter.h"

static void inter_reduce_build(struct plan *plan, const struct shape *shape,
			       int rank)
{
	struct side_of_two from;
	struct ref result;
	uint32_t reduced;

	if (shape->root < 0)
		return;
	from = inter_other(shape, shape->root);
	if (rank == shape->root) {
		plan_recv(plan, from.first,
			  inter_message(ref(BUF_RECV, 0), shape->count), 0, 0);
		return;
	}
	result = inter_reduce_own(plan, shape, rank, shape->count, &reduced);
	if (rank == from.first)
		plan_send(plan, shape->root,
			  inter_message(result, shape->count), reduced, 0);
}

const struct algorithm inter_reduce = {.name = "inter",
				       .build = inter_reduce_build};
