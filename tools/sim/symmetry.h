/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symmetry.h: jobs whose ranks all do the same with the ranks at the same
 * distance: rings and all-to-all exchanges, where distance is a difference of
 * ranks; recursive doubling and halving, where it is a set of bits that differ.
 * These are in a steady state from the first step on: what rank r does, rank r
 * moved by a period does at the same time, so that simulating the first
 * `period` ranks is enough (timed.h). The period is the ranks of a node, or
 * those of the largest group of nodes, so that all nodes, with their NICs and
 * links, have the same load. Ranks within a period may differ; there may be
 * leaders among them.
 *
 * The copies that end a plan may cut a vector in other places from rank to
 * rank, as in Bruck's allgather: they take as long, to the rounding of a
 * picosecond.
 *
 * Where halving leaves less than an element at its last, farthest partners,
 * only nodes whose numbers differ in low bits are alike. Then nodes are
 * rotated: the low bits of their numbers become the high ones, so that those
 * which differ come first. Engines know rotated ranks alone; plans and places
 * are those of the ranks themselves.
 */
#ifndef TOOLS_SIM_SYMMETRY_H
#define TOOLS_SIM_SYMMETRY_H

#include <stdbool.h>
#include <stdint.h>

struct algorithm;
struct plan;
struct shape;
struct sim_machine;

/* Numbers of 2^bits nodes of ppn ranks are rotated by `low` bits; 0: not. */
struct rotation {
	int ppn, bits, low;
};

/* Returns the rotated number of a rank; with bits - low it is undone. */
static inline int rotate_by(const struct rotation *t, int rank, int low)
{
	uint32_t node = (uint32_t)(rank / t->ppn), mask = (1u << t->bits) - 1;

	node = ((node >> low) | (node << (t->bits - low))) & mask;
	return (int)node * t->ppn + rank % t->ppn;
}

static inline int rotate(const struct rotation *t, int rank)
{
	return t->low ? rotate_by(t, rank, t->low) : rank;
}

static inline int rotate_back(const struct rotation *t, int rank)
{
	return t->low ? rotate_by(t, rank, t->bits - t->low) : rank;
}

struct symmetry {
	int ranks;  /* of the job */
	int period; /* ranks simulated; `ranks` if all are */
	/* The plans of the first `plans` ranks are those of all, with each peer
	 * moved as far as the rank: 1, period or ranks. */
	int plans;
	bool xor ; /* moved by exclusive or, among a power of two; else by
		      addition */
	struct rotation rotation;
};

/* Returns which of the first `of` ranks stands for `rank`. */
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
	return (struct symmetry){
	    .ranks = ranks, .period = ranks, .plans = ranks};
}

/* Builds the plan of a rotated rank, whose peers are rotated, too. Returns
 * MRT_SUCCESS or MRT_ERR_NO_MEM. */
int symmetry_plan(const struct rotation *rotation,
		  const struct algorithm *algorithm, const struct shape *shape,
		  int rank, struct plan *plan);

/*
 * Sets *found to false if ranks differ, or no symmetry is seen; it is not
 * searched for with noise, or if hashes of all ranks are wanted. All plans are
 * compared if they are few. If not, those moved by each power of two (which
 * finds the level at which blocks become uneven), by one less than all, to the
 * root, and by some numbers in between are compared. Returns MRT_SUCCESS or
 * MRT_ERR_NO_MEM.
 */
int symmetry_find(const struct sim_machine *m,
		  const struct algorithm *algorithm, const struct shape *shape,
		  struct symmetry *symmetry, bool *found);
#endif
