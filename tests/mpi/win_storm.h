/* SPDX-License-Identifier: Apache-2.0 */
/*
 * win_storm.h: the operations of win_storm.c and what they have to come to.
 *
 * A rank's part of the window begins with OWN words of each origin, which no
 * other rank changes: their values are known at every moment. The words behind
 * them are shared: updates of one kind each, whose order does not matter, so
 * that only what they come to is known, and bounds of what is fetched.
 */
#ifndef TESTS_MPI_WIN_STORM_H
#define TESTS_MPI_WIN_STORM_H

#include "tests/mpi/mpi_test.h"

enum { OWN = 12, MANY = 48 };

/* The shared words. The pair is the number of times that an exclusive lock was
 * taken, and its square. */
enum word {
	SUMS,
	SUMS_TOO,
	XORS,
	MAXIMA,
	SWAPS,
	SWAPS_TOO,
	PAIR,
	SQUARE,
	WORDS
};

/* An operation whose result is not checked yet. */
struct pending {
	int rank, n; /* rank -1: it is */
	enum { EXACT, GROWING, SWAPPED, NO_RESULT } result;
	enum word word;
	long in[OWN], out[OWN], want[OWN];
};

/* One storm. */
struct storm {
	MPI_Win win;
	long *mem;
	MPI_Aint *base;	 /* [np]; 0: displacements are words */
	uint64_t state;	 /* of this rank's random numbers */
	bool passive;	 /* operations can be flushed */
	long *own;	 /* [np][OWN]: the words of this rank at each other */
	uint8_t *access; /* [np][OWN] */
	long (*did)[WORDS];	/* [np]: what this rank has done in total */
	long (*fetched)[WORDS]; /* [np]: the last value */
	struct pending pending[MANY];
	int npending;
	MPI_Datatype every_second[OWN]; /* of k words */
};
extern struct storm s;

static inline int draw(int n)
{
	return random_below(&s.state, n);
}

/* Makes a random operation on a rank, unless none is allowed before a flush. */
void storm_act(int rank);
/* Checks the pair, and changes it; under a lock. */
void storm_act_on_pair(int rank, bool exclusive);
/* Flushes a rank at least, and settles what was flushed. */
void storm_flush(int rank);
/* Checks the results of operations on a rank that are complete now, in their
 * order; -1: on all. */
void storm_settle(int rank);
#endif
