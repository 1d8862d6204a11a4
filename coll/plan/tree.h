/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.h: the trees that algorithms send along, and the reduction of segments
 * up a binary one.
 *
 * Ranks are counted from the root here, v = (rank - root) mod n, so that the
 * root is 0. In each tree a subtree has consecutive numbers.
 */
#ifndef COLL_TREE_H
#define COLL_TREE_H

#include "coll/plan/algorithm.h"

static inline int tree_number(const struct shape *s, int rank)
{
	return (rank - s->root + s->size) % s->size;
}

static inline int tree_rank(const struct shape *s, int v)
{
	return (v + s->root) % s->size;
}

/* ---- k-nomial: the parent of v is v without its lowest digit other than 0,
 * in base `radix` (2 or more, 2: binomial). */

/* How many ranks v's subtree has: v .. v + span - 1. */
int knomial_size(int n, size_t radix, int v);
/* v's parent; v is not 0. */
int knomial_parent(int n, size_t radix, int v);

/*
 * The children of v are v + off, for
 *	for (int off = 1; off < span; off = knomial_next(radix, off))
 * the nearest, with the least below them, first, or, the other way round,
 *	for (int off = knomial_last(radix, span); off;
 *	     off = knomial_previous(radix, off))
 */
int knomial_next(size_t radix, int off);
int knomial_last(size_t radix, int size);
int knomial_previous(size_t radix, int off);

/* Children of the root. As many messages follow each other in a tree of n
 * ranks, whichever way they go. */
int knomial_rounds(int n, size_t radix);
/* Of these, the ones that each wait for the one before: the longest way from
 * the root. The others follow at once. */
int knomial_depth(int n, size_t radix);
/* When each subtree's blocks travel to or from its root as one. */
void knomial_cost_blocks(const struct shape *s, size_t radix, struct cost *c);

/* ---- Binary, in order: below the root is one tree of 1 .. n - 1, in which
 * the left subtree of v comes before v and the right one after it; odd numbers
 * are leaves. */

/* Neighbours of a rank, as ranks, or -1. */
struct tree {
	int parent, left, right;
};

struct tree tree_binary(const struct shape *s, int rank);

/*
 * Two trees with the same root, `which` 0 or 1, in which no other rank has
 * children in both: the one above, and the same mirrored or, if that would not
 * do, moved on by one. Order is lost in the second.
 */
struct tree tree_double(const struct shape *s, int rank, int which);

/* Into so many segments a vector is cut; to *cost, what it costs once down or
 * once up the tree. */
int tree_segments(const struct shape *s);
void tree_cost_binary(const struct shape *s, struct cost *c);
void tree_cost_double(const struct shape *s, struct cost *c);
/* The same of a line of ranks. */
void tree_cost_chain(const struct shape *s, struct cost *c);

/* A segment goes down: received, unless at the root, and passed on. */
void tree_down(struct plan *plan, const struct tree *tree, struct part part,
	       uint32_t after);

/* A rank's part in the reduction up a tree. Each child has two stages in turn,
 * so that a segment can arrive while the one before is reduced or passed on. */
struct tree_up {
	struct tree tree;
	struct ref left[2], right[2]; /* stages */
	uint32_t free_after[2];	      /* when they may be used again */
	unsigned turn;
};

/* longest: elements of the longest segment. */
void tree_up_init(struct plan *plan, struct tree_up *up, struct tree tree,
		  size_t longest);
/* Reduces elements b of SEND with what the children send and passes that on to
 * the parent or, at the root, to the same place of RECV. Returns the step. */
uint32_t tree_up(struct plan *plan, struct tree_up *up, struct block b,
		 unsigned tag);
#endif
