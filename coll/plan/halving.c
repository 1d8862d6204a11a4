/* SPDX-License-Identifier: Apache-2.0 */
/*
 * halving.c: recursive vector halving, and the reductions of whole vectors by
 * it.
 */
#include "coll/plan/halving.h"

#include "coll/plan/algorithms.h"
#include "coll/plan/bine.h"
#include "coll/plan/blocks.h"

static int halving_bit(const struct halving *h, int k)
{
	return h->blocks && !h->bine ? h->fold.stay >> (k + 1) : 1 << k;
}

int halving_partner(const struct halving *h, int k)
{
	return fold_rank(&h->fold, h->bine
				       ? bine_partner(h->fold.stay, h->me, k)
				       : h->me ^ halving_bit(h, k));
}

static bool keeps_lower(const struct halving *h, int k)
{
	return !(h->side & halving_bit(h, k));
}

/* Returns the elements of the blocks for which n_of numbers stand. */
static size_t numbers_count(const struct halving *h, int number, int n_of)
{
	int first = fold_first(&h->fold, number);
	int end = fold_first(&h->fold, number + n_of);

	return blocks_count(h->blocks, first, end - first);
}

/* Returns the elements of the numbers whose labels agree with this rank's below
 * bit k and have a 0 there. */
static size_t bine_lower(const struct halving *h, int k)
{
	int p = h->fold.stay, half = 1 << k;
	size_t count = 0;

	for (int label = h->side & (half - 1); label < p; label += 2 * half)
		count += numbers_count(h, bine_number(p, label), 1);
	return count;
}

/* Returns the elements of the lower half of range[k]. */
static size_t halving_lower(const struct halving *h, int k)
{
	int half = halving_bit(h, k);

	if (!h->blocks)
		return h->range[k].count / 2;
	if (h->bine)
		return bine_lower(h, k);
	return numbers_count(h, h->me & ~(2 * half - 1), half);
}

struct block halving_rest(const struct halving *h, int k)
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

void halving_begin(struct halving *h, int rank, size_t count)
{
	h->me = fold_number(&h->fold, rank);
	h->levels = log2_ceil(h->fold.stay);
	h->side = h->bine ? bine_label(h->fold.stay, h->me) : h->me;
	h->range[0] = (struct block){0, count};
	for (int k = 0; k < h->levels; k++)
		halving_halve(h, k);
}

/* own: where this rank's vector is; stage: receives the partner's. */
static void halving_exchange(struct plan *plan, struct halving *h, int k,
			     struct ref own, struct ref stage)
{
	int peer = halving_partner(h, k), tag = HALVING_TAG + k;
	struct block kept = h->range[k + 1], rest = halving_rest(h, k);

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

void halving_reduce_scatter(struct plan *plan, const struct shape *shape,
			    int rank, struct halving *h)
{
	struct ref stage = ref(plan_tmp(plan, shape->count), 0);
	struct ref own = ref(BUF_SEND, 0);
	bool sorts = h->blocks && h->bine;
	struct operands o = {stage, own, sorts ? stage : h->acc, 0};

	halving_begin(h, rank, shape->count);
	h->ready = fold_in(plan, shape, rank, &h->fold, o);
	if (fold_extra(&h->fold, rank) >= 0)
		own = o.dst;
	if (sorts) {
		h->ready = halving_sort(plan, h, own.buf, h->acc, h->ready);
		own = h->acc;
	}
	for (int k = 0; k < h->levels; k++) {
		halving_exchange(plan, h, k, own, stage);
		own = h->acc;
	}
}

static struct part gathered_part(const struct halving *h, struct block b, int k)
{
	return (struct part){ref(h->acc.buf, h->acc.at + b.at), b.count,
			     (unsigned)(GATHER_TAG + k)};
}

uint32_t halving_allgather(struct plan *plan, const struct halving *h)
{
	uint32_t got = h->ready, sent = 0;

	for (int k = h->levels - 1; k >= 0; k--) {
		int peer = halving_partner(h, k);

		/* the previous send waited for all that came earlier; what is
		 * received here was sent away at this level before */
		sent =
		    plan_send(plan, peer, gathered_part(h, h->range[k + 1], k),
			      got, sent);
		got = plan_recv(plan, peer,
				gathered_part(h, halving_rest(h, k), k),
				h->sent[k], 0);
	}
	return plan_join(plan, got, sent);
}

/* ---- Blocks of ranks ---------------------------------------------------- */

struct part halving_block(const struct halving *h, int rank, unsigned tag)
{
	int first = fold_first(&h->fold, h->me);
	size_t at = h->range[h->levels].at;

	at += blocks_count(h->blocks, first, rank - first);
	return (struct part){ref(h->acc.buf, h->acc.at + at),
			     shape_own(h->blocks, rank), tag};
}

/* Returns the number whose blocks are the ith of a Bine butterfly's vector:
 * bits of labels halve it from the lowest on. */
static int bine_nth(int p, int i)
{
	int label = 0;

	for (int bit = 1; bit < p; bit *= 2)
		label = 2 * label + !!(i & bit);
	return bine_number(p, label);
}

/* Copies all blocks from `buf` to the vector or, with `back`, from there. */
static uint32_t bine_copy(struct plan *plan, const struct halving *h,
			  uint8_t buf, struct ref vector, bool back,
			  uint32_t after)
{
	for (int i = 0; i < h->fold.stay; i++) {
		int number = bine_nth(h->fold.stay, i);
		int end = fold_first(&h->fold, number + 1);

		for (int r = fold_first(&h->fold, number); r < end; r++) {
			struct part b = blocks_one(h->blocks, buf, r, 0);

			after =
			    plan_copy(plan, back ? vector : b.ref,
				      back ? b.ref : vector, b.count, after);
			vector.at += b.count;
		}
	}
	return after;
}

uint32_t halving_sort(struct plan *plan, const struct halving *h, uint8_t from,
		      struct ref vector, uint32_t after)
{
	return bine_copy(plan, h, from, vector, false, after);
}

uint32_t halving_unsort(struct plan *plan, const struct halving *h,
			struct ref vector, uint8_t to, uint32_t after)
{
	return bine_copy(plan, h, to, vector, true, after);
}

/* ---- Whole vectors ------------------------------------------------------ */

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
	done = halving_allgather(plan, &h);
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
/* At level k the ranks whose bit k is the root's collect from their
 * partners. */
static void reduce_rabenseifner_gather(struct plan *plan,
				       const struct halving *h, int root)
{
	uint32_t ready = h->ready, got;

	for (int k = h->levels - 1; k >= 0; k--) {
		int peer = halving_partner(h, k);

		if ((h->me ^ root) & (1 << k)) {
			plan_send(plan, peer,
				  gathered_part(h, h->range[k + 1], k), ready,
				  0);
			return;
		}
		got = plan_recv(plan, peer,
				gathered_part(h, halving_rest(h, k), k),
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
