/* SPDX-License-Identifier: Apache-2.0 */
/*
 * board.h: for algorithms named "board", in which the ranks of one node read
 * what they need from each other's boards (plan.h) instead of sending it.
 * Every other rank reads what one rank stores once, at the same time, and a
 * rank reduces straight from there.
 *
 * Source: R. Graham, G. Shipman, "MPI support for multi-core architectures:
 * optimized shared memory collectives", EuroPVM/MPI 2008.
 */
#ifndef COLL_BOARD_H
#define COLL_BOARD_H

#include "coll/plan/algorithm.h"

/* Tells whether all ranks are on one node, and their boards hold `count`
 * elements. */
bool board_fits(const struct shape *shape, size_t count);

/* The argument of algorithms with a block for each rank: the ranks of a row. By
 * default one row has them all. */
enum { BOARD_ONE_ROW = 1 << 20 };
extern const size_t board_tries[];
#define BOARD_ARG                                                              \
	ALGORITHM_ARG("row", BOARD_ONE_ROW, 2), .arg_tries = board_tries

/* Returns the ranks of a row: all if shape->arg does not divide them. */
int board_row(const struct shape *shape);
/* Returns the elements of the longest row; 0 if there is only one. */
size_t board_longest_row(const struct shape *shape);

/* The ranks first, first + stride, ..., of which this one is number `me`. */
struct board_ranks {
	int first, stride, n, me;
};

/* Return the ranks of a rank's row, and those with its place in all rows. */
struct board_ranks board_row_ranks(const struct shape *shape, int rank);
struct board_ranks board_column(const struct shape *shape, int rank);

/* Copies a part of the rank's memory to its board and posts it with the part's
 * tag. */
uint32_t board_show(struct plan *plan, struct part part, uint32_t after);

/* Adds the cost of `loads` loads of a rank, one after the other, of `bytes`
 * bytes each, by each of n ranks, after each of `shows` ranks has copied
 * `shown` bytes to its board. */
void board_cost(double loads, double bytes, int n, double shown, int shows,
		struct cost *cost);
#endif
