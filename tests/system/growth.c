/* SPDX-License-Identifier: Apache-2.0 */
/* growth.c: what every job does at its start, for growth.t: a barrier, an
 * allreduce, two communicators, a message to each neighbour; with an argument
 * instead a message to every rank. */
#include <stdio.h>
#include <stdlib.h>

#include "mrt_lib.h"

static int size, rank;

static void fail(const char *what)
{
	fprintf(stderr, "rank %d: %s is wrong\n", rank, what);
	mrt_abort(MRT_COMM_WORLD, 1);
}

static void usual(void)
{
	int right = (rank + 1) % size, left = (rank - 1 + size) % size;
	struct mrt_comm *half, *copy;
	int one = 1, sum = 0, got = -1;

	mrt_barrier(MRT_COMM_WORLD);
	mrt_allreduce(&one, &sum, 1, MRT_INT, MRT_SUM, MRT_COMM_WORLD);
	if (sum != size)
		fail("the sum");
	mrt_comm_split(MRT_COMM_WORLD, rank % 2, rank, &half);
	if (mrt_rank(half) != rank / 2)
		fail("the rank in a half");
	mrt_comm_dup(half, &copy);
	mrt_barrier(copy);
	mrt_comm_free(&copy);
	mrt_comm_free(&half);
	mrt_sendrecv(&rank, 1, MRT_INT, right, 0, &got, 1, MRT_INT, left, 0,
		     MRT_COMM_WORLD, NULL);
	if (got != left)
		fail("what the neighbour sent");
}

static void all_pairs(void)
{
	struct mrt_request **r =
	    calloc(2 * (size_t)size, sizeof(struct mrt_request *));
	int *in = calloc((size_t)size, sizeof(*in));

	if (!r || !in)
		fail("the memory");
	for (int k = 0; k < size; k++) {
		mrt_irecv(&in[k], 1, MRT_INT, k, 0, MRT_COMM_WORLD, &r[k]);
		mrt_isend(&rank, 1, MRT_INT, k, 0, MRT_COMM_WORLD,
			  &r[size + k]);
	}
	mrt_waitall(2 * size, r, NULL);
	for (int k = 0; k < size; k++)
		if (in[k] != k)
			fail("what a rank sent");
	free(r);
	free(in);
}

int main(int argc, char **argv)
{
	mrt_init(&argc, &argv);
	size = mrt_size(MRT_COMM_WORLD);
	rank = mrt_rank(MRT_COMM_WORLD);
	if (argc > 1)
		all_pairs();
	else
		usual();
	return mrt_finalize();
}
