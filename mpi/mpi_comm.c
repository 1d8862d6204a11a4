/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_comm.c: communicators (MPI 4.1, chapter 7). */
#include "mpi/mpi_impl.h"

API(Comm_rank)(MPI_Comm comm, int *rank)
{
	int r = mrt_rank(to_comm(comm));

	if (r < 0)
		return mpi_failed(comm, __func__, r);
	*rank = r;
	return MPI_SUCCESS;
}

API(Comm_size)(MPI_Comm comm, int *size)
{
	int n = mrt_size(to_comm(comm));

	if (n < 0)
		return mpi_failed(comm, __func__, n);
	*size = n;
	return MPI_SUCCESS;
}
