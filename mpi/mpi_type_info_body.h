/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_type_info_body.h: sizes, bounds and numbers of elements, for int and for
 * MPI_Count; included by mpi_type_info.c with COUNT, RESULT, BOUND and NAME. */

APIS(Type_size)(MPI_Datatype datatype, COUNT *size)
{
	int rc = mpi_check_type(datatype);

	if (!size)
		return mpi_null(MPI_COMM_NULL, __func__, "size");
	if (!rc)
		*size = RESULT(mrt_type_size(to_type(datatype)));
	return mpi_result(MPI_COMM_NULL, __func__, rc);
}

APIS(Type_get_extent)(MPI_Datatype datatype, BOUND *lb, BOUND *extent)
{
	ptrdiff_t low, length;
	int rc = mrt_type_extent(to_type(datatype), lb ? &low : NULL,
				 extent ? &length : NULL);

	if (!rc) {
		*lb = low;
		*extent = length;
	}
	return mpi_result(MPI_COMM_NULL, __func__, rc);
}

APIS(Type_get_true_extent)
(MPI_Datatype datatype, BOUND *true_lb, BOUND *true_extent)
{
	ptrdiff_t low, length;
	int rc = mrt_type_true_extent(to_type(datatype), true_lb ? &low : NULL,
				      true_extent ? &length : NULL);

	if (!rc) {
		*true_lb = low;
		*true_extent = length;
	}
	return mpi_result(MPI_COMM_NULL, __func__, rc);
}

#ifndef WITHOUT_COUNT
APIS(Get_count)(const MPI_Status *status, MPI_Datatype datatype, COUNT *count)
{
	int rc = mpi_check_type(datatype);
	MPI_Count n;

	if (!status || !count)
		return mpi_null(MPI_COMM_NULL, __func__, "status or count");
	if (rc)
		return mpi_failed(MPI_COMM_NULL, __func__, rc);
	n = count_of(status, datatype);
	*count = n == MPI_UNDEFINED ? MPI_UNDEFINED : RESULT((size_t)n);
	return MPI_SUCCESS;
}
#endif

APIS(Get_elements)
(const MPI_Status *status, MPI_Datatype datatype, COUNT *count)
{
	int rc = mpi_check_type(datatype);
	MPI_Count n;

	if (!status || !count)
		return mpi_null(MPI_COMM_NULL, __func__, "status or count");
	if (rc)
		return mpi_failed(MPI_COMM_NULL, __func__, rc);
	n = elements_of(status, datatype);
	*count = n == MPI_UNDEFINED ? MPI_UNDEFINED : RESULT((size_t)n);
	return MPI_SUCCESS;
}

APIS(Status_set_elements)
(MPI_Status *status, MPI_Datatype datatype, COUNT count)
{
	return set_elements(__func__, status, datatype, count);
}
