/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_win.c: one-sided operations of rank 0 on a window of rank 1, with
 * libmrt only. Rank 1 waits in a barrier, as the target of what it has to apply
 * itself. The latencies are those of an operation and its flush, or of a put
 * with its lock and unlock; the bandwidths those of a window of operations and
 * one flush. The window exposes buffers of
 * the program, so that put and get are RDMA on a device and one copy by the
 * kernel inside a node; the atomics work on memory of mrt_win_allocate.
 */
#include "apps/bench/bench.h"

#include <mrt_lib.h>
#include <stdint.h>
#include <string.h>

static struct mrt_target bench_win_at(size_t count, struct mrt_type *type)
{
	return (struct mrt_target){1, 0, count, type};
}

static void bench_win_put(struct bench *b, size_t bytes, struct mrt_win *win)
{
	const struct mrt_target target = bench_win_at(bytes, MRT_BYTE);

	mrt_put(b->send, bytes, MRT_BYTE, &target, win, NULL);
}

static void bench_win_get(struct bench *b, size_t bytes, struct mrt_win *win)
{
	const struct mrt_target target = bench_win_at(bytes, MRT_BYTE);

	mrt_get(b->recv, bytes, MRT_BYTE, &target, win, NULL);
}

static void bench_win_accumulate(struct bench *b, size_t bytes,
				 struct mrt_win *win)
{
	size_t n = bytes / sizeof(double);
	struct mrt_type *type = b->integers ? MRT_INT64 : MRT_DOUBLE;
	const struct mrt_target target = bench_win_at(n, type);

	mrt_accumulate(b->send, n, type, &target, MRT_SUM, win, NULL);
}

static void fetch_add(struct bench *b, size_t bytes, struct mrt_win *win)
{
	const struct mrt_target target = bench_win_at(1, MRT_INT64);

	(void)bytes;
	mrt_get_accumulate(b->send, 1, MRT_INT64, b->recv, 1, MRT_INT64,
			   &target, MRT_SUM, win, NULL);
}

static void compare_swap(struct bench *b, size_t bytes, struct mrt_win *win)
{
	static const int64_t zero;

	(void)bytes;
	mrt_compare_swap(b->send, &zero, b->recv, MRT_INT64, 1, 0, win);
}

/* ---- Runs ---- */

typedef void operation(struct bench *b, size_t bytes, struct mrt_win *win);

/* Times rounds of `each` operations and a flush, on memory of this rank. */
static double bench_win_timed(struct bench *b, size_t bytes, long iterations,
			      int each, operation *start, struct mrt_win *win)
{
	double began, seconds;

	mrt_win_lock_all(0, win);
	mrt_barrier(b->comm);
	began = mrt_wtime();
	for (long i = 0; b->me == 0 && i < iterations; i++) {
		for (int k = 0; k < each; k++)
			start(b, bytes, win);
		mrt_win_flush(1, win);
	}
	seconds = mrt_wtime() - began;
	mrt_barrier(b->comm);
	mrt_win_unlock_all(win);
	return b->me == 0 ? seconds : 0;
}

static double on_buffer(struct bench *b, size_t bytes, long iterations,
			int each, operation *start, char *memory)
{
	struct mrt_win *win;
	double seconds;

	mrt_win_create(memory, bytes, 1, b->comm, &win);
	seconds = bench_win_timed(b, bytes, iterations, each, start, win);
	mrt_win_free(&win);
	return seconds;
}

/* The memory begins as zeros; afterwards rank 1 has it in b->recv. */
static double on_allocated(struct bench *b, size_t bytes, long iterations,
			   operation *start)
{
	struct mrt_win *win;
	void *memory;
	double seconds;

	mrt_win_allocate(bytes, 1, b->comm, &memory, &win);
	memset(memory, 0, bytes);
	mrt_barrier(b->comm);
	seconds = bench_win_timed(b, bytes, iterations, 1, start, win);
	if (b->me == 1)
		memcpy(b->recv, memory, bytes);
	mrt_win_free(&win);
	return seconds;
}

