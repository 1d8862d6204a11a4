/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prove.h: proves the plans of all ranks of one collective call.
 *
 * What it proves holds for every schedule, not only for one that was tried:
 *  - each step keeps the rules of plan.h: bounds, peers, tags, orders, SEND is
 *    read only, operands do not overlap (prove_steps.c);
 *  - no step writes what a step without an order to it uses (prove_race.c);
 *  - sends match receives and signals match waits, by number and length, and
 *    nothing waits for ever though nothing is buffered (prove_order.c,
 *    prove_counters.c);
 *  - one-sided steps on cells are ordered, through messages and signals, before
 *    what reads them; no rank leaves a barrier, or a plan with cells, before
 *    all have begun (prove_cells.c);
 *  - since the steps on one element are ordered, any topological order of all
 *    steps computes what every schedule does; followed symbolically, it leaves
 *    in each element of RECV exactly the contributions that belong there, in
 *    rank order when the operation does not commute, and changes no other
 *    element (prove_dataflow.c).
 *
 * Time and memory grow with the steps of all ranks and the elements they move.
 */
#ifndef COLL_PROVE_H
#define COLL_PROVE_H

#include <stddef.h>

#include "coll/plan/shape.h"

struct algorithm; /* algorithm.h */

struct prove_case {
	enum collective collective;
	const struct algorithm *algorithm;
	/* [shapes[0].size] the shape of each rank; they fit each other as
	 * shape.h says */
	const struct shape *shapes;
};

/* Totals of what was proved. */
struct prove_counts {
	size_t sets, plans, steps;
};

/* Returns NULL if the plans are right, else what is wrong: collective,
 * algorithm, shape, rank and step. The text lasts until the next call; only one
 * thread may call this. Adds to *counts, unless that is NULL. */
const char *prove_plans(const struct prove_case *c,
			struct prove_counts *counts);
#endif
