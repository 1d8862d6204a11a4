/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symmetry.h: jobs whose ranks do the same, each with those as far from it:
 * rings and exchanges with all, where as far means so many ranks on; recursive
 * doubling and halving, where it means a number that differs in the same bits.
 * They are in a steady state from the first step on: what rank r does, rank r
 * moved by a period does at the same time, so that the first `period` ranks are
 * enough (timed.h). The period is a node's ranks, or those of the largest group
 * of nodes, so that all of them, and their NICs and links, have as much to do.
 * Ranks of one period need not do the same: there may be leaders among them.
 */
#ifndef APPS_SIM_SYMMETRY_H
#define APPS_SIM_SYMMETRY_H

#include <stdbool.h>

struct algorithm;
struct shape;
struct sim_machine;

struct symmetry {
	int ranks;  /* all */
	int period; /* those that stand for all; `ranks` if no others do */
	/* The plans of so many are those of all, each peer moved as far as the
	 * rank is: 1, period or ranks. */
	int plans;
	bool xor ; /* by exclusive or, among a power of two; else by addition */
};

/* Of the first `of` ranks that which stands for `rank`. */
static inline int symmetry_first(int rank, int of)
{
	return rank < of ? rank : rank % of;
}

/* by: 0 .. ranks - 1, a multiple of `plans` or of `period`. */
static inline int symmetry_move(const struct symmetry *s, int rank, int by)
{
	if (s->xor)
		return rank ^ by;
	return rank < s->ranks - by ? rank + by : rank + by - s->ranks;
}

static inline int symmetry_back(const struct symmetry *s, int rank, int by)
{
	if (s->xor)
		return rank ^ by;
	return rank < by ? rank - by + s->ranks : rank - by;
}

static inline struct symmetry symmetry_none(int ranks)
{
	return (struct symmetry){ranks, ranks, ranks, false};
}

/*
 * False: ranks differ, or are not seen to be the same. With noise, and where
 * hashes of all are wanted, they are not looked at. The plans of all ranks are
 * compared if these are not many. If they are, those of the ranks moved by each
 * power of two (which finds the level at which blocks become uneven), by one
 * less than all, to the root, and by some numbers in between are.
 * MRT_ERR_NO_MEM.
 */
int symmetry_find(const struct sim_machine *m,
		  const struct algorithm *algorithm, const struct shape *shape,
		  struct symmetry *symmetry, bool *found);
#endif
