/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_bsend_body.h: the buffers of buffered sends, for int and for MPI_Count;
 * included by mpi_bsend.c with COUNT and NAME. */

/* A negative size becomes a size_t beyond any bound, which libmrt rejects. */
APIS(Buffer_attach)(void *buffer, COUNT size)
{
	return mpi_result(MPI_COMM_SELF, __func__,
			  mrt_buffer_attach(buffer, (size_t)size));
}

APIS(Comm_attach_buffer)(MPI_Comm comm, void *buffer, COUNT size)
{
	return mpi_result(
	    comm, __func__,
	    mrt_comm_buffer_attach(to_comm(comm), buffer, (size_t)size));
}

/* Ends a function that detaches a buffer. */
static int NAME(detached)(MPI_Comm comm, const char *function, int rc,
			  size_t bytes, COUNT *size)
{
	if (!rc)
		*size = _Generic(*size, int
				 : to_int, MPI_Count
				 : to_MPI_Count)(bytes);
	return mpi_result(comm, function, rc);
}

/* buffer_addr is the address of a pointer of any type. */
APIS(Buffer_detach)(void *buffer_addr, COUNT *size)
{
	size_t bytes = 0;
	int rc = mrt_buffer_detach(buffer_addr, size ? &bytes : NULL);

	return NAME(detached)(MPI_COMM_SELF, __func__, rc, bytes, size);
}

APIS(Comm_detach_buffer)(MPI_Comm comm, void *buffer_addr, COUNT *size)
{
	size_t bytes = 0;
	int rc = mrt_comm_buffer_detach(to_comm(comm), buffer_addr,
					size ? &bytes : NULL);

	return NAME(detached)(comm, __func__, rc, bytes, size);
}
