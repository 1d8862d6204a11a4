/* SPDX-License-Identifier: Apache-2.0 */
/*
 * late.c: a job in which one rank comes late, for the test of traces:
 *   late ROUNDS
 * In each round the last rank works while the others are in an allreduce, or
 * about to enter it, and then joins them.
 */
#include <stdlib.h>
#include <time.h>

#include "mrt.h"

enum { WORK_NS = 20000000 };

static void round_of(int rank, int size)
{
	const struct timespec work = {0, WORK_NS};
	double x = rank, sum;

	if (rank < size - 1)
		mrt_send(&x, 1, MRT_DOUBLE, size - 1, 1, MRT_COMM_WORLD);
	for (int k = 0; rank == size - 1 && k < size - 1; k++)
		mrt_recv(&x, 1, MRT_DOUBLE, k, 1, MRT_COMM_WORLD, NULL);
	if (rank == size - 1)
		nanosleep(&work, NULL);
	mrt_allreduce(&x, &sum, 1, MRT_DOUBLE, MRT_SUM, MRT_COMM_WORLD);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;

	mrt_init(&argc, &argv);
	for (int k = 0; k < rounds; k++)
		round_of(mrt_rank(MRT_COMM_WORLD), mrt_size(MRT_COMM_WORLD));
	return mrt_finalize();
}
