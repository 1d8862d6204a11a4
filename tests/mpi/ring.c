/* SPDX-License-Identifier: Apache-2.0 */
/* ring.c: the least that every other program of tests/mpi/ needs: messages
 * around all ranks, and an error that returns. */
#include "tests/mpi/mpi_test.h"

static void around(void)
{
	uint64_t random = mpi_test_seed;
	MPI_Request request;
	MPI_Status status;

	for (int round = 0; round < 50; round++) {
		int out = me, in = -1, tag = random_below(&random, 1000);

		OK(MPI_Irecv(&in, 1, MPI_INT, left_of(me), tag, W, &request));
		OK(MPI_Send(&out, 1, MPI_INT, right_of(me), tag, W));
		OK(MPI_Wait(&request, &status));
		CHECK_EQ(in, left_of(me));
		CHECK_EQ(status.MPI_SOURCE, left_of(me));
		CHECK_EQ(status.MPI_TAG, tag);
	}
}

static void errors(void)
{
	int x = 0;

	CHECK_ERROR(MPI_ERR_RANK, MPI_Send(&x, 1, MPI_INT, np, 0, W));
	CHECK_ERROR(MPI_ERR_TAG, MPI_Send(&x, 1, MPI_INT, me, -7, W));
	CHECK_ERROR(MPI_ERR_COUNT, MPI_Send(&x, -1, MPI_INT, me, 0, W));
}

static const struct mpi_case cases[] = {
    {"messages around the ranks", around},
    {"errors return their class", errors},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
