/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rings.c exchanges messages between ranks, for the test of what they take in
 * shared memory: one of 8 bytes between all pairs, then TURNS of BURST messages
 * of BYTES bytes at once between neighbours on a ring.
 *   rings BYTES [BURST]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt_lib.h"

enum { TURNS = 10, TAG = 5, BURST_MAX = 64 };

static int me, n;

static void fail(const char *what)
{
	fprintf(stderr, "rank %d: %s is wrong\n", me, what);
	mrt_abort(MRT_COMM_WORLD, 1);
}

/* The word that one rank sends another. */
static uint64_t word(int from, int to)
{
	return (uint64_t)from << 32 | (uint64_t)to;
}

static void all_pairs(void)
{
	uint64_t *in = calloc((size_t)n, sizeof(*in));
	uint64_t *out = calloc((size_t)n, sizeof(*out));
	struct mrt_request **requests =
	    calloc(2 * (size_t)n, sizeof(struct mrt_request *));

	if (!in || !out || !requests)
		fail("memory");
	for (int r = 0; r < n; r++)
		mrt_irecv(&in[r], 8, MRT_BYTE, r, TAG, MRT_COMM_WORLD,
			  &requests[r]);
	for (int i = 0; i < n; i++) {
		int r = (me + i) % n;

		out[r] = word(me, r);
		mrt_isend(&out[r], 8, MRT_BYTE, r, TAG, MRT_COMM_WORLD,
			  &requests[n + r]);
	}
	mrt_waitall((size_t)n * 2, requests, NULL);
	for (int r = 0; r < n; r++)
		if (in[r] != word(r, me))
			fail("a word");
	free(in);
	free(out);
	free(requests);
}

/* Sends the neighbour `to` messages that all have its bytes, and receives as
 * many from the other one. */
static void exchange(int turn, size_t bytes, int burst, unsigned char *out,
		     unsigned char *in)
{
	int step = turn % 2 ? 1 : n - 1;
	int to = (me + step) % n, from = (me + n - step) % n;
	struct mrt_request *requests[2 * BURST_MAX];

	memset(out, me + turn, bytes);
	for (int k = 0; k < burst; k++)
		mrt_isend(out, bytes, MRT_BYTE, to, TAG, MRT_COMM_WORLD,
			  &requests[k]);
	for (int k = 0; k < burst; k++)
		mrt_irecv(in + (size_t)k * bytes, bytes, MRT_BYTE, from, TAG,
			  MRT_COMM_WORLD, &requests[burst + k]);
	mrt_waitall(2 * (size_t)burst, requests, NULL);
	for (size_t i = 0; i < bytes * (size_t)burst; i++)
		if (in[i] != (unsigned char)(from + turn))
			fail("a message");
}

static void neighbours(size_t bytes, int burst)
{
	unsigned char *out = malloc(bytes);
	unsigned char *in = malloc(bytes * (size_t)burst);

	if (!in || !out)
		fail("memory");
	for (int turn = 0; turn < 2 * TURNS; turn++)
		exchange(turn, bytes, burst, out, in);
	free(in);
	free(out);
}

int main(int argc, char **argv)
{
	int burst = argc > 2 ? atoi(argv[2]) : 1;

	if (argc < 2 || burst < 1 || burst > BURST_MAX) {
		fprintf(stderr, "usage: rings BYTES [BURST]\n");
		return 64;
	}
	mrt_init(&argc, &argv);
	me = mrt_rank(MRT_COMM_WORLD);
	n = mrt_size(MRT_COMM_WORLD);
	all_pairs();
	mrt_barrier(MRT_COMM_WORLD);
	neighbours((size_t)atol(argv[1]), burst);
	return mrt_finalize();
}
