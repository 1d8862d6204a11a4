/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frame.h: shared by the patterns of the comparison. A pattern is a row of a
 * table; the frame chooses how often to run it, times it, verifies its data
 * once, and prints "pattern,ranks,bytes,unit,figure". It uses mpi.h alone, with
 * calls of MPI 3.0, so that it compiles with every MPI.
 */
#ifndef COMPARE_FRAME_H
#define COMPARE_FRAME_H

#include <mpi.h>
#include <stddef.h>

enum { WINDOW = 64 }; /* messages in flight, as in the OSU benchmarks */

/* The figure that is computed from the seconds per iteration. */
enum unit {
	US_ONE_WAY, /* microseconds per half iteration */
	US,	    /* microseconds per iteration */
	MB_S,	    /* 10^6 bytes per second, with WINDOW messages each */
	MSG_S,	    /* messages per second, with WINDOW messages each */
	MB_S_ALL    /* 10^6 bytes per second, of all ranks together */
};

struct frame {
	int me;
	int ranks;
	double *send; /* `ranks` blocks each, page-aligned */
	double *recv;
	MPI_Request requests[WINDOW];
	MPI_Win win;
	void *window; /* this rank's memory in it */
};

struct pattern {
	const char *name;
	enum unit unit;
	int pair;    /* for exactly two ranks */
	int no_size; /* without data */
	/* Prepare for runs of one size, and clean up. Both NULL: nothing. */
	void (*begin)(struct frame *f, size_t bytes);
	void (*end)(struct frame *f);
	/* Runs on every rank, after a barrier. */
	void (*run)(struct frame *f, size_t bytes, long iterations);
	/* Returns element i of recv after run(), on ranks that have
	 * a result. */
	double (*expected)(const struct frame *f, size_t count, size_t i);
	int root_only; /* only rank 0 has a result */
	int wide;      /* recv has a block for each rank */
	int threads;   /* makes threads, which all call MPI */
	/* Returns how many windows an iteration has at once; NULL: one. */
	int (*streams)(const struct frame *f);
};

/* Returns element i of what `rank` sends. */
static inline double frame_value(int rank, size_t i)
{
	return rank + 1 + (double)(i % 7);
}

/* Each list ends with a NULL name. */
extern const struct pattern pairs_patterns[];
extern const struct pattern colls_patterns[];
extern const struct pattern windows_patterns[];
extern const struct pattern threads_patterns[];
extern const struct pattern files_patterns[];

#endif
