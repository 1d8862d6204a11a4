/* SPDX-License-Identifier: Apache-2.0 */
/* count_sends.c is a profiler: it counts the calls of MPI_Send and the bytes,
 * and prints both at MPI_Finalize. Link it before the MPI library, or preload
 * it. */
#include <stdio.h>

#include <mpi.h>

static long counts[2]; /* calls, bytes */

int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest,
	     int tag, MPI_Comm comm)
{
	int size;

	PMPI_Type_size(datatype, &size);
	counts[0]++;
	counts[1] += (long)count * size;
	return PMPI_Send(buf, count, datatype, dest, tag, comm);
}

int MPI_Finalize(void)
{
	long sums[2];
	int rank;

	PMPI_Reduce(counts, sums, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		printf("profile: %ld sends, %ld bytes\n", sums[0], sums[1]);
	return PMPI_Finalize();
}
