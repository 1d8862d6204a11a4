/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inter_reduce_scatter.c: each group reduces its whole vector to its first
 * rank; the two first ranks exchange their results, and each sends every rank
 * of its own group that rank's block of the other group's result.
 *
 * Source: the definition.
 * Cost: a reduce of the larger group, a message between the first ranks, and
 * one to each other rank.
 */
#include "coll/plan/blocks.h"
#include "coll/plan/inter/inter.h"

enum { TAG = INTER_OUT * EMBED_TAGS };

static void inter_reduce_scatter_build(struct plan *plan,
				       const struct shape *shape, int rank)
{
	struct side_of_two own = inter_own(shape, rank);
	struct part mine = {ref(BUF_RECV, 0), shape_recv(shape, rank).count,
			    TAG};
	size_t all = blocks_count(shape, 0, shape->size);
	struct ref result, theirs;
	uint32_t done;

	result = inter_reduce_own(plan, shape, rank, all, &done);
	if (rank != own.first) {
		plan_recv(plan, own.first, mine, 0, 0);
		return;
	}
	theirs = own.size > 1 ? ref(plan_tmp(plan, all), 0) : mine.ref;
	done = inter_swap(plan, shape, rank, result, theirs, all, done);
	if (own.size > 1)
		plan_copy(plan, theirs, mine.ref, mine.count, done);
	for (int r = own.first + 1; r < own.first + own.size; r++) {
		struct block b = shape_recv(shape, r);
		struct part part = {ref(theirs.buf, b.at), b.count, TAG};

		plan_send(plan, r, part, done, 0);
	}
}

const struct algorithm inter_reduce_scatter = {
    .name = "inter", .build = inter_reduce_scatter_build};
