/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.h: the trees along which algorithms send, and the reduction of segments
 * up a binary tree.
 *
 * Ranks are numbered from the root, v = (rank - root) mod n, so that the root
 * is 0. In each tree a subtree has consecutive numbers. Bine trees, where these
 * may begin before the root, are in bine.h.
 */
#ifndef COLL_TREE_H
#define COLL_TREE_H

#include "coll/plan/algorithm.h"

enum { SEGMENT_BYTES = 65536 }; /* the default of `segment` arguments */

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

/* Returns the shape with the radix of a binomial tree as its argument. */
static inline struct shape tree_binomial(const struct shape *shape)
{
	struct shape s = *shape;

	s.arg = 2;
	return s;
}
/* Returns the ranks of v's subtree, which are v .. v + size - 1. */
int knomial_size(int n, size_t radix, int v);
/* Returns v's parent; v is not 0. */
int knomial_parent(int n, size_t radix, int v);

/*
 * The children of v are v + off, for
 * 	for (int off = 1; off < size; off = knomial_next(radix, off))
 * which begins with the nearest child, whose subtree is smallest, or for
 * 	for (int off = knomial_last(radix, size); off;
 * 	     off = knomial_previous(radix, off))
 * which begins with the farthest.
 */
int knomial_next(size_t radix, int off);
int knomial_last(size_t radix, int size);
int knomial_previous(size_t radix, int off);

/* Returns the children of the root. This is also the number of messages that
 * follow each other in a tree of n ranks, up or down. */
int knomial_rounds(int n, size_t radix);
/* Returns the depth of the tree: the messages of a chain in which each waits
 * for the one before. The other rounds follow at once. */
int knomial_depth(int n, size_t radix);
/* The cost when the blocks of each subtree travel to or from its root in one
 * message. */
void binomial_cost_blocks(const struct shape *s, struct cost *c);

/* A rank's place in a tree of pairs: binomial, or Bine (bine.h). Its subtree is
 * a range of ranks, which goes on with rank 0 after the last. */
enum { SUBTREE_CHILDREN = 31 };
struct subtree {
	int parent; /* a rank, or -1 */
	int first, size;
	int nchildren;
	struct subtree_child {
		int rank, first, size;
	} children[SUBTREE_CHILDREN]; /* the largest subtree first */
};
struct subtree tree_subtree(const struct shape *s, int rank);

/* Returns where the block of one of its ranks lies in a vector with the blocks
 * of a subtree. */
static inline struct ref subtree_block(const struct shape *s,
				       const struct subtree *t,
				       struct ref vector, int rank)
{
	int nth = (rank - t->first + s->size) % s->size;

	return ref(vector.buf, vector.at + (size_t)nth * s->count);
}

/* ---- Binary, in order: below the root is one tree of 1 .. n - 1, in which
 * the left subtree of v comes before v and the right one after it; odd numbers
 * are leaves. */

/* A rank's neighbours in the tree, or -1. */
struct tree {
	int parent, left, right;
};

struct tree tree_binary(const struct shape *s, int rank);

/* Two trees with the same root, `which` 0 or 1, such that no rank but the root
 * has children in both: tree_binary, and the same tree mirrored or, if the
 * number of ranks is even, shifted by one. The second tree does not keep rank
 * order. */
struct tree tree_double(const struct shape *s, int rank, int which);

/* Return the number of segments into which a vector is cut, and add to *cost
 * the cost of all of them going once down or once up the tree. */
int tree_segments(const struct shape *s);
void tree_cost_binary(const struct shape *s, struct cost *c);
void tree_cost_double(const struct shape *s, struct cost *c);
/* Like tree_cost_binary, for a chain of ranks. */
void tree_cost_chain(const struct shape *s, struct cost *c);
/* The cost of n - 1 messages of count elements from or to the root. */
void tree_cost_flat(const struct shape *s, struct cost *c);

/* Passes a segment down: the rank receives it, unless it is the root, and sends
 * it to its children. */
void tree_down(struct plan *plan, const struct tree *tree, struct part part,
	       uint32_t after);

/* A rank's part in a reduction up the tree. Each child has two receive buffers
 * that take turns, so that a segment can arrive while the one before is reduced
 * or passed on. */
struct tree_up {
	struct tree tree;
	struct ref left[2], right[2]; /* receive buffers */
	uint32_t free_after[2];	      /* steps after which they are free */
	unsigned turn;
};

/* longest: elements of the longest segment. */
void tree_up_init(struct plan *plan, struct tree_up *up, struct tree tree,
		  size_t longest);
/* Reduces elements b of SEND with what the children send and passes the result
 * to the parent or, at the root, to the same place of RECV. Returns the last
 * step. */
uint32_t tree_up(struct plan *plan, struct tree_up *up, struct block b,
		 unsigned tag);
#endif
