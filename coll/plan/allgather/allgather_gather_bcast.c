/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allgather_gather_bcast.c: the blocks are gathered up a binomial tree to rank
 * 0, and all of them are broadcast down the same tree. Blocks of any length.
 *
 * Source: R. van de Geijn, "On global combine operations", JPDC 22 (1994), for
 * short vectors.
 * Cost: 2 ceil(log2 n) latency + (1 + ceil(log2 n)) n blocks / bandwidth. It
 * has the fewest messages, 2 (n - 1), which counts for short blocks where ranks
 * share cores.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"
#include "coll/plan/tree.h"

enum { RADIX = 2 };

/* Returns the blocks of v's subtree. */
static struct part allgather_gather_bcast_subtree(const struct shape *shape,
						  struct ref all, int v)
{
	return blocks_part(shape, all, v, knomial_size(shape->size, RADIX, v),
			   0);
}

/* Returns the step after which this rank's part is done: rank 0 has all blocks,
 * or the blocks of the subtree are sent. */
static uint32_t allgather_gather_bcast_gather(struct plan *plan,
					      const struct shape *shape,
					      int rank, struct ref all)
{
	int n = shape->size, size = knomial_size(n, RADIX, rank);
	struct part own = blocks_part(shape, all, rank, 1, 0);
	uint32_t have = blocks_own(plan, shape, rank, own.ref), got;

	for (int off = 1; off < size; off = knomial_next(RADIX, off)) {
		got = plan_recv(
		    plan, rank + off,
		    allgather_gather_bcast_subtree(shape, all, rank + off), 0,
		    0);
		have = plan_join(plan, have, got);
	}
	if (!rank)
		return have;
	return plan_send(plan, knomial_parent(n, RADIX, rank),
			 allgather_gather_bcast_subtree(shape, all, rank), have,
			 0);
}

static void allgather_gather_bcast_build(struct plan *plan,
					 const struct shape *shape, int rank)
{
	struct ref all = blocks_vector(plan, shape);
	struct embed bcast = {.algorithm = &bcast_binomial,
			      .shape = *shape,
			      .rank = rank,
			      .recv = all,
			      .number = 1};

	bcast.shape.count = blocks_count(shape, 0, shape->size);
	bcast.shape.root = 0;
	bcast.shape.recv = NULL;
	bcast.shape.in_place = false;
	bcast.after = allgather_gather_bcast_gather(plan, shape, rank, all);
	blocks_spread(plan, shape, all, 0, plan_embed(plan, bcast));
}

static void allgather_gather_bcast_cost(const struct shape *shape,
					struct cost *c)
{
	int n = shape->size;
	double m = blocks_mean(shape);

	c->rounds = 2 * log2_ceil(n);
	c->together = c->rounds - 2 * knomial_depth(n, 2);
	c->bytes = (n - 1 + (double)log2_ceil(n) * n) * m;
	c->sends = 2.0 * (n - 1);
	c->moved = ((double)(n - 1) * n + blocks_by_tree(n)) * m;
}

const struct algorithm allgather_gather_bcast = {
    .name = "gather_bcast",
    .formula = "2 ceil(log2 n) a + (n - 1 + ceil(log2 n) n) m b",
    .build = allgather_gather_bcast_build,
    .cost = allgather_gather_bcast_cost,
};
