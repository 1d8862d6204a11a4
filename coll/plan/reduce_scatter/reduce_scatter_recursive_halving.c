/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_scatter_recursive_halving.c: in each round a rank gives one half of
 * the blocks that it still works on to a partner and reduces the other half
 * with what it receives. The farthest partner comes first, so that block b ends
 * at rank b. Numbers of ranks that are no power of two are folded first. Blocks
 * of any length.
 *
 * Source: Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005), section 4.6.
 * Cost: log2 n latency + (n - 1) blocks (/ bandwidth + of reduction); a fold
 * adds two rounds, one of them with all blocks. Commutative operations.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"
#include "coll/plan/halving.h"

/* An extra rank sends all and receives its block. */
static void hand_over(struct plan *plan, int peer, struct part all, size_t own)
{
	struct part block = {ref(BUF_RECV, 0), own, UNFOLD_TAG};
	uint32_t sent = plan_send(plan, peer, all, 0, 0);

	plan_recv(plan, peer, block, sent, 0);
}

/* Sends the extra rank its block, and copies the own one to RECV. */
static void hand_out(struct plan *plan, const struct shape *shape, int rank,
		     const struct halving *h)
{
	int extra = fold_extra(&h->fold, rank);
	struct part own = halving_block(h, rank, 0);

	if (extra >= 0)
		plan_send(plan, extra, halving_block(h, extra, UNFOLD_TAG),
			  h->ready, 0);
	/* in place the first send reads RECV */
	plan_copy(plan, own.ref, ref(BUF_RECV, 0), own.count,
		  plan_join(plan, h->ready, h->sent[0]));
}

static void reduce_scatter_by_halves(struct plan *plan,
				     const struct shape *shape, int rank,
				     bool bine)
{
	struct shape whole = *shape;
	struct halving h = {
	    .fold = fold_make(shape->size, -1), .bine = bine, .blocks = shape};
	struct part all = {ref(BUF_SEND, 0), 0, FOLD_TAG};

	all.count = whole.count = blocks_count(shape, 0, shape->size);
	if (shape->size == 1) {
		plan_copy(plan, all.ref, ref(BUF_RECV, 0), all.count, 0);
	} else if (fold_number(&h.fold, rank) < 0) {
		hand_over(plan, rank ^ 1, all, shape_own(shape, rank));
	} else {
		h.acc = ref(plan_tmp(plan, all.count), 0);
		halving_reduce_scatter(plan, &whole, rank, &h);
		hand_out(plan, shape, rank, &h);
	}
}

static bool fits_blocks(const struct shape *shape)
{
	return shape->commutative && blocks_in_order(shape);
}

static void reduce_scatter_recursive_halving_build(struct plan *plan,
						   const struct shape *shape,
						   int rank)
{
	reduce_scatter_by_halves(plan, shape, rank, false);
}

static void reduce_scatter_recursive_halving_cost(const struct shape *shape,
						  struct cost *c)
{
	/* the same messages in reverse order */
	allgather_recursive_doubling.cost(shape, c);
	c->reduced = c->bytes;
}

const struct algorithm reduce_scatter_recursive_halving = {
    .name = "recursive_halving",
    .formula = "log2 n a + (n - 1) m (b + c)",
    .fits = fits_blocks,
    .build = reduce_scatter_recursive_halving_build,
    .cost = reduce_scatter_recursive_halving_cost,
};

/*
 * Bine: the partners are those of a Bine butterfly, the nearest first, which
 * get the longest messages. The blocks that a rank keeps are those of ranks
 * here and there, so all blocks are copied first to an order in which they are
 * next to each other: one more time that each byte is read and written.
 *
 * Source: D. De Sensi et al., "Bine trees: enhancing collective operations by
 * optimizing communication locality", SC 2025 (arXiv 2508.17311).
 */
static void reduce_scatter_bine_build(struct plan *plan,
				      const struct shape *shape, int rank)
{
	reduce_scatter_by_halves(plan, shape, rank, true);
}

static void reduce_scatter_bine_cost(const struct shape *shape, struct cost *c)
{
	allgather_bine.cost(shape, c);
	c->reduced = c->bytes;
}

const struct algorithm reduce_scatter_bine = {
    .name = "bine",
    .formula = "log2 n a + (n - 1) m (b + c)",
    .fits = fits_blocks,
    .build = reduce_scatter_bine_build,
    .cost = reduce_scatter_bine_cost,
};
