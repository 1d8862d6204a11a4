/* SPDX-License-Identifier: Apache-2.0 */
/*
 * combining.h: combining trees of counters. A rank waits until its children
 * have signalled its counter, signals its parent's counter, and is released
 * along the same way back. At most `radix` ranks share a counter, so that few
 * atomics hit one word, where they are serialised.
 *
 * The tree is k-nomial: a rank's parent is the rank with its lowest nonzero
 * digit in base `radix` cleared, so that each subtree is a range of ranks. With
 * radix >= n the tree is flat: one counter for all.
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

/* Returns the rank's place in the tree; takes two counters from the plan. */
struct combining combining_make(struct plan *plan, const struct shape *shape,
				int rank);
/* Returns the index of the rank among its parent's children. The rank must not
 * be 0. */
int combining_place(const struct combining *t);

/* Waits until all children have signalled. Returns that step, or 0 without
 * children. */
uint32_t combining_gather(struct plan *plan, const struct combining *t);
/* Signals the parent after `after` and waits for its release. Returns that
 * step; at rank 0 there is none, and it returns `after`. */
uint32_t combining_report(struct plan *plan, const struct combining *t,
			  uint32_t after);
/* Releases the k-th child. */
void combining_release(struct plan *plan, const struct combining *t, int k,
		       uint32_t after);

/* Sends the result down the tree: rank 0 has it in RECV after `after`; the
 * others get it into their cells at `buffer` after their release, copy it to
 * RECV and write it to their children. */
void combining_spread(struct plan *plan, const struct shape *shape,
		      const struct combining *t, unsigned buffer,
		      uint32_t after);

/* Builds an allreduce in which the NIC, or another rank's CPU, combines the
 * children's contributions in one word of the parent for each element. kind is
 * STEP_FETCH_ADD or STEP_COMPARE_SWAP. */
void combining_allreduce(struct plan *plan, const struct shape *shape, int rank,
			 enum step_kind kind);
/* A value for `fits`: tells whether the cells suffice. */
bool combining_fits(const struct shape *shape);

/* Return the largest number of children of a rank, and the depth of the
 * tree. */
int combining_children(const struct shape *shape);
int combining_depth(const struct shape *shape);
/* Returns the words that a vector takes in the cells, rounded up to whole cache
 * lines. */
size_t combining_words(const struct shape *shape);
/* The cost of combining_allreduce. */
void combining_cost(const struct shape *shape, struct cost *cost);
#endif
