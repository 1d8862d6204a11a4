/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_bsend.c: the buffers of buffered sends (MPI 4.1, chapter 3.6). */
#include <limits.h>

#include "mpi/mpi_impl.h"

_Static_assert(MPI_BSEND_OVERHEAD == MRT_BSEND_OVERHEAD, "the same");

/* Converts a size to int: MPI_UNDEFINED if it is too large. */
static int to_int(size_t bytes)
{
	return bytes <= INT_MAX ? (int)bytes : MPI_UNDEFINED;
}

static MPI_Count to_MPI_Count(size_t bytes)
{
	return (MPI_Count)bytes;
}

#define COUNT int
#define NAME(name) name
#include "mpi/mpi_bsend_body.h"
#undef COUNT
#undef NAME

#define COUNT MPI_Count
#define NAME(name) name##_c
#include "mpi/mpi_bsend_body.h"

API(Buffer_flush)(void)
{
	return mpi_result(MPI_COMM_NULL, __func__, mrt_buffer_flush());
}

API(Buffer_iflush)(MPI_Request *request)
{
	return mpi_result(MPI_COMM_NULL, __func__,
			  mrt_buffer_iflush(to_requests(request)));
}

API(Comm_flush_buffer)(MPI_Comm comm)
{
	return mpi_result(comm, __func__, mrt_comm_buffer_flush(to_comm(comm)));
}

API(Comm_iflush_buffer)(MPI_Comm comm, MPI_Request *request)
{
	return mpi_result(
	    comm, __func__,
	    mrt_comm_buffer_iflush(to_comm(comm), to_requests(request)));
}

API(Session_flush_buffer)(MPI_Session session)
{
	return mpi_session_result(
	    session, __func__,
	    mrt_shared_buffer_flush(mpi_session_buffer(session)));
}

API(Session_iflush_buffer)(MPI_Session session, MPI_Request *request)
{
	return mpi_session_result(
	    session, __func__,
	    mrt_shared_buffer_iflush(mpi_session_buffer(session),
				     to_requests(request)));
}
