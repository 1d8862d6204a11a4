/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_scatter_reduce_scatterv.c: all blocks are reduced up a binomial tree
 * to rank 0, and scattered down the same tree. Blocks of any length, any
 * operation.
 *
 * Source: Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005), section 4.6 (as the
 * older way).
 * Cost: 2 ceil(log2 n) latency + (ceil(log2 n) + 1) n blocks / bandwidth; 2 (n
 * - 1) messages: for short blocks, above all where ranks share cores or the
 * operation does not commute.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"
#include "coll/plan/tree.h"

enum { RADIX = 2 };

/* Receives the blocks of this rank's subtree from its parent (rank 0 has them
 * in `all`) and sends all but its own down. */
static void reduce_scatter_reduce_scatterv_scatter(struct plan *plan,
						   const struct shape *shape,
						   int rank, struct ref all,
						   uint32_t after)
{
	int n = shape->size, mine = knomial_size(n, RADIX, rank);
	struct part part = {all, blocks_count(shape, rank, mine), 0};

	if (rank) {
		part.ref = mine > 1 ? ref(plan_tmp(plan, part.count), 0)
				    : ref(BUF_RECV, 0);
		after = plan_recv(plan, knomial_parent(n, RADIX, rank), part,
				  after, 0);
	}
	for (int off = knomial_last(RADIX, mine); off;
	     off = knomial_previous(RADIX, off)) {
		int child = rank + off, below = knomial_size(n, RADIX, child);
		struct part down = {part.ref, blocks_count(shape, child, below),
				    0};

		down.ref.at += blocks_count(shape, rank, off);
		plan_send(plan, child, down, after, 0);
	}
	if (part.ref.buf != BUF_RECV)
		plan_copy(plan, part.ref, ref(BUF_RECV, 0),
			  shape_own(shape, rank), after);
}

static void reduce_scatter_reduce_scatterv_build(struct plan *plan,
						 const struct shape *shape,
						 int rank)
{
	struct embed reduce = {.algorithm = &reduce_binomial,
			       .shape = *shape,
			       .rank = rank,
			       .number = 1};

	reduce.shape.count = blocks_count(shape, 0, shape->size);
	reduce.shape.root = 0;
	reduce.shape.recv = NULL;
	reduce.shape.in_place = false;
	if (!rank)
		reduce.recv = ref(plan_tmp(plan, reduce.shape.count), 0);
	reduce_scatter_reduce_scatterv_scatter(plan, shape, rank, reduce.recv,
					       plan_embed(plan, reduce));
}

static void reduce_scatter_reduce_scatterv_cost(const struct shape *shape,
						struct cost *c)
{
	int n = shape->size;
	double m = blocks_mean(shape), levels = log2_ceil(n);

	c->rounds = 2 * levels;
	c->together = c->rounds - 2 * knomial_depth(n, 2);
	c->bytes = (levels * n + n - 1) * m;
	c->reduced = levels * n * m;
	c->sends = 2.0 * (n - 1);
	c->moved = ((double)n * (n - 1) + blocks_by_tree(n)) * m;
}

const struct algorithm reduce_scatter_reduce_scatterv = {
    .name = "reduce_scatterv",
    .formula = "2 ceil(log2 n) a + (ceil(log2 n) + 1) n m b",
    .fits = blocks_in_order,
    .build = reduce_scatter_reduce_scatterv_build,
    .cost = reduce_scatter_reduce_scatterv_cost,
};
