/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_partitioned.c: partitioned communication (MPI 4.1, chapter 4). */
#include "mpi/mpi_impl.h"

#define INIT(Name, call, buffer)                                               \
	API(Name)                                                              \
	(buffer buf, int partitions, MPI_Count count, MPI_Datatype datatype,   \
	 int peer, int tag, MPI_Comm comm, MPI_Info info,                      \
	 MPI_Request *request)                                                 \
	{                                                                      \
		int error = mpi_info_check(info);                              \
                                                                               \
		return error ? mpi_raise(comm, __func__ + 1, error)            \
			     : mpi_result(comm, __func__,                      \
					  call(buf, partitions, (size_t)count, \
					       to_type(datatype), peer, tag,   \
					       to_comm(comm),                  \
					       to_requests(request)));         \
	}

/* clang-format off */
INIT(Psend_init, mrt_psend_init, const void *)
INIT(Precv_init, mrt_precv_init, void *)
/* the Forum's header has them as well, with an int count in those above */
INIT(Psend_init_c, mrt_psend_init, const void *)
INIT(Precv_init_c, mrt_precv_init, void *)
/* clang-format on */

API(Pready)(int partition, MPI_Request request)
{
	return mpi_request_result(
	    __func__, mrt_pready(partition, (struct mrt_request *)request));
}

API(Pready_range)
(int partition_low, int partition_high, MPI_Request request)
{
	return mpi_request_result(
	    __func__, mrt_pready_range(partition_low, partition_high,
				       (struct mrt_request *)request));
}

API(Pready_list)
(int length, const int array_of_partitions[], MPI_Request request)
{
	return mpi_request_result(
	    __func__, mrt_pready_list((size_t)length, array_of_partitions,
				      (struct mrt_request *)request));
}

API(Parrived)(MPI_Request request, int partition, int *flag)
{
	return mpi_request_result(
	    __func__,
	    mrt_parrived((struct mrt_request *)request, partition, flag));
}
