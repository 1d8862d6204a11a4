/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench.h: the parts of mrt-bench. A test is a row of a table with the
 * pattern that it times; the driver chooses sizes and iterations; the output
 * turns rows into a table, CSV or JSON.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <mrt.h>
#include <stddef.h>

#include "apps/common/sizes.h"

#define BENCH_WINDOW_MAX 1024

/* What a test's figure means, which decides how it is computed and shown. */
enum bench_kind {
	BENCH_LATENCY,	  /* microseconds one way, half a round trip */
	BENCH_BANDWIDTH,  /* MB/s (10^6) of a window of messages */
	BENCH_RATE,	  /* messages a second, over all pairs */
	BENCH_WAYS_TABLE, /* a layout in several ways, microseconds one way */
	BENCH_COLLECTIVE, /* microseconds a call: average over the ranks */
	BENCH_BARRIER	  /* the same without a size */
};

enum bench_format { BENCH_TABLE, BENCH_CSV, BENCH_JSON };

struct bench {
	int me;
	int ranks;
	int window;	 /* messages under way in the bandwidth tests */
	int integers;	 /* reductions add them, not doubles */
	int sync;	 /* a barrier after each collective, outside the time */
	int check;	 /* verify the data of each size */
	long iterations; /* 0: as many as fit in `budget` seconds */
	long warmup;
	double budget;
	enum bench_format format;
	int progress;
	struct sizes counts, gaps; /* gather: blocks; stride in blocks */
	char *send;		   /* of the largest size, page-aligned */
	char *recv;
	struct mrt_request *requests[2 * BENCH_WINDOW_MAX];
};

struct bench_test {
	const char *name;
	enum bench_kind kind;
	size_t min; /* sizes by default */
	size_t max;
	/*
	 * Runs the pattern `iterations` times, after a barrier; the seconds
	 * that it took here. Collective; ranks without a part return 0.
	 */
	double (*run)(struct bench *b, size_t bytes, long iterations);
	/* Bytes or elements of b->recv that are wrong after one iteration with
	 * b->send as filled by bench_fill or bench_fill_doubles. */
	size_t (*verify)(const struct bench *b, size_t bytes);
	/* Measures more than one thing of a size, and prints it; 1 if data was
	 * wrong. Then there is no run and no verify. */
	int (*sweep)(struct bench *b, size_t bytes);
	int doubles; /* reduces: send holds doubles */
	int wide;    /* the buffers hold a block for each rank */
};

/* Point-to-point (bench_p2p.c), collective (bench_coll.c) and gather
 * (bench_sendv.c, libmrt alone) tests, each list ending with a NULL name. */
extern const struct bench_test bench_p2p_tests[];
extern const struct bench_test bench_sendv_tests[];
extern const struct bench_test bench_coll_tests[];

/* What was measured at one size. */
struct bench_row {
	const struct bench_test *test;
	size_t bytes;
	long iterations;
	double avg; /* in the unit of the kind */
	double min;
	double max;
	int bad; /* 1: verification failed */
};

/* The pattern of byte i sent by `rank`. */
static inline char bench_pattern(int rank, size_t i)
{
	return (char)(i * 7 + (i >> 8) + (size_t)rank * 13 + 1);
}

/* Iterations that fill the time allowed, after a trial that warms up. */
long bench_choose(struct bench *b, const struct bench_test *test, size_t bytes);

/* Output (bench_out.c), on rank 0; others do nothing. */
void bench_out_begin(const struct bench *b);
void bench_out_test(const struct bench *b, const struct bench_test *test);
void bench_out_row(const struct bench *b, const struct bench_row *row);
/* The ways of one layout: fabric, libmrt, program, flat. */
enum { BENCH_WAYS = 4 };
void bench_out_ways(const struct bench *b,
		    const struct bench_row rows[BENCH_WAYS], size_t block,
		    int count, size_t stride);
void bench_out_end(const struct bench *b);

#endif
