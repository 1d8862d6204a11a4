/* SPDX-License-Identifier: Apache-2.0 */
/*
 * halving.c: reduce-scatter by recursive vector halving, which is also the
 * first half of Rabenseifner's reduce and allreduce. At each level a rank and
 * the rank whose number differs in one bit halve the range they have in common:
 * each sends one half of its own vector and reduces the other half with what it
 * receives.
 *
 * The nearest partner comes first, so that each partial result covers
 * neighbouring ranks and the operands stay in rank order. If blocks belong to
 * ranks, the farthest partner comes first, so that a rank keeps its own block.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/bine.h"
#include "coll/plan/blocks.h"
#include "coll/plan/fold.h"

enum { HALVING_LEVELS = 31 };

struct halving {
	struct fold fold;
	bool bine;	/* partners as in a Bine butterfly */
	int me, levels; /* this rank's new number; log2 of fold.stay */
	int side;	/* its bits tell which halves this rank keeps */
	struct ref acc; /* where the results go */
	uint32_t ready; /* the step after which range[levels] is reduced */
	/* NULL, or the shape whose blocks of RECV make up the vector, one after
	 * the other; range[levels] is then the blocks of this rank and its
	 * extra rank. */
	const struct shape *blocks;
	/* range[k] is what this rank works on from level k on; it ends with
	 * range[levels] reduced over all ranks. */
	struct block range[HALVING_LEVELS + 1];
	uint32_t sent[HALVING_LEVELS]; /* step that sent the rest of range[k] */
};

enum { HALVING_TAG = FOLDED_TAGS, GATHER_TAG = HALVING_TAG + HALVING_LEVELS };

static int halving_bit(const struct halving *h, int k)
{
	return h->blocks ? h->fold.stay >> (k + 1) : 1 << k;
}

/* Returns the rank that shares range[k]. */
static int halving_partner(const struct halving *h, int k)
{
	return fold_rank(&h->fold, h->bine
				       ? bine_partner(h->fold.stay, h->me, k)
				       : h->me ^ halving_bit(h, k));
}

static bool keeps_lower(const struct halving *h, int k)
{
	return !(h->side & halving_bit(h, k));
}

/* Returns the elements of the lower half of range[k]. */
static size_t halving_lower(const struct halving *h, int k)
{
	int half = halving_bit(h, k), low = h->me & ~(2 * half - 1);
	int first = fold_first(&h->fold, low);

	if (!h->blocks)
		return h->range[k].count / 2;
	return blocks_count(h->blocks, first,
			    fold_first(&h->fold, low + half) - first);
}

/* Returns the part of range[k] that was given away at level k. */
static struct block halving_rest(const struct halving *h, int k)
{
	struct block all = h->range[k], kept = h->range[k + 1];
	size_t n = all.count - kept.count;

	if (keeps_lower(h, k))
		return (struct block){kept.at + kept.count, n};
	return (struct block){all.at, n};
}

static void halving_halve(struct halving *h, int k)
{
	struct block all = h->range[k];
	size_t low = halving_lower(h, k);

	if (keeps_lower(h, k))
		h->range[k + 1] = (struct block){all.at, low};
	else
		h->range[k + 1] = (struct block){all.at + low, all.count - low};
}

/* own: where this rank's vector is; stage: receives the partner's. */
static void halving_exchange(struct plan *plan, struct halving *h, int k,
			     struct ref own, struct ref stage)
{
	int peer = halving_partner(h, k), tag = HALVING_TAG + k;
	struct block kept, rest;

	halving_halve(h, k);
	kept = h->range[k + 1];
	rest = halving_rest(h, k);
	h->sent[k] = plan_send(plan, peer,
			       (struct part){ref(own.buf, own.at + rest.at),
					     rest.count, (unsigned)tag},
			       h->ready, 0);
	h->ready = plan_recv_reduce(
	    plan, peer, (unsigned)tag,
	    (struct operands){stage, ref(own.buf, own.at + kept.at),
			      ref(h->acc.buf, h->acc.at + kept.at), kept.count},
	    keeps_lower(h, k), h->ready);
}

/* For a rank that stays in the fold; extra ranks send SEND to their partner
 * with FOLD_TAG. Results go to h->acc, a buffer of count elements. Operands
 * keep their order unless h->blocks or h->bine is set. */
