/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allgather_bine.c: as by recursive doubling a rank exchanges what it has with
 * one partner in each round, here that of a Bine butterfly, from the farthest
 * to the nearest, which gets half of all blocks. What a rank has are blocks of
 * ranks here and there; they lie in a temporary, in an order in which they are
 * next to each other, and are copied to their places at the end. Numbers of
 * ranks that are no power of two are folded first. Blocks of any length.
 *
 * Source: D. De Sensi et al., "Bine trees: enhancing collective operations by
 * optimizing communication locality", SC 2025 (arXiv 2508.17311).
 * Cost: log2 n latency + (n - 1) blocks / bandwidth, and a copy; a fold adds
 * two rounds, one of them with all blocks.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"
#include "coll/plan/halving.h"

/* An extra rank sends its block and gets all. */
static uint32_t hand_over(struct plan *plan, const struct shape *shape,
			  int rank, struct part all)
{
	struct part own = {ref(BUF_SEND, 0), shape_own(shape, rank), FOLD_TAG};
	uint32_t sent = plan_send(plan, rank ^ 1, own, 0, 0);

	return plan_recv(plan, rank ^ 1, all, sent, 0);
}

/* Returns the step after which a rank that stays has all blocks. */
static uint32_t allgather_bine_exchange(struct plan *plan,
					const struct shape *shape, int rank,
					struct halving *h, struct part all)
{
	int extra = fold_extra(&h->fold, rank);
	uint32_t got = 0, done;

	halving_begin(h, rank, all.count);
	if (extra >= 0)
		got = plan_recv(plan, extra, halving_block(h, extra, FOLD_TAG),
				0, 0);
	h->ready = plan_join(
	    plan, got,
	    blocks_own(plan, shape, rank, halving_block(h, rank, 0).ref));
	done = halving_allgather(plan, h);
	if (extra >= 0)
		plan_send(plan, extra, all, done, 0);
	return done;
}

static void allgather_bine_build(struct plan *plan, const struct shape *shape,
				 int rank)
{
	size_t count = blocks_count(shape, 0, shape->size);
	struct halving h = {.fold = fold_make(shape->size, -1),
			    .bine = true,
			    .acc = ref(plan_tmp(plan, count), 0),
			    .blocks = shape};
	struct part all = {h.acc, count, UNFOLD_TAG};
	uint32_t done;

	if (fold_number(&h.fold, rank) < 0)
		done = hand_over(plan, shape, rank, all);
	else
		done = allgather_bine_exchange(plan, shape, rank, &h, all);
	halving_unsort(plan, &h, h.acc, BUF_RECV, done);
}

static void allgather_bine_cost(const struct shape *shape, struct cost *c)
{
	double all = shape->size * blocks_mean(shape);

	allgather_recursive_doubling.cost(shape, c);
	c->packed = cost_packed(all, all);
	c->reach = REACH_NEAR;
}

const struct algorithm allgather_bine = {
    .name = "bine",
    .formula = "log2 n a + (n - 1) m b",
    .build = allgather_bine_build,
    .cost = allgather_bine_cost,
};
