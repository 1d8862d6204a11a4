/* SPDX-License-Identifier: Apache-2.0 */
/*
 * halving.h: reduce-scatter by recursive vector halving, which is also the
 * first half of Rabenseifner's reduce and allreduce, and allgather back along
 * the same pairs. At each level a rank and the rank whose number differs in one
 * bit halve the range they have in common: each sends one half of its own
 * vector and reduces the other half with what it receives.
 *
 * The nearest partner comes first, so that each partial result covers
 * neighbouring ranks and the operands stay in rank order. If blocks belong to
 * ranks, the farthest partner comes first, so that a rank keeps its own block.
 *
 * In a Bine butterfly (bine.h) the nearest partner always comes first. If
 * blocks belong to ranks, halving_sort puts them into another order, in which
 * the blocks that a rank works on at one level lie next to each other.
 */
#ifndef COLL_HALVING_H
#define COLL_HALVING_H

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

/* Sets the rank's numbers and ranges in a vector of count elements, for a rank
 * that stays in the fold. The caller has set fold, bine, acc and blocks. */
void halving_begin(struct halving *h, int rank, size_t count);

/* Returns the rank that shares range[k]. */
int halving_partner(const struct halving *h, int k);

/* Returns the part of range[k] that is given away at level k. */
struct block halving_rest(const struct halving *h, int k);

/* Appends the reduce-scatter of a rank that stays in the fold, with its own
 * halving_begin; extra ranks send SEND to their partner with FOLD_TAG. Results
 * go to h->acc, a buffer of count elements. Operands keep their order unless
 * h->blocks or h->bine is set. */
void halving_reduce_scatter(struct plan *plan, const struct shape *shape,
			    int rank, struct halving *h);

/* Appends the allgather of range[levels], which is in h->acc after h->ready.
 * Returns the step after which h->acc is complete and may be read. */
uint32_t halving_allgather(struct plan *plan, const struct halving *h);

/* Returns the block of the rank, or of its extra rank, in h->acc. */
struct part halving_block(const struct halving *h, int rank, unsigned tag);

/* Copy all blocks between a buffer, where they lie as in RECV, and a vector in
 * the order of a Bine butterfly. Only fold and blocks of *h matter. Return the
 * last step. */
uint32_t halving_sort(struct plan *plan, const struct halving *h, uint8_t from,
		      struct ref vector, uint32_t after);
uint32_t halving_unsort(struct plan *plan, const struct halving *h,
			struct ref vector, uint8_t to, uint32_t after);
#endif