static void halving_reduce_scatter(struct plan *plan, const struct shape *shape,
				   int rank, struct halving *h)
{
	struct ref stage = ref(plan_tmp(plan, shape->count), 0);
	struct ref own = ref(BUF_SEND, 0);

	h->me = fold_number(&h->fold, rank);
	h->side = h->bine ? bine_label(h->fold.stay, h->me) : h->me;
	h->range[0] = (struct block){0, shape->count};
	h->ready = fold_in(
	    plan, shape, rank, &h->fold,
	    (struct operands){.left = stage, .right = own, .dst = h->acc});
	if (fold_extra(&h->fold, rank) >= 0)
		own = h->acc;
	for (h->levels = 0; 1 << h->levels < h->fold.stay; h->levels++) {
		halving_exchange(plan, h, h->levels, own, stage);
		own = h->acc;
	}
}

/*
 * Allreduce: the reduce-scatter, then allgather by recursive doubling back
 * along the same pairs. Numbers of ranks that are no power of two are folded
 * first.
 *
 * Source: R. Rabenseifner, "Optimization of collective reduction operations",
 * ICCS 2004, LNCS 3036; Thakur et al., IJHPCA 19 (2005), section 4.5.
 * Cost: 2 log2 n latency + 2 (n - 1) / n bytes / bandwidth; a fold adds 2
 * (latency + bytes / bandwidth).
 */
static struct part allreduce_rabenseifner_part(struct block b, int tag)
{
	return (struct part){ref(BUF_RECV, b.at), b.count, (unsigned)tag};
}

/* Returns the step after which RECV is complete and may be read. */
static uint32_t allreduce_rabenseifner_allgather(struct plan *plan,
						 const struct halving *h)
{
	uint32_t got = h->ready, sent = 0;

	for (int k = h->levels - 1; k >= 0; k--) {
		int peer = halving_partner(h, k);

		/* the previous send waited for all that came earlier; what is
		 * received here was sent away at this level before */
		sent = plan_send(plan, peer,
				 allreduce_rabenseifner_part(h->range[k + 1],
							     GATHER_TAG + k),
				 got, sent);
		got = plan_recv(plan, peer,
				allreduce_rabenseifner_part(halving_rest(h, k),
							    GATHER_TAG + k),
				h->sent[k], 0);
	}
	return plan_join(plan, got, sent);
}

static void allreduce_by_halves(struct plan *plan, const struct shape *shape,
				int rank, bool bine)
{
	struct halving h = {.fold = fold_make(shape->size, -1),
			    .bine = bine,
			    .acc = ref(BUF_RECV, 0)};
	struct part send = {ref(BUF_SEND, 0), shape->count, FOLD_TAG};
	struct part all = {ref(BUF_RECV, 0), shape->count, UNFOLD_TAG};
	uint32_t done;

	if (plan_alone(plan, shape))
		return;
	if (fold_number(&h.fold, rank) < 0) {
		done = plan_send(plan, rank ^ 1, send, 0, 0);
		plan_recv(plan, rank ^ 1, all, done, 0);
		return;
	}
	halving_reduce_scatter(plan, shape, rank, &h);
	done = allreduce_rabenseifner_allgather(plan, &h);
	if (fold_extra(&h.fold, rank) >= 0)
		plan_send(plan, rank ^ 1, all, done, 0);
}

static void allreduce_rabenseifner_build(struct plan *plan,
					 const struct shape *shape, int rank)
{
	allreduce_by_halves(plan, shape, rank, false);
}

static void allreduce_rabenseifner_cost(const struct shape *shape,
					struct cost *c)
{
	struct fold fold = fold_make(shape->size, -1);
	double p = fold.stay, levels = log2_ceil(fold.stay);
	double m = shape_bytes(shape), folds = fold.pairs > 0;

	c->rounds = 2 * (levels + folds);
	c->bytes = 2 * ((p - 1) / p + folds) * m;
	c->reduced = ((p - 1) / p + folds) * m;
	c->sends = 2 * (fold.pairs + p * levels);
	c->moved = 2 * (fold.pairs + p - 1) * m;
	c->reach = REACH_SHORTER;
}

const struct algorithm allreduce_rabenseifner = {
    .name = "rabenseifner",
    .formula = "2 log2 n a + 2 m b (n - 1) / n + m c (n - 1) / n",
    .build = allreduce_rabenseifner_build,
    .cost = allreduce_rabenseifner_cost,
};

/*
 * Bine: the partners are those of a Bine butterfly, of which fewer are in other
 * groups of near ranks; ranks that meet have the same range in common there,
 * too. Commutative operations.
 *
 * Source: D. De Sensi et al., "Bine trees: enhancing collective operations by
 * optimizing communication locality", SC 2025 (arXiv 2508.17311).
 */
static void allreduce_bine_halving_build(struct plan *plan,
					 const struct shape *shape, int rank)
{
	allreduce_by_halves(plan, shape, rank, true);
}

