/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allgather_recursive_doubling.c: in round k a rank exchanges the 2^k blocks it
 * has with the rank whose number differs in bit k. Numbers of ranks that are no
 * power of two are folded first. Blocks of any length.
 *
 * Source: Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005), section 4.1.
 * Cost: log2 n latency + (n - 1) blocks / bandwidth, without copies; a fold
 * adds two rounds, one of them with all blocks. For powers of two.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"
#include "coll/plan/fold.h"

/* Returns the blocks of the ranks for which the 2^k numbers around this one
 * stand. */
static struct part allgather_recursive_doubling_group(const struct shape *shape,
						      const struct fold *fold,
						      struct ref all,
						      int number, int k)
{
	int low = number >> k << k, first = fold_first(fold, low);

	return blocks_part(shape, all, first,
			   fold_first(fold, low + (1 << k)) - first,
			   (unsigned)(FOLDED_TAGS + k));
}

/* An extra rank sends its block and gets all. */
static uint32_t hand_over(struct plan *plan, const struct shape *shape,
			  int rank, struct part all)
{
	struct part own = {ref(BUF_SEND, 0), shape_own(shape, rank), FOLD_TAG};
	uint32_t sent = plan_send(plan, rank ^ 1, own, 0, 0);

	return plan_recv(plan, rank ^ 1, all, sent, 0);
}

/* Returns the step after which a rank that stays has all blocks. */
static uint32_t allgather_recursive_doubling_exchange(struct plan *plan,
						      const struct shape *shape,
						      int rank,
						      const struct fold *fold,
						      struct ref all)
{
	int me = fold_number(fold, rank), extra = fold_extra(fold, rank);
	struct part own = blocks_part(shape, all, rank, 1, FOLD_TAG);
	uint32_t got = blocks_own(plan, shape, rank, own.ref), sent = 0;

	if (extra >= 0)
		sent = plan_recv(plan, extra,
				 blocks_part(shape, all, extra, 1, FOLD_TAG), 0,
				 0);
	for (int k = 0; 1 << k < fold->stay; k++) {
		int peer = fold_rank(fold, me ^ (1 << k));

		/* the previous send waited for what came earlier */
		sent = plan_send(
		    plan, peer,
		    allgather_recursive_doubling_group(shape, fold, all, me, k),
		    got, sent);
		got = plan_recv(plan, peer,
				allgather_recursive_doubling_group(
				    shape, fold, all, me ^ (1 << k), k),
				0, 0);
	}
	return plan_join(plan, got, sent);
}

static void allgather_recursive_doubling_build(struct plan *plan,
					       const struct shape *shape,
					       int rank)
{
	struct fold fold = fold_make(shape->size, -1);
	struct ref vector = blocks_vector(plan, shape);
	struct part all =
	    blocks_part(shape, vector, 0, shape->size, UNFOLD_TAG);
	uint32_t done;

	if (fold_number(&fold, rank) < 0) {
		done = hand_over(plan, shape, rank, all);
	} else {
		done = allgather_recursive_doubling_exchange(plan, shape, rank,
							     &fold, vector);
		if (fold_extra(&fold, rank) >= 0)
			plan_send(plan, rank ^ 1, all, done, 0);
	}
	blocks_spread(plan, shape, vector, 0, done);
}

static void allgather_recursive_doubling_cost(const struct shape *shape,
					      struct cost *c)
{
	struct fold fold = fold_make(shape->size, -1);
	double n = shape->size, p = fold.stay, levels = log2_ceil(fold.stay);
	double m = blocks_mean(shape), folds = fold.pairs > 0;

	c->rounds = levels + 2 * folds;
	c->bytes = (n - 1 + folds * n) * m;
	c->sends = p * levels + 2.0 * fold.pairs;
	c->moved = (n * (p - 1) + fold.pairs * (n + 1)) * m;
	c->reach = REACH_LONGER;
}

const struct algorithm allgather_recursive_doubling = {
    .name = "recursive_doubling",
    .formula = "log2 n a + (n - 1) m b",
    .build = allgather_recursive_doubling_build,
    .cost = allgather_recursive_doubling_cost,
};
