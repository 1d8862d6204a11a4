/* SPDX-License-Identifier: Apache-2.0 */
/*
 * halving.c: at each level a rank and the rank whose number differs in one bit
 * halve the range they have in common: each sends one half of its own vector
 * and reduces the other half with what it receives.
 *
 * The nearest partner comes first, so that each partial result covers
 * neighbouring ranks and the operands stay in rank order. If blocks belong to
 * ranks, the farthest partner comes first, so that a rank keeps its own block.
 */
#include "coll/plan/halving.h"

#include "coll/plan/blocks.h"

static int halving_bit(const struct halving *h, int k)
{
	return h->blocks ? h->fold.stay >> (k + 1) : 1 << k;
}

int halving_partner(const struct halving *h, int k)
{
	return fold_rank(&h->fold, h->me ^ halving_bit(h, k));
}

static bool keeps_lower(const struct halving *h, int k)
{
	return !(h->me & halving_bit(h, k));
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

void halving_reduce_scatter(struct plan *plan, const struct shape *shape,
			    int rank, struct halving *h)
{
	struct ref stage = ref(plan_tmp(plan, shape->count), 0);
	struct ref own = ref(BUF_SEND, 0);

	h->me = fold_number(&h->fold, rank);
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
