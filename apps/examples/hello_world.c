/* SPDX-License-Identifier: Apache-2.0 */
/* hello_world.c: each rank says who it is. */
#include <stdio.h>

#include <mpi.h>

int main(int argc, char **argv)
{
	int me, n, length;
	char host[MPI_MAX_PROCESSOR_NAME];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	MPI_Get_processor_name(host, &length);
	printf("hello from rank %d of %d on %s\n", me, n, host);
	return MPI_Finalize();
}
