/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bine.h: binomial negabinary (Bine) trees and butterflies. They have the
 * messages of binomial trees and of hypercubes, but partners are about two
 * thirds as far apart, so that fewer bytes cross the links between groups of
 * near ranks.
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

/*
 * The butterfly of p ranks, a power of two, by their numbers 0 .. p - 1. In
 * step k each even number meets the one at distance (1 - (-2)^(k + 1)) / 3
 * above it, modulo p: 1, -1, 3, -5, 11, ... The order of steps matters, unlike
 * in a hypercube: from the last step down to step k, what meets is groups that
 * all their members agree on, those of the even numbers that are equal modulo
 * 2^(k + 1) and of their partners. A number's label tells its groups: step k
 * joins the two whose labels are equal below bit k and differ there.
 */
int bine_partner(int p, int number, int k);
int bine_label(int p, int number);
/* Returns the number that has a label. */
int bine_number(int p, int label);
#endif
