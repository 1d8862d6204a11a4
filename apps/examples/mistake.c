/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mistake.c: a mistake. Rank 0 asks for the sum, the others for the largest,
 * and MRT_CHECK=1 says which ranks do so.
 */
#include <stdio.h>

#include <mpi.h>

int main(int argc, char **argv)
{
	int me, result;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Allreduce(&me, &result, 1, MPI_INT, me == 0 ? MPI_SUM : MPI_MAX,
		      MPI_COMM_WORLD);
	if (me == 0)
		printf("the sum is %d\n", result);
	return MPI_Finalize();
}
