/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_pack_body.h: packing, for int and for MPI_Count; included by mpi_pack.c
 * with COUNT, COUNT_MAX, BYTES and NAME. Negative numbers become a size_t
 * beyond any bound, which libmrt rejects. */

APIS(Pack)
(const void *inbuf, COUNT incount, MPI_Datatype datatype, void *outbuf,
 COUNT outsize, COUNT *position, MPI_Comm comm)
{
	size_t at = position ? (size_t)*position : 0;
	int rc = check_comm(comm);

	if (!rc && outsize < 0)
		rc = MRT_ERR_ARG;
	if (!rc)
		rc = mrt_pack(inbuf, (size_t)incount, to_type(datatype), outbuf,
			      (size_t)outsize, position ? &at : NULL);
	if (!rc)
		*position = (COUNT)at;
	return mpi_result(comm, __func__, rc);
}

APIS(Unpack)
(const void *inbuf, COUNT insize, COUNT *position, void *outbuf, COUNT outcount,
 MPI_Datatype datatype, MPI_Comm comm)
{
	size_t at = position ? (size_t)*position : 0;
	int rc = check_comm(comm);

	if (!rc && insize < 0)
		rc = MRT_ERR_ARG;
	if (!rc)
		rc = mrt_unpack(inbuf, (size_t)insize, position ? &at : NULL,
				outbuf, (size_t)outcount, to_type(datatype));
	if (!rc)
		*position = (COUNT)at;
	return mpi_result(comm, __func__, rc);
}

APIS(Pack_size)
(COUNT incount, MPI_Datatype datatype, MPI_Comm comm, COUNT *size)
{
	size_t bytes = 0;
	int rc = check_comm(comm);

	if (!rc)
		rc = mrt_pack_size((size_t)incount, to_type(datatype),
				   size ? &bytes : NULL);
	if (!rc)
		*size = bytes > COUNT_MAX ? MPI_UNDEFINED : (COUNT)bytes;
	return mpi_result(comm, __func__, rc);
}

APIS(Pack_external)
(const char datarep[], const void *inbuf, COUNT incount, MPI_Datatype datatype,
 void *outbuf, BYTES outsize, BYTES *position)
{
	size_t at = position ? (size_t)*position : 0;
	int rc = outsize < 0 ? MRT_ERR_ARG : 0;

	if (!is_external32(datarep))
		return other_form(__func__);
	if (!rc)
		rc = mrt_pack_external(inbuf, (size_t)incount,
				       to_type(datatype), outbuf,
				       (size_t)outsize, position ? &at : NULL);
	if (!rc)
		*position = (BYTES)at;
	return mpi_result(MPI_COMM_NULL, __func__, rc);
}

APIS(Unpack_external)
(const char datarep[], const void *inbuf, BYTES insize, BYTES *position,
 void *outbuf, COUNT outcount, MPI_Datatype datatype)
{
	size_t at = position ? (size_t)*position : 0;
	int rc = insize < 0 ? MRT_ERR_ARG : 0;

	if (!is_external32(datarep))
		return other_form(__func__);
	if (!rc)
		rc = mrt_unpack_external(inbuf, (size_t)insize,
					 position ? &at : NULL, outbuf,
					 (size_t)outcount, to_type(datatype));
	if (!rc)
		*position = (BYTES)at;
	return mpi_result(MPI_COMM_NULL, __func__, rc);
}

APIS(Pack_external_size)
(const char datarep[], COUNT incount, MPI_Datatype datatype, BYTES *size)
{
	size_t bytes = 0;
	int rc;

	if (!is_external32(datarep))
		return other_form(__func__);
	rc = mrt_pack_external_size((size_t)incount, to_type(datatype),
				    size ? &bytes : NULL);
	if (!rc)
		*size = (BYTES)bytes;
	return mpi_result(MPI_COMM_NULL, __func__, rc);
}
