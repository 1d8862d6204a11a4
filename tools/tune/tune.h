/* SPDX-License-Identifier: Apache-2.0 */
/* tune.h: the parts of mrt-tune: how collectives are called, times of their
 * algorithms over sizes, and the output: a table and a tuning file. */
#ifndef TOOLS_TUNE_TUNE_H
#define TOOLS_TUNE_TUNE_H

#include <mrt_lib.h>
#include <stddef.h>
#include <stdio.h>

#include "apps/common/sizes.h"

/* Bytes of a buffer; block sizes for which it is too small are left out. */
enum { TUNE_BYTES = 16 << 20 };

enum { TUNE_WAYS = 64, TUNE_NAME = 64, TUNE_ROUNDS_MAX = 99 };

enum tune_format { TUNE_TABLE, TUNE_CSV, TUNE_JSON };

struct tune {
	int me, ranks;
	struct sizes sizes;
	double budget; /* seconds per algorithm and size, all rounds */
	int rounds;
	double margin; /* least gain over the default to be written */
	enum tune_format format;
	const char *file; /* NULL: not wanted */
	int progress;
	char *send, *recv;
	size_t *counts;	   /* [ranks] each */
	ptrdiff_t *displs; /* [ranks] */
};

/* A collective as it is timed; `bytes` is the size of a block. */
struct tune_collective {
	const char *name;
	size_t min; /* bytes of an element; 0: no data */
	int blocks; /* a buffer holds a block for each rank */
	void (*call)(const struct tune *t, size_t bytes, int root);
};
/* The list ends with a NULL name. */
extern const struct tune_collective tune_collectives[];

/* Way 0 is the default choice; the others are algorithms with arguments. */
struct tune_times {
	const struct tune_collective *collective;
	int nways, nsizes;
	char way[TUNE_WAYS][TUNE_NAME];
	size_t bytes[SIZES_MAX];
	char chosen[SIZES_MAX]
		   [TUNE_NAME]; /* algorithm that the default chose */
	/* per call, on the slowest rank: median and least of the rounds;
	 * INFINITY: the algorithm does not fit */
	double seconds[SIZES_MAX][TUNE_WAYS], least[SIZES_MAX][TUNE_WAYS];
};

/* Lists the ways and sizes of a collective. */
void tune_prepare(const struct tune *t, const struct tune_collective *c,
		  struct tune_times *times);
/* Measures size k with all ways in turn. Collective; all ranks get
 * the result. */
void tune_measure(struct tune *t, struct tune_times *times, int k);

/* Calls with one way (tune_run.c). tune_fits returns whether a call would use
 * the algorithm if tune_use forced it. */
int tune_fits(const struct tune_times *times, int way, size_t bytes);
/* Forces a way from now on. Collective. */
void tune_use(const struct tune_times *times, int way);
/* Returns the seconds that `iterations` calls took on this rank, after a
 * barrier. Collective. */
double tune_run(const struct tune *t, const struct tune_times *times,
		size_t bytes, long iterations);
/* Returns an even number of calls that take about `seconds` by rank 0's clock,
 * found by a few trials. Collective. */
long tune_calls(const struct tune *t, const struct tune_times *times,
		size_t bytes, double seconds);

/* Return the fastest way of size k, and the one to be used: the default unless
 * another is faster by the margin, both in the median and in the least time. */
int tune_fastest(const struct tune_times *times, int k);
int tune_winner(const struct tune *t, const struct tune_times *times, int k);

/* Output as a table, CSV or JSON (tune_out.c); rank 0 only. */
void tune_out_begin(const struct tune *t);
void tune_out_collective(const struct tune *t, const struct tune_times *times);
void tune_out_size(const struct tune *t, const struct tune_times *times, int k);
void tune_out_end(const struct tune *t);

/* Writes the tuning file (tune_write.c); rank 0 only. Returns 0, or -1 after a
 * message. The file appears whole or not at all. */
int tune_write(const struct tune *t, const struct tune_times *all, int n);
#endif
