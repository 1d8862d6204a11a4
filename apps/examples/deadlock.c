/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deadlock.c: a mistake. Each rank receives from the next rank before it
 * sends to the one before, so that all wait, each for another.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
	int me, n, token = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	MPI_Recv(&token, 1, MPI_INT, (me + 1) % n, 0, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	MPI_Send(&token, 1, MPI_INT, (me + n - 1) % n, 0, MPI_COMM_WORLD);
	return MPI_Finalize();
}