/* A put in an epoch of its own. */
static double run_lock_put(struct bench *b, size_t bytes, long iterations)
{
	struct mrt_win *win;
	double began, seconds;

	mrt_win_create(b->recv, bytes, 1, b->comm, &win);
	mrt_barrier(b->comm);
	began = mrt_wtime();
	for (long i = 0; b->me == 0 && i < iterations; i++) {
		mrt_win_lock(1, 1, 0, win);
		bench_win_put(b, bytes, win);
		mrt_win_unlock(1, win);
	}
	seconds = mrt_wtime() - began;
	mrt_barrier(b->comm);
	mrt_win_free(&win);
	return b->me == 0 ? seconds : 0;
}

static double run_put(struct bench *b, size_t bytes, long iterations)
{
	return on_buffer(b, bytes, iterations, 1, bench_win_put, b->recv);
}

static double run_get(struct bench *b, size_t bytes, long iterations)
{
	return on_buffer(b, bytes, iterations, 1, bench_win_get, b->send);
}

static double run_put_bw(struct bench *b, size_t bytes, long iterations)
{
	return on_buffer(b, bytes, iterations, b->window, bench_win_put,
			 b->recv);
}

static double run_get_bw(struct bench *b, size_t bytes, long iterations)
{
	return on_buffer(b, bytes, iterations, b->window, bench_win_get,
			 b->send);
}

static double run_accumulate(struct bench *b, size_t bytes, long iterations)
{
	return on_allocated(b, bytes, iterations, bench_win_accumulate);
}

static double run_fetch_add(struct bench *b, size_t bytes, long iterations)
{
	return on_allocated(b, bytes, iterations, fetch_add);
}

static double run_compare_swap(struct bench *b, size_t bytes, long iterations)
{
	return on_allocated(b, bytes, iterations, compare_swap);
}

/* ---- Results ---- */

/* Rank `at` must have what rank `from` had in b->send. */
static size_t bench_win_differences(const struct bench *b, size_t bytes, int at,
				    int from)
{
	size_t bad = 0;

	for (size_t i = 0; b->me == at && i < bytes; i++)
		bad += b->recv[i] != bench_pattern(from, i);
	return bad;
}

static size_t verify_put(const struct bench *b, size_t bytes)
{
	return bench_win_differences(b, bytes, 1, 0);
}

static size_t verify_get(const struct bench *b, size_t bytes)
{
	return bench_win_differences(b, bytes, 0, 1);
}

static size_t verify_accumulate(const struct bench *b, size_t bytes)
{
	const double *real = (const double *)(const void *)b->recv;
	const int64_t *integer = (const int64_t *)(const void *)b->recv;
	size_t bad = 0;

	for (size_t i = 0; b->me == 1 && i < bytes / 8; i++)
		bad += b->integers ? integer[i] != (int64_t)(i % 1000)
				   : real[i] != (double)(i % 1000);
	return bad;
}

/* Rank 0 must have found zeros. */
static size_t verify_atomic(const struct bench *b, size_t bytes)
{
	size_t bad = bench_win_differences(b, bytes, 1, 0);

	for (size_t i = 0; b->me == 0 && i < bytes; i++)
		bad += b->recv[i] != 0;
	return bad;
}

#define WINDOW(call, unit, least, most, check)                                 \
	.name = #call, .kind = unit, .min = least, .max = most,                \
	.run = run_##call, .verify = check

const struct bench_test bench_win_tests[] = {
    {WINDOW(put, BENCH_OPERATION, 1, 4 << 20, verify_put)},
    {WINDOW(get, BENCH_OPERATION, 1, 4 << 20, verify_get)},
    {WINDOW(lock_put, BENCH_OPERATION, 1, 4 << 20, verify_put)},
    {WINDOW(put_bw, BENCH_BANDWIDTH, 1, 4 << 20, verify_put)},
    {WINDOW(get_bw, BENCH_BANDWIDTH, 1, 4 << 20, verify_get)},
    {WINDOW(accumulate, BENCH_OPERATION, 8, 4 << 20, verify_accumulate),
     .doubles = 1},
    {WINDOW(fetch_add, BENCH_OPERATION, 8, 8, verify_atomic)},
    {WINDOW(compare_swap, BENCH_OPERATION, 8, 8, verify_atomic)},
    {.name = NULL}};
