/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fold.h: brings any number of ranks down to a power of two for algorithms on
 * hypercubes. Among the first 2 * (n - 2^k) ranks each pair of neighbours
 * leaves one out, which hands its vector to the other and gets the result from
 * it. The ranks that stay are numbered anew, in the old order, so that operands
 * keep their places.
 */
#ifndef COLL_FOLD_H
#define COLL_FOLD_H

#include "coll/plan/plan.h"

struct fold {
	int stay, pairs; /* a power of two; pairs that leave one out */
	int keep;	 /* an even rank that stays against the rule, or -1 */
};

/* The odd rank of a pair stays, unless the even one is `keep`. */
struct fold fold_make(int n, int keep);

/* The new number of a rank, or -1 if it is left out. */
int fold_number(const struct fold *fold, int rank);
/* The rank behind a new number. */
int fold_rank(const struct fold *fold, int number);
/* The lowest of the ranks that numbers from this one on stand for; the size for
 * number fold.stay. */
int fold_first(const struct fold *fold, int number);
/* The one left out that `rank` stands in for, or -1. */
int fold_extra(const struct fold *fold, int rank);

enum { FOLD_TAG = 0, UNFOLD_TAG = 1, FOLDED_TAGS = 2 };

/*
 * For a rank that stays and has a extra: receives its vector into `stage` and
 * reduces it with SEND into acc. Returns the step, 0 without a extra.
 */
uint32_t fold_in(struct plan *plan, const struct shape *shape, int rank,
		 const struct fold *fold, struct operands place);
#endif
