/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pattern.c sends a known number of messages, for the tests of counters:
 *   pattern EAGER SYNC RENDEZVOUS [AT-ONCE [ROUNDS [VECTORS]]]
 * Rank 0 sends rank 1 that many messages of 8 bytes, of 16 bytes synchronously,
 * and of 100000 bytes: one after the other, and then some at once. Other ranks
 * do nothing. In each of ROUNDS all ranks send rank 0 a message of 1 MB. Rank 0
 * sends rank 1 that many vectors, of every other double, of 1 MB.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "mrt_lib.h"

enum { LONG = 100000, LONGEST = 1000000, MOST = 64 };

static void exchange(char *buf, int rank, int n, size_t bytes, bool sync)
{
	for (int i = 0; i < n; i++) {
		if (rank == 1)
			mrt_recv(buf, bytes, MRT_BYTE, 0, 1, MRT_COMM_WORLD,
				 NULL);
		else if (sync)
			mrt_ssend(buf, bytes, MRT_BYTE, 1, 1, MRT_COMM_WORLD);
		else
			mrt_send(buf, bytes, MRT_BYTE, 1, 1, MRT_COMM_WORLD);
	}
}

static void exchange_at_once(char *buf, int rank, int n)
{
	struct mrt_request *requests[MOST];

	for (int i = 0; i < n; i++)
		if (rank == 1)
			mrt_irecv(buf + (size_t)i * LONG, LONG, MRT_BYTE, 0, 1,
				  MRT_COMM_WORLD, &requests[i]);
		else
			mrt_isend(buf, LONG, MRT_BYTE, 1, 1, MRT_COMM_WORLD,
				  &requests[i]);
	mrt_waitall((size_t)n, requests, NULL);
}

static void send_to_one(char *buf, int rank, int rounds)
{
	struct mrt_request *requests[MOST];
	int size = mrt_size(MRT_COMM_WORLD);

	for (int k = 0; k < rounds; k++) {
		for (int r = 1; r < size && !rank; r++)
			mrt_irecv(buf + (size_t)r * LONGEST, LONGEST, MRT_BYTE,
				  r, 1, MRT_COMM_WORLD, &requests[r - 1]);
		if (rank)
			mrt_send(buf, LONGEST, MRT_BYTE, 0, 1, MRT_COMM_WORLD);
		else
			mrt_waitall((size_t)size - 1, requests, NULL);
	}
}

static void exchange_vectors(char *buf, int rank, int n)
{
	struct mrt_type *vector;

	mrt_type_vector(LONGEST / 8, 1, 2, MRT_DOUBLE, &vector);
	mrt_type_commit(vector);
	for (int i = 0; i < n; i++)
		if (rank)
			mrt_recv(buf, LONGEST, MRT_BYTE, 0, 1, MRT_COMM_WORLD,
				 NULL);
		else
			mrt_send(buf, 1, vector, 1, 1, MRT_COMM_WORLD);
	mrt_type_free(&vector);
}

int main(int argc, char **argv)
{
	int at_once = argc > 4 ? atoi(argv[4]) : 0, rank;
	char *buf = malloc((size_t)LONGEST * MOST);

	if (argc < 4 || argc > 7 || at_once > MOST || !buf) {
		fprintf(stderr, "usage: pattern EAGER SYNC RENDEZVOUS "
				"[AT-ONCE [ROUNDS [VECTORS]]]\n");
		return 64;
	}
	mrt_init(&argc, &argv);
	rank = mrt_rank(MRT_COMM_WORLD);
	if (rank < 2) {
		exchange(buf, rank, atoi(argv[1]), 8, false);
		exchange(buf, rank, atoi(argv[2]), 16, true);
		exchange(buf, rank, atoi(argv[3]), LONG, false);
		exchange_at_once(buf, rank, at_once);
	}
	if (argc > 5)
		send_to_one(buf, rank, atoi(argv[5]));
	if (argc > 6 && rank < 2)
		exchange_vectors(buf, rank, atoi(argv[6]));
	free(buf);
	return mrt_finalize();
}
