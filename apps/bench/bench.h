/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench.h: the parts of mrt-bench. A test is a row of a table, with the pattern
 * that it times. bench.c chooses sizes and iterations; bench_out.c prints rows
 * as a table, CSV or JSON.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <mrt.h>
#include <stddef.h>

#include "apps/common/sizes.h"

#define BENCH_WINDOW_MAX 1024

/* The meaning of a test's figure, which decides how it is computed
 * and shown. */
enum bench_kind {
	BENCH_LATENCY,	  /* us one way: half a round trip */
	BENCH_BANDWIDTH,  /* MB/s (10^6) of a window of messages */
	BENCH_RATE,	  /* messages per second over all pairs */
	BENCH_OPERATION,  /* us of an operation and its flush */
	BENCH_WAYS_TABLE, /* us one way, of a layout sent in several ways */
	BENCH_COLLECTIVE, /* us per call: average over the ranks */
	BENCH_BARRIER,	  /* us per call of a collective without data */
	BENCH_PACK	  /* GB/s (10^9) of one rank alone */
};

enum bench_format { BENCH_TABLE, BENCH_CSV, BENCH_JSON };

struct bench {
	struct mrt_comm *comm;
	int me; /* rank in comm and world */
	int ranks;
	int window;	 /* messages in flight in the bandwidth tests */
	int integers;	 /* reductions add integers instead of doubles */
	int sync;	 /* a barrier, not timed, after each collective */
	int check;	 /* verify data at each size */
	long iterations; /* 0: as many as fit in `budget` seconds */
	long warmup;
	double budget;
	enum bench_format format;
	int progress;
	struct sizes counts,
	    gaps;    /* for gather: block counts; strides in blocks */
	long offset; /* of buffers behind the beginning of a page */
	char *send;  /* [largest size] */
	char *recv;
	struct mrt_request *requests[2 * BENCH_WINDOW_MAX];
};

struct bench_test {
	const char *name;
	enum bench_kind kind;
	size_t min; /* default sizes */
	size_t max;
	/*
	 * Runs the pattern `iterations` times after a barrier, and returns the
	 * seconds that this took on this rank. Collective; ranks that take no
	 * part return 0.
	 */
	double (*run)(struct bench *b, size_t bytes, long iterations);
	/* Returns how many bytes or elements of b->recv are wrong after one
	 * iteration with the data of fill() in bench.c. */
	size_t (*verify)(const struct bench *b, size_t bytes);
	/* Measures and prints several figures for a size, instead of run and
	 * verify; returns 1 if data was wrong. */
	int (*sweep)(struct bench *b, size_t bytes);
	int doubles; /* a reduction: send holds doubles */
	int wide;    /* buffers hold a block for each rank */
};

/* Point-to-point tests (bench_p2p.c), collectives (bench_coll.c), and, with
 * libmrt only, windows (bench_win.c), gathered sends (bench_sendv.c) and
 * packing (bench_pack.c). Each list ends with a NULL name. */
extern const struct bench_test bench_p2p_tests[];
extern const struct bench_test bench_win_tests[];
extern const struct bench_test bench_sendv_tests[];
extern const struct bench_test bench_pack_tests[];
extern const struct bench_test bench_coll_tests[];

/* The measurement at one size. */
struct bench_row {
	const struct bench_test *test;
	size_t bytes;
	long iterations;
	double avg; /* in the unit of the test's kind */
	double min;
	double max;
	int bad; /* 1: verification failed */
};

/* Returns byte i of the data that `rank` sends. */
static inline char bench_pattern(int rank, size_t i)
{
	return (char)(i * 7 + (i >> 8) + (size_t)rank * 13 + 1);
}

/* Runs the tests of n rows by turns. Sets their iterations, and best[i] to the
 * seconds of the fastest run of rows[i]. */
void bench_by_turns(struct bench *b, struct bench_row *rows, int n,
		    double best[]);

/* Output (bench_out.c): rank 0 prints, other ranks do nothing. */
void bench_out_begin(const struct bench *b);
void bench_out_test(const struct bench *b, const struct bench_test *test);
void bench_out_row(const struct bench *b, const struct bench_row *row);
/* The ways to send one layout: by the fabric, by libmrt, by the program, and
 * flat. */
enum { BENCH_WAYS = 4 };
void bench_out_ways(const struct bench *b,
		    const struct bench_row rows[BENCH_WAYS], size_t block,
		    int count, size_t stride);
/* Packing one shape, unpacking it, and memcpy. */
enum { BENCH_PACK_WAYS = 3 };
void bench_out_pack(const struct bench *b,
		    const struct bench_row rows[BENCH_PACK_WAYS],
		    const char *shape);
void bench_out_end(const struct bench *b);

#endif
