/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frame.h: what the patterns of the comparison share. A pattern is a row of a
 * table; the frame chooses how often to run it, times it, checks its data once
 * and prints "pattern,ranks,bytes,unit,figure". Written to mpi.h alone, with
 * calls of MPI 2.2, so that every MPI compiles it.
 */
#ifndef COMPARE_FRAME_H
#define COMPARE_FRAME_H

#include <mpi.h>
#include <stddef.h>

enum { WINDOW = 64 }; /* messages under way, as in the OSU benchmarks */

/* What the seconds of an iteration become. */
enum unit {
	US_ONE_WAY, /* microseconds of half an iteration */
	US,	    /* microseconds of an iteration */
	MB_S,	    /* 10^6 bytes a second, of WINDOW messages */
	MSG_S	    /* messages a second, the same */
};

struct frame {
	int me;
	int ranks;
	double *send; /* of `ranks` blocks each, page-aligned */
	double *recv;
	MPI_Request requests[WINDOW];
};

struct pattern {
	const char *name;
	enum unit unit;
	int pair;    /* for two ranks alone */
	int no_size; /* moves no data */
	/* Runs on every rank after a barrier. */
	void (*run)(struct frame *f, size_t bytes, long iterations);
	/* Element i of recv after run(); asked where it is defined. */
	double (*expected)(const struct frame *f, size_t count, size_t i);
	int root_only; /* expected() is for rank 0 alone */
	int wide;      /* recv has a block for each rank */
};

/* Element i of what `rank` sends. */
static inline double frame_value(int rank, size_t i)
{
	return rank + 1 + (double)(i % 7);
}

/* Each list ends with a NULL name. */
extern const struct pattern pairs_patterns[];
extern const struct pattern colls_patterns[];

#endif
