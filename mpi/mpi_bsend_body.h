/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_bsend_body.h: the buffers of buffered sends, for int and for MPI_Count;
 * included by mpi_bsend.c with COUNT and NAME. */

/* A negative size becomes a size_t beyond any bound, which libmrt rejects. */
APIS(Buffer_attach)(void *buffer, COUNT size)
{
	return mpi_result(MPI_COMM_NULL, __func__,
			  mrt_buffer_attach(buffer, (size_t)size));
}

APIS(Comm_attach_buffer)(MPI_Comm comm, void *buffer, COUNT size)
{
	return mpi_result(
	    comm, __func__,
	    mrt_comm_buffer_attach(to_comm(comm), buffer, (size_t)size));
}

APIS(Session_attach_buffer)(MPI_Session session, void *buffer, COUNT size)
{
	return mpi_session_result(
	    session, __func__,
	    mrt_shared_buffer_attach(mpi_session_buffer(session), buffer,
				     (size_t)size));
}

/* Stores the size of a buffer that was detached; returns rc. */
static int NAME(detached)(int rc, size_t bytes, COUNT *size)
{
	if (!rc)
		*size = _Generic(*size, int
				 : to_int, MPI_Count
				 : to_MPI_Count)(bytes);
	return rc;
}

/* buffer_addr is the address of a pointer of any type. */
APIS(Buffer_detach)(void *buffer_addr, COUNT *size)
{
	size_t bytes = 0;
	int rc = mrt_buffer_detach(buffer_addr, size ? &bytes : NULL);

	return mpi_result(MPI_COMM_NULL, __func__,
			  NAME(detached)(rc, bytes, size));
}

APIS(Comm_detach_buffer)(MPI_Comm comm, void *buffer_addr, COUNT *size)
{
	size_t bytes = 0;
	int rc = mrt_comm_buffer_detach(to_comm(comm), buffer_addr,
					size ? &bytes : NULL);

	return mpi_result(comm, __func__, NAME(detached)(rc, bytes, size));
}

APIS(Session_detach_buffer)
(MPI_Session session, void *buffer_addr, COUNT *size)
{
	size_t bytes = 0;
	int rc = mrt_shared_buffer_detach(mpi_session_buffer(session),
					  buffer_addr, size ? &bytes : NULL);

	return mpi_session_result(session, __func__,
				  NAME(detached)(rc, bytes, size));
}
