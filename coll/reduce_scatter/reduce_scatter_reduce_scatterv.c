/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_scatter_reduce_scatterv.c: all blocks are reduced up a binomial tree
 * to rank 0, and scattered down the same tree. Blocks of any length, any
 * operation.
 *
 * Source: Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005), section 4.6 (as the
 * older way).
 * Cost: 2 ceil(log2 n) latency + (ceil(log2 n) + 1) n blocks / bandwidth;
 * 2 (n - 1) messages: for short blocks, above all where ranks share cores or
 * the operation does not commute.
 */
#include "coll/algorithms.h"
#include "coll/blocks.h"

/* Blocks from this rank's own on come from above, all but its own go down. */
static void scatter(struct plan *plan, const struct shape *shape, int rank,
		    struct ref all, uint32_t after)
{
	int n = shape->size, low = 1, end;
	struct part part;

	while (low < n && !(rank & low))
		low *= 2;
	end = low < n - rank ? rank + low : n;
	part = blocks_part(shape, all, rank, end - rank, 0);
	if (rank) {
		part.ref = ref(BUF_RECV, 0);
		if (end > rank + 1)
			part.ref = ref(plan_tmp(plan, part.count), 0);
		after = plan_recv(plan, rank - low, part, after, 0);
	}
	for (low /= 2; low; low /= 2) {
		int child = rank + low,
		    stop = child + low < n ? child + low : n;
		struct part down = part;

		if (child >= n)
			continue;
		down.ref.at += blocks_count(shape, rank, low);
		down.count = blocks_count(shape, child, stop - child);
		plan_send(plan, child, down, after, 0);
	}
	if (part.ref.buf != BUF_RECV)
		plan_copy(plan, part.ref, ref(BUF_RECV, 0),
			  shape_own(shape, rank), after);
}

static void build(struct plan *plan, const struct shape *shape, int rank)
{
	struct embed reduce = {.algorithm = &reduce_binomial,
			       .shape = *shape,
			       .rank = rank,
			       .number = 1};

	reduce.shape.count = blocks_count(shape, 0, shape->size);
	reduce.shape.recv = NULL;
	reduce.shape.in_place = false;
	if (!rank)
		reduce.recv = ref(plan_tmp(plan, reduce.shape.count), 0);
	scatter(plan, shape, rank, reduce.recv, plan_embed(plan, reduce));
}

static void cost(const struct shape *shape, struct cost *c)
{
	int n = shape->size;
	double m = blocks_mean(shape), levels = log2_ceil(n);

	c->rounds = 2 * levels;
	c->bytes = (levels * n + n - 1) * m;
	c->reduced = levels * n * m;
	c->sends = 2.0 * (n - 1);
	c->moved = ((double)n * (n - 1) + blocks_by_tree(n)) * m;
}

const struct algorithm reduce_scatter_reduce_scatterv = {
    .name = "reduce_scatterv",
    .formula = "2 ceil(log2 n) a + (ceil(log2 n) + 1) n m b",
    .fits = blocks_in_order,
    .build = build,
    .cost = cost,
};
