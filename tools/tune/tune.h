/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tune.h: the parts of mrt-tune: what a collective is here, times of its
 * algorithms over sizes, and what is made of them: a table, a tuning file, a
 * picture.
 */
#ifndef TUNE_TUNE_H
#define TUNE_TUNE_H

#include <mrt_lib.h>
#include <stddef.h>
#include <stdio.h>

#include "apps/common/sizes.h"

/* Bytes of a buffer; larger blocks are left out where it holds several. */
enum { TUNE_BYTES = 16 << 20 };

enum { TUNE_WAYS = 64, TUNE_NAME = 64, TUNE_ROUNDS_MAX = 99 };

enum tune_format { TUNE_TABLE, TUNE_CSV, TUNE_JSON };

struct tune {
	int me, ranks;
	struct sizes sizes;
	double budget; /* seconds for an algorithm and a size, all rounds */
	int rounds;
	double margin; /* faster than the default by this part, to be written */
	enum tune_format format;
	const char *file, *svg; /* NULL: none */
	int progress;
	char *send, *recv;
	size_t *counts;	   /* [ranks], */
	ptrdiff_t *displs; /* [ranks] */
};

/* A collective as it is timed; `bytes` are of a block. */
struct tune_collective {
	const char *name;
	size_t min; /* bytes of an element; 0: it has no data */
	int blocks; /* a buffer holds a block of each rank */
	void (*call)(const struct tune *t, size_t bytes, int root);
};
/* Ends with a NULL name. */
extern const struct tune_collective tune_collectives[];

/* Way 0 is the default choice, the others are algorithms and arguments. */
struct tune_times {
	const struct tune_collective *collective;
	int nways, nsizes;
	char way[TUNE_WAYS][TUNE_NAME];
	size_t bytes[SIZES_MAX];
	char chosen[SIZES_MAX][TUNE_NAME]; /* by default */
	/* of a call, the slowest rank: median of the rounds, least of them;
	 * INFINITY: the way does not fit */
	double seconds[SIZES_MAX][TUNE_WAYS], least[SIZES_MAX][TUNE_WAYS];
};

/* Lists ways and sizes of a collective. */
void tune_prepare(const struct tune *t, const struct tune_collective *c,
		  struct tune_times *times);
/* Measures size k, all ways by turns; all ranks get the result. */
void tune_measure(struct tune *t, struct tune_times *times, int k);

/* Calls with one way (tune_run.c). Does a call use this algorithm when it is
 * forced (tune_use)? */
int tune_fits(const struct tune_times *times, int way, size_t bytes);
/* From now on; collective. */
void tune_use(const struct tune_times *times, int way);
/* Seconds that so many calls took here, after a barrier. Collective. */
double tune_run(const struct tune *t, const struct tune_times *times,
		size_t bytes, long iterations);
/* How many calls, an even number, take so many seconds by rank 0's clock: a few
 * times more until they take a measurable part of them. Collective. */
long tune_calls(const struct tune *t, const struct tune_times *times,
		size_t bytes, double seconds);

/* The fastest way of size k, and the one to be used: the default unless
 * another is faster by the margin, in the median and in the least time. */
int tune_fastest(const struct tune_times *times, int k);
int tune_winner(const struct tune *t, const struct tune_times *times, int k);

/* Output (tune_out.c), on rank 0. */
void tune_out_begin(const struct tune *t);
void tune_out_collective(const struct tune *t, const struct tune_times *times);
void tune_out_size(const struct tune *t, const struct tune_times *times, int k);
void tune_out_end(const struct tune *t);

/* The tuning file (tune_write.c), and a picture (tune_plot.c); on rank 0. 0,
 * or -1 after a message. A file appears whole or not at all. */
int tune_write(const struct tune *t, const struct tune_times *all, int n);
int tune_plot(const struct tune *t, const struct tune_times *times);
#endif
