/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inter_allreduce.c: each group reduces to its first rank; the two first ranks
 * exchange their results, and each broadcasts the other group's result in its
 * own group.
 *
 * Source: the definition.
 * Cost: a reduce and a bcast of the larger group, and a message.
 */
#include "coll/plan/inter/inter.h"

static void inter_allreduce_build(struct plan *plan, const struct shape *shape,
				  int rank)
{
	struct inter_embed out = {.collective = COLL_BCAST,
				  .group = inter_own(shape, rank),
				  .extra = -1,
				  .count = shape->count,
				  .recv = ref(BUF_RECV, 0),
				  .number = INTER_OUT};
	uint32_t reduced;
	struct ref result =
	    inter_reduce_own(plan, shape, rank, shape->count, &reduced);

	if (rank == out.group.first)
		out.after = inter_swap(plan, shape, rank, result, out.recv,
				       shape->count, reduced);
	if (out.group.size > 1)
		inter_embed(plan, shape, rank, &out);
}

const struct algorithm inter_allreduce = {.name = "inter",
					  .build = inter_allreduce_build};
