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
	int me, levels; /* new number of this rank; log2 of fold.stay */
	struct ref acc; /* base of the results */
	uint32_t ready; /* the step after which range[levels] is reduced */
	/* NULL, or whose blocks of RECV, one after the other, the vector is cut
	 * by: range[levels] are those of this rank and its extra */
	const struct shape *blocks;
	/* range[k]: what this rank works on from level k on; range[levels] is
	 * what it has reduced over all ranks in the end. */
	struct block range[HALVING_LEVELS + 1];
	uint32_t sent[HALVING_LEVELS]; /* step that sent the rest of range[k] */
};

/*
 * For a rank that stays in `fold` (the others send SEND to their partner with
 * FOLD_TAG). Results go to acc, a buffer of count elements. Operands keep
 * their order, but for blocks.
 */
void halving_reduce_scatter(struct plan *plan, const struct shape *shape,
			    int rank, struct halving *h);

/* The part of range[k] that was given away at level k. */
struct block halving_rest(const struct halving *h, int k);
/* The rank that shares range[k]. */
int halving_partner(const struct halving *h, int k);

enum { HALVING_TAG = FOLDED_TAGS, GATHER_TAG = HALVING_TAG + HALVING_LEVELS };
#endif
