/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rings.c exchanges messages between ranks, for the test of what they take in
 * shared memory: one of 8 bytes between all pairs, then TURNS of BYTES bytes
 * between neighbours on a ring.
 *   rings BYTES
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt_lib.h"

enum { TURNS = 10, TAG = 5 };

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

static void neighbours(size_t bytes)
{
	unsigned char *out = malloc(bytes), *in = malloc(bytes);

	if (!in || !out)
		fail("memory");
	for (int turn = 0; turn < 2 * TURNS; turn++) {
		int step = turn % 2 ? 1 : n - 1;
		int to = (me + step) % n, from = (me + n - step) % n;

		memset(out, me + turn, bytes);
		mrt_sendrecv(out, bytes, MRT_BYTE, to, TAG, in, bytes, MRT_BYTE,
			     from, TAG, MRT_COMM_WORLD, NULL);
		for (size_t i = 0; i < bytes; i++)
			if (in[i] != (unsigned char)(from + turn))
				fail("a message");
	}
	free(in);
	free(out);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: rings BYTES\n");
		return 64;
	}
	mrt_init(&argc, &argv);
	me = mrt_rank(MRT_COMM_WORLD);
	n = mrt_size(MRT_COMM_WORLD);
	all_pairs();
	mrt_barrier(MRT_COMM_WORLD);
	neighbours((size_t)atol(argv[1]));
	return mrt_finalize();
}
