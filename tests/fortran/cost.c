/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cost.c sends messages of 8 bytes to itself, like cost.F90.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	double x = 1, y;

	MPI_Init(&argc, &argv);
	for (int k = 0; k < rounds; k++) {
		MPI_Send(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
		MPI_Recv(&y, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF,
			 MPI_STATUS_IGNORE);
	}
	return MPI_Finalize();
}
