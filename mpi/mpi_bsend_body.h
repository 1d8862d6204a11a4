/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_bsend_body.h: the buffer of buffered sends, for int and for MPI_Count;
 * included by mpi_bsend.c with COUNT and NAME. */

/* A negative size becomes a size_t beyond any bound, which libmrt rejects. */
APIS(Buffer_attach)(void *buffer, COUNT size)
{
	return mpi_result(MPI_COMM_SELF, __func__,
			  mrt_buffer_attach(buffer, (size_t)size));
}

/* buffer_addr is the address of a pointer of any type. */
APIS(Buffer_detach)(void *buffer_addr, COUNT *size)
{
	size_t bytes;
	int rc;

	if (!buffer_addr || !size)
		return mpi_null(MPI_COMM_SELF, __func__, "buffer_addr or size");
	rc = mrt_buffer_detach(buffer_addr, &bytes);
	if (!rc)
		*size = _Generic(*size, int
				 : to_int, MPI_Count
				 : to_MPI_Count)(bytes);
	return mpi_result(MPI_COMM_SELF, __func__, rc);
}
