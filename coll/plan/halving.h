/* SPDX-License-Identifier: Apache-2.0 */
/*
 * halving.h: reduce-scatter by recursive vector halving, which is also the
 * first half of Rabenseifner's reduce and allreduce.
 */
#ifndef COLL_HALVING_H
#define COLL_HALVING_H

#include "coll/plan/fold.h"

enum { HALVING_LEVELS = 31 };

struct halving {
	struct fold fold;
	int me, levels; /* this rank's new number; log2 of fold.stay */
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

/* For a rank that stays in the fold; extra ranks send SEND to their partner
 * with FOLD_TAG. Results go to h->acc, a buffer of count elements. Operands
 * keep their order unless h->blocks is set. */
void halving_reduce_scatter(struct plan *plan, const struct shape *shape,
			    int rank, struct halving *h);

/* Returns the part of range[k] that was given away at level k. */
struct block halving_rest(const struct halving *h, int k);
/* Returns the rank that shares range[k]. */
int halving_partner(const struct halving *h, int k);

enum { HALVING_TAG = FOLDED_TAGS, GATHER_TAG = HALVING_TAG + HALVING_LEVELS };
#endif
