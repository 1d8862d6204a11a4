/* SPDX-License-Identifier: Apache-2.0 */
/* pingpong.c is an ordinary program, which knows nothing of the profiler: each
 * rank but the last sends ten messages. */
#include <stdio.h>

#include <mpi.h>

int main(int argc, char **argv)
{
	int rank, size, x = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int k = 0; k < 10; k++) {
		if (rank > 0)
			MPI_Recv(&x, 1, MPI_INT, rank - 1, k, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
		if (rank + 1 < size)
			MPI_Send(&x, 1, MPI_INT, rank + 1, k, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
