/* SPDX-License-Identifier: Apache-2.0 */
/* ring.c checks the least that every other program of tests/mpi/ needs:
 * messages around all ranks, and an error that returns. */
#include "tests/mpi/mpi_test.h"

static void receive(int tag)
{
	MPI_Status status;
	int in = -1;

	OK(MPI_Recv(&in, 1, MPI_INT, left_of(me), tag, W, &status));
	CHECK_EQ(in, left_of(me));
	CHECK_EQ(status.MPI_SOURCE, left_of(me));
	CHECK_EQ(status.MPI_TAG, tag);
}

static void around(void)
{
	uint64_t random = mpi_test_seed;

	for (int round = 0; round < 50 && np > 1; round++) {
		int tag = random_below(&random, 1000);

		if (me > 0)
			receive(tag);
		OK(MPI_Send(&me, 1, MPI_INT, right_of(me), tag, W));
		if (me == 0)
			receive(tag);
	}
}

static void errors(void)
{
	int x = 0;

	CHECK_ERROR(MPI_ERR_RANK, MPI_Send(&x, 1, MPI_INT, np, 0, W));
	CHECK_ERROR(MPI_ERR_TAG, MPI_Send(&x, 1, MPI_INT, me, -7, W));
	CHECK_ERROR(MPI_ERR_COUNT, MPI_Send(&x, -1, MPI_INT, me, 0, W));
}

static const struct mpi_case cases[] = {{"messages around the ranks", around},
					{"errors return their class", errors},
					{NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
