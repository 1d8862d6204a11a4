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

/* Copies a part of the rank's memory to its board and posts it with the part's
 * tag. */
uint32_t board_show(struct plan *plan, struct part part, uint32_t after);

/* Adds the cost of `loads` loads of a rank, one after the other, of `bytes`
 * bytes each, by each of n ranks, after each of `shows` ranks has copied
 * `shown` bytes to its board. */
void board_cost(double loads, double bytes, int n, double shown, int shows,
		struct cost *cost);
#endif
