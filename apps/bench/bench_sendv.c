/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_sendv.c: sends `count` blocks that lie `stride` apart as one message,
 * in four ways: gathered by the fabric, packed by libmrt, packed by the program
 * into its own buffer, and flat (without gaps), which is the lower bound. They
 * arrive contiguously. Ping-pong of ranks 0 and 1. The ways take turns and the
 * best of several rounds counts, so that they can be compared on a noisy
 * machine.
 */
#include "apps/bench/bench.h"
#include "apps/common/app.h"

#include <mrt_lib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 1, BYTES_MAX = 4 << 20, EXTENT_MAX = 1 << 28 };

static struct layout {
	size_t block, stride, bytes;
	int count;
	char *area; /* the blocks with their gaps */
	char *flat; /* the blocks without gaps */
	char *recv;
	struct iovec *iov;
} at;

/* ---- The ways ---- */

static void send_pieces(const struct bench *b, int peer)
{
	mrt_sendv(at.iov, at.count, peer, TAG, b->comm);
}

static void send_flat(const struct bench *b, int peer)
{
	mrt_send(at.flat, at.bytes, MRT_BYTE, peer, TAG, b->comm);
}

static void send_packed(const struct bench *b, int peer)
{
	for (int i = 0; i < at.count; i++)
		memcpy(at.flat + (size_t)i * at.block,
		       at.area + (size_t)i * at.stride, at.block);
	send_flat(b, peer);
}

static double ping_pong(const struct bench *b, long iterations,
			void (*send)(const struct bench *b, int peer))
{
	double start;

	mrt_barrier(b->comm);
	start = mrt_wtime();
	for (long i = 0; b->me < 2 && i < 2 * iterations; i++)
		if (i % 2 == b->me)
			send(b, 1 - b->me);
		else
			mrt_recv(at.recv, at.bytes, MRT_BYTE, 1 - b->me, TAG,
				 b->comm, MRT_STATUS_IGNORE);
	return b->me < 2 ? mrt_wtime() - start : 0;
}

static double run_fabric(struct bench *b, size_t bytes, long iterations)
{
	mrt_set_gather_min(0);
	return ping_pong(b, iterations, send_pieces);
}

static double run_libmrt(struct bench *b, size_t bytes, long iterations)
{
	mrt_set_gather_min(SIZE_MAX);
	return ping_pong(b, iterations, send_pieces);
}

static double run_program(struct bench *b, size_t bytes, long iterations)
{
	return ping_pong(b, iterations, send_packed);
}

static double run_flat(struct bench *b, size_t bytes, long iterations)
{
	return ping_pong(b, iterations, send_flat);
}

static double (*const runs[BENCH_WAYS])(struct bench *, size_t, long) = {
    run_fabric, run_libmrt, run_program, run_flat};

/* ---- One layout ---- */

static void lay_out(const struct bench *b, size_t block, int count,
		    size_t stride)
{
	at = (struct layout){.block = block,
			     .stride = stride,
			     .bytes = block * (size_t)count,
			     .count = count};
	at.area = app_alloc((size_t)count, stride);
	at.flat = app_alloc((size_t)count, block);
	at.recv = app_alloc((size_t)count, block);
	at.iov = app_alloc((size_t)count, sizeof(*at.iov));
	for (size_t i = 0; i < stride * (size_t)count; i++)
		at.area[i] = bench_pattern(b->me, i);
	for (int i = 0; i < count; i++)
		at.iov[i] = (struct iovec){at.area + (size_t)i * stride, block};
}

static void bench_sendv_clear(void)
{
	free(at.area);
	free(at.flat);
	free(at.recv);
	free(at.iov);
}

/* Needs at.flat, which run_program has filled before run_flat. */
static int is_wrong(struct bench *b, const struct bench_test *way)
{
	int mine = 0, any = 0;

	memset(at.recv, 0xee, at.bytes);
	way->run(b, at.bytes, 1);
	for (size_t i = 0; b->me < 2 && i < at.bytes; i++)
		mine |= at.recv[i] !=
			bench_pattern(1 - b->me,
				      i / at.block * at.stride + i % at.block);
	mrt_allreduce(&mine, &any, 1, MRT_INT, MRT_MAX, b->comm);
	return any;
}

static void time_ways(struct bench *b, struct bench_row rows[BENCH_WAYS])
{
	double best[BENCH_WAYS];

	bench_by_turns(b, rows, BENCH_WAYS, best);
	for (int w = 0; w < BENCH_WAYS; w++) {
		rows[w].avg = best[w] / 2 / (double)rows[w].iterations * 1e6;
		rows[w].min = rows[w].max = rows[w].avg;
	}
}

static int bench_sendv_measure(struct bench *b, size_t block, int count,
			       size_t stride)
{
	static const char *const names[BENCH_WAYS] = {"fabric", "libmrt",
						      "program", "flat"};
	char name[BENCH_WAYS][64];
	struct bench_test way[BENCH_WAYS];
	struct bench_row rows[BENCH_WAYS];
	int bad = 0;

	lay_out(b, block, count, stride);
	for (int w = 0; w < BENCH_WAYS; w++) {
		snprintf(name[w], sizeof(name[w]), "sendv-%s:%zux%d:%zu",
			 names[w], block, count, stride);
		way[w] = (struct bench_test){
		    .name = name[w], .kind = BENCH_LATENCY, .run = runs[w]};
		rows[w] =
		    (struct bench_row){.test = &way[w], .bytes = at.bytes};
	}
	time_ways(b, rows);
	for (int w = 0; b->check && w < BENCH_WAYS; w++) {
		rows[w].bad = is_wrong(b, &way[w]);
		bad |= rows[w].bad;
	}
	bench_out_ways(b, rows, block, count, stride);
	bench_sendv_clear();
	return bad;
}

static int bench_sendv_sweep(struct bench *b, size_t block)
{
	int bad = 0;

	for (int c = 0; c < b->counts.n; c++)
		for (int s = 0; s < b->gaps.n; s++) {
			size_t count = b->counts.bytes[c];
			size_t stride = block * b->gaps.bytes[s];

			if (block * count <= BYTES_MAX &&
			    stride * count <= EXTENT_MAX)
				bad |= bench_sendv_measure(b, block, (int)count,
							   stride);
		}
	return bad;
}

const struct bench_test bench_sendv_tests[] = {{.name = "sendv",
						.kind = BENCH_WAYS_TABLE,
						.min = 64,
						.max = 65536,
						.sweep = bench_sendv_sweep},
					       {.name = NULL}};