const struct algorithm allreduce_bine_halving = {
    .name = "bine_halving",
    .formula = "2 log2 n a + 2 m b (n - 1) / n + m c (n - 1) / n",
    .fits = fits_commutative,
    .build = allreduce_bine_halving_build,
    .cost = allreduce_rabenseifner_cost,
};

/*
 * Reduce: the reduce-scatter, then a gather of the blocks to the root back
 * along the same pairs. Numbers of ranks that are no power of two are folded
 * first, such that the root stays.
 *
 * Source: R. Rabenseifner, "Optimization of collective reduction operations",
 * ICCS 2004, LNCS 3036; Thakur et al., IJHPCA 19 (2005), section 4.4.
 * Cost: 2 log2 n latency + 2 (n - 1) / n bytes / bandwidth; a fold adds latency
 * + bytes / bandwidth.
 */
static struct part reduce_rabenseifner_part(const struct halving *h,
					    struct block b, int k)
{
	return (struct part){ref(h->acc.buf, b.at), b.count,
			     (unsigned)(GATHER_TAG + k)};
}

/* At level k the ranks whose bit k is the root's collect from their
 * partners. */
static void reduce_rabenseifner_gather(struct plan *plan,
				       const struct halving *h, int root)
{
	uint32_t ready = h->ready, got;

	for (int k = h->levels - 1; k >= 0; k--) {
		int peer = halving_partner(h, k);

		if ((h->me ^ root) & (1 << k)) {
			plan_send(
			    plan, peer,
			    reduce_rabenseifner_part(h, h->range[k + 1], k),
			    ready, 0);
			return;
		}
		got = plan_recv(
		    plan, peer,
		    reduce_rabenseifner_part(h, halving_rest(h, k), k),
		    h->sent[k], 0);
		ready = plan_join(plan, ready, got);
	}
}

static void reduce_rabenseifner_build(struct plan *plan,
				      const struct shape *shape, int rank)
{
	int root = shape->root;
	struct halving h = {.fold = fold_make(shape->size, root)};
	struct part send = {ref(BUF_SEND, 0), shape->count, FOLD_TAG};

	if (plan_alone(plan, shape))
		return;
	if (fold_number(&h.fold, rank) < 0) {
		plan_send(plan, rank ^ 1, send, 0, 0);
		return;
	}
	h.acc = rank == root ? ref(BUF_RECV, 0)
			     : ref(plan_tmp(plan, shape->count), 0);
	halving_reduce_scatter(plan, shape, rank, &h);
	reduce_rabenseifner_gather(plan, &h, fold_number(&h.fold, root));
}

static void reduce_rabenseifner_cost(const struct shape *shape, struct cost *c)
{
	struct fold fold = fold_make(shape->size, -1);
	double p = fold.stay, levels = log2_ceil(fold.stay);
	double m = shape_bytes(shape), folds = fold.pairs > 0;

	c->rounds = 2 * levels + folds;
	c->bytes = (2 * (p - 1) / p + folds) * m;
	c->reduced = ((p - 1) / p + folds) * m;
	c->sends = fold.pairs + p * levels + p - 1;
	c->moved = (fold.pairs + p - 1 + levels / 2) * m;
	c->reach = REACH_SHORTER;
}

const struct algorithm reduce_rabenseifner = {
    .name = "rabenseifner",
    .formula = "2 log2 n a + 2 m b (n - 1) / n + m c (n - 1) / n",
    .build = reduce_rabenseifner_build,
    .cost = reduce_rabenseifner_cost,
};

/*
 * Reduce-scatter: in each round a rank gives one half of the blocks that it
 * still works on to a partner and reduces the other half with what it receives.
 * The farthest partner comes first, so that block b ends at rank b. Numbers of
 * ranks that are no power of two are folded first. Blocks of any length.
 *
 * Source: Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005), section 4.6.
 * Cost: log2 n latency + (n - 1) blocks (/ bandwidth + of reduction); a fold
 * adds two rounds, one of them with all blocks. Commutative operations.
 */

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
	struct part own = blocks_part(shape, h->acc, rank, 1, 0);

	if (extra >= 0)
		plan_send(plan, extra,
			  blocks_part(shape, h->acc, extra, 1, UNFOLD_TAG),
			  h->ready, 0);
	/* in place the first send reads RECV */
	plan_copy(plan, own.ref, ref(BUF_RECV, 0), own.count,
		  plan_join(plan, h->ready, h->sent[0]));
}

static void reduce_scatter_recursive_halving_build(struct plan *plan,
						   const struct shape *shape,
						   int rank)
{
	struct shape whole = *shape;
	struct halving h = {.fold = fold_make(shape->size, -1),
			    .blocks = shape};
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
