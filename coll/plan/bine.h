/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bine.h: binomial negabinary (Bine) trees. They have the messages of binomial
 * trees, but partners are about two thirds as far apart, so that fewer bytes
 * cross the links between groups of near ranks.
 *
 * Source: D. De Sensi et al., "Bine trees: enhancing collective operations by
 * optimizing communication locality", SC 2025 (arXiv 2508.17311).
 */
#ifndef COLL_BINE_H
#define COLL_BINE_H

#include "coll/plan/tree.h"

/*
 * The distance-halving tree of any number of ranks. Ranks stand in a line, in
 * their order, with rank 0 after the last. A subtree is a range of the line.
 * Its root gives the smaller half of the range to a child and keeps the other,
 * in which it is near the middle of the range one time and near the end the
 * next; the child is where a mirror in the middle would show the root. For a
 * power of two these are the partners of the paper; other halves differ by one
 * rank.
 */
struct subtree bine_subtree(const struct shape *s, int rank);
/* Returns where the root of n ranks stands in their line, counted from 0. With
 * this rank as the root the line begins with rank 0, so each child's ranks are
 * next to those that its parent has kept, in rank order. */
int bine_top(int n);

#endif
