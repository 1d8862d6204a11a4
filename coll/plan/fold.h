/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fold.h: reduces any number of ranks to a power of two, for algorithms on
 * hypercubes. Each of the first n - 2^k pairs of neighbouring ranks has one
 * extra rank, which hands its vector to the other rank of the pair and gets the
 * result back from it. The ranks that stay are renumbered in their old order,
 * so that operands keep their places.
 */
#ifndef COLL_FOLD_H
#define COLL_FOLD_H

#include "coll/plan/plan.h"

struct fold {
	int stay, pairs; /* ranks that stay: a power of two; pairs with an extra
			    rank */
	int keep;	 /* an even rank that must stay, or -1 */
};

/* Folds n ranks. The odd rank of a pair stays, unless the even one is
 * `keep`. */
struct fold fold_make(int n, int keep);

/* Returns the new number of a rank, or -1 if it is an extra rank. */
int fold_number(const struct fold *fold, int rank);
/* Returns the rank that has a new number. */
int fold_rank(const struct fold *fold, int number);
/* Returns the lowest rank for which the numbers from this one on stand; for
 * number fold.stay it returns the size. */
int fold_first(const struct fold *fold, int number);
/* Returns the extra rank for which `rank` stands in, or -1. */
int fold_extra(const struct fold *fold, int rank);

enum { FOLD_TAG = 0, UNFOLD_TAG = 1, FOLDED_TAGS = 2 };

/* Receives the vector of the rank's extra rank into place.left and reduces it
 * with SEND into place.dst. Returns the step, or 0 if the rank stands in for
 * none. */
uint32_t fold_in(struct plan *plan, const struct shape *shape, int rank,
		 const struct fold *fold, struct operands place);
#endif
