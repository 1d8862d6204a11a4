/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_p2p.c: point-to-point patterns, in the manner of the OSU benchmarks:
 * ping-pong latency, bandwidth with a window of messages and a reply, both
 * directions at once, and the message rate of several pairs. Ranks 0 and 1 take
 * part; in `rate`, rank i of the first half is paired with rank i + half.
 */
#include "apps/bench/bench.h"

enum { TAG_DATA = 1, TAG_REPLY = 2 };

static void send_to(const struct bench *b, size_t bytes, int peer)
{
	mrt_send(b->send, bytes, MRT_BYTE, peer, TAG_DATA, b->comm);
}

static void recv_from(const struct bench *b, size_t bytes, int peer)
{
	mrt_recv(b->recv, bytes, MRT_BYTE, peer, TAG_DATA, b->comm,
		 MRT_STATUS_IGNORE);
}

static double run_latency(struct bench *b, size_t bytes, long iterations)
{
	double start;

	mrt_barrier(b->comm);
	start = mrt_wtime();
	if (b->me == 0)
		for (long i = 0; i < iterations; i++) {
			send_to(b, bytes, 1);
			recv_from(b, bytes, 1);
		}
	else if (b->me == 1)
		for (long i = 0; i < iterations; i++) {
			recv_from(b, bytes, 0);
			send_to(b, bytes, 0);
		}
	return b->me < 2 ? mrt_wtime() - start : 0;
}

static void send_window(struct bench *b, size_t bytes, int peer)
{
	for (int w = 0; w < b->window; w++)
		mrt_isend(b->send, bytes, MRT_BYTE, peer, TAG_DATA, b->comm,
			  &b->requests[w]);
}

/* All receives use one buffer, as in the OSU benchmarks. */
static void recv_window(struct bench *b, size_t bytes, int peer, int at)
{
	for (int w = 0; w < b->window; w++)
		mrt_irecv(b->recv, bytes, MRT_BYTE, peer, TAG_DATA, b->comm,
			  &b->requests[at + w]);
}

static void wait_for(struct bench *b, int count)
{
	mrt_waitall((size_t)count, b->requests, MRT_STATUSES_IGNORE);
}

/* Sends windows from `sender` to the other rank, with a reply after each. */
static double one_way(struct bench *b, size_t bytes, long iterations, int peer,
		      int sender)
{
	char reply[4] = {0};
	double start = mrt_wtime();

	for (long i = 0; i < iterations; i++) {
		if (sender) {
			send_window(b, bytes, peer);
			wait_for(b, b->window);
			mrt_recv(reply, 4, MRT_BYTE, peer, TAG_REPLY, b->comm,
				 MRT_STATUS_IGNORE);
		} else {
			recv_window(b, bytes, peer, 0);
			wait_for(b, b->window);
			mrt_send(reply, 4, MRT_BYTE, peer, TAG_REPLY, b->comm);
		}
	}
	return mrt_wtime() - start;
}

static double run_bw(struct bench *b, size_t bytes, long iterations)
{
	mrt_barrier(b->comm);
	if (b->me >= 2)
		return 0;
	return one_way(b, bytes, iterations, 1 - b->me, b->me == 0);
}

static double run_rate(struct bench *b, size_t bytes, long iterations)
{
	int half = b->ranks / 2;

	mrt_barrier(b->comm);
	if (b->me >= 2 * half)
		return 0;
	return one_way(b, bytes, iterations,
		       b->me < half ? b->me + half : b->me - half,
		       b->me < half);
}

static double run_bibw(struct bench *b, size_t bytes, long iterations)
{
	char reply[4] = {0};
	double start;

	mrt_barrier(b->comm);
	if (b->me >= 2)
		return 0;
	start = mrt_wtime();
	for (long i = 0; i < iterations; i++) {
		recv_window(b, bytes, 1 - b->me, b->window);
		send_window(b, bytes, 1 - b->me);
		wait_for(b, 2 * b->window);
		if (b->me == 0)
			mrt_recv(reply, 4, MRT_BYTE, 1, TAG_REPLY, b->comm,
				 MRT_STATUS_IGNORE);
		else
			mrt_send(reply, 4, MRT_BYTE, 0, TAG_REPLY, b->comm);
	}
	return mrt_wtime() - start;
}

static size_t bench_p2p_differences(const struct bench *b, size_t bytes,
				    int from)
{
	size_t bad = 0;

	for (size_t i = 0; i < bytes; i++)
		bad += b->recv[i] != bench_pattern(from, i);
	return bad;
}

static size_t verify_both(const struct bench *b, size_t bytes)
{
	return b->me < 2 ? bench_p2p_differences(b, bytes, 1 - b->me) : 0;
}

static size_t verify_bw(const struct bench *b, size_t bytes)
{
	return b->me == 1 ? bench_p2p_differences(b, bytes, 0) : 0;
}

static size_t verify_rate(const struct bench *b, size_t bytes)
{
	int half = b->ranks / 2;

	if (b->me < half || b->me >= 2 * half)
		return 0;
	return bench_p2p_differences(b, bytes, b->me - half);
}

#define PAIRS(call, unit, least, check)                                        \
	.name = #call, .kind = unit, .min = least, .max = 4 << 20,             \
	.run = run_##call, .verify = check

const struct bench_test bench_p2p_tests[] = {
    {PAIRS(latency, BENCH_LATENCY, 0, verify_both)},
    {PAIRS(bw, BENCH_BANDWIDTH, 1, verify_bw)},
    {PAIRS(bibw, BENCH_BANDWIDTH, 1, verify_both)},
    {PAIRS(rate, BENCH_RATE, 1, verify_rate)},
    {.name = NULL}};
