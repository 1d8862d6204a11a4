/* SPDX-License-Identifier: Apache-2.0 */
/*
 * combining.h: trees of counters. A rank waits until its children have
 * signalled its counter, signals its parent's, and is released the same way
 * back. Up to `radix` ranks share a counter, so that atomics on one word, which
 * come one after the other, stay few.
 *
 * The tree is k-nomial: the parent of a rank is the rank without its lowest
 * digit other than 0 in base `radix`, so that each subtree is a range of ranks.
 * With radix >= n it is flat: one counter for all.
 *
 * Source: P. Yew, N. Tzeng, D. Lawrie, "Distributing hot-spot addressing in
 * large-scale multiprocessors", IEEE Trans. Computers C-36 (1987); J.
 * Mellor-Crummey, M. Scott, ACM TOCS 9 (1991), section 3.
 */
#ifndef COLL_COMBINING_H
#define COLL_COMBINING_H

#include "coll/plan/algorithm.h"

enum { COMBINING_RADIX = 8 };

struct combining {
	int rank, parent; /* parent: -1 at rank 0 */
	int radix, children;
	unsigned up, down; /* counters */
};

/* Takes its counters from the plan. */
struct combining combining_make(struct plan *plan, const struct shape *shape,
				int rank);
/* Which child of its parent the rank is; it has one. */
int combining_place(const struct combining *t);

/* All children have signalled: the step, 0 without children. */
uint32_t combining_gather(struct plan *plan, const struct combining *t);
/* Signals the parent, waits for its release: the step. Rank 0 has none:
 * returns `after`. */
uint32_t combining_report(struct plan *plan, const struct combining *t,
			  uint32_t after);
/* Releases the k-th child. */
void combining_release(struct plan *plan, const struct combining *t, int k,
		       uint32_t after);

/* The result's way down: RECV, which rank 0 has after `after` and the others
 * get into `buffer` after it, to all. */
void combining_spread(struct plan *plan, const struct shape *shape,
		      const struct combining *t, unsigned buffer,
		      uint32_t after);

/*
 * An allreduce whose contributions the NIC, or another rank's CPU, combines in
 * a word for each element of the parent. kind: STEP_FETCH_ADD or
 * STEP_COMPARE_SWAP.
 */
void combining_allreduce(struct plan *plan, const struct shape *shape, int rank,
			 enum step_kind kind);
/* For `fits`: are there words enough? */
bool combining_fits(const struct shape *shape);

/* Most children that a rank has, and how far it is from 0 to the last. */
int combining_children(const struct shape *shape);
int combining_depth(const struct shape *shape);
/* Words that a vector takes; a multiple of a cache line's. */
size_t combining_words(const struct shape *shape);
/* For `cost`, of the two above. */
void combining_cost(const struct shape *shape, struct cost *cost);
#endif
