/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_datatype_body.h: the constructors, for int and for MPI_Count; included by
 * mpi_datatype.c with COUNT, DISPL (in bytes), FORM and NAME. */

/* n lengths; lost without memory. A negative one becomes one beyond any bound,
 * which libmrt finds. */
static struct lengths NAME(read_lengths)(COUNT n, const COUNT given[])
{
	struct lengths l = {NULL, false};

	if (!given)
		return l;
	l.at = malloc((n ? (size_t)n : 1) * sizeof(*l.at));
	l.lost = !l.at;
	for (COUNT i = 0; i < n && l.at; i++)
		l.at[i] = (size_t)given[i];
	return l;
}

APIS(Type_contiguous)(COUNT count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
	struct mrt_type *type = NULL;
	int rc = mrt_type_contiguous((size_t)count, to_type(oldtype),
				     newtype ? &type : NULL);

	return made(__func__, rc, type, FORM, newtype);
}

APIS(Type_vector)
(COUNT count, COUNT blocklength, COUNT stride, MPI_Datatype oldtype,
 MPI_Datatype *newtype)
{
	struct mrt_type *type = NULL;
	int rc = mrt_type_vector((size_t)count, (size_t)blocklength, stride,
				 to_type(oldtype), newtype ? &type : NULL);

	return made(__func__, rc, type, FORM, newtype);
}

APIS(Type_create_hvector)
(COUNT count, COUNT blocklength, DISPL stride, MPI_Datatype oldtype,
 MPI_Datatype *newtype)
{
	struct mrt_type *type = NULL;
	int rc = mrt_type_hvector((size_t)count, (size_t)blocklength, stride,
				  to_type(oldtype), newtype ? &type : NULL);

	return made(__func__, rc, type, FORM, newtype);
}

APIS(Type_indexed)
(COUNT count, const COUNT array_of_blocklengths[],
 const COUNT array_of_displacements[], MPI_Datatype oldtype,
 MPI_Datatype *newtype)
{
	struct lengths lengths, displs;
	struct mrt_type *type = NULL;
	int rc = 0;

	if (count < 0)
		return negative(__func__, count);
	lengths = NAME(read_lengths)(count, array_of_blocklengths);
	displs = NAME(read_lengths)(count, array_of_displacements);
	if (!lengths.lost && !displs.lost)
		rc = mrt_type_indexed((size_t)count, lengths.at,
				      (ptrdiff_t *)displs.at, to_type(oldtype),
				      newtype ? &type : NULL);
	free(lengths.at);
	free(displs.at);
	if (lengths.lost || displs.lost)
		return no_memory(__func__);
	return made(__func__, rc, type, FORM, newtype);
}

APIS(Type_create_hindexed)
(COUNT count, const COUNT array_of_blocklengths[],
 const DISPL array_of_displacements[], MPI_Datatype oldtype,
 MPI_Datatype *newtype)
{
	struct lengths lengths;
	struct mrt_type *type = NULL;
	int rc;

	if (count < 0)
		return negative(__func__, count);
	lengths = NAME(read_lengths)(count, array_of_blocklengths);
	if (lengths.lost)
		return no_memory(__func__);
	rc = mrt_type_hindexed((size_t)count, lengths.at,
			       (const ptrdiff_t *)array_of_displacements,
			       to_type(oldtype), newtype ? &type : NULL);
	free(lengths.at);
	return made(__func__, rc, type, FORM, newtype);
}

APIS(Type_create_indexed_block)
(COUNT count, COUNT blocklength, const COUNT array_of_displacements[],
 MPI_Datatype oldtype, MPI_Datatype *newtype)
{
	struct lengths displs;
	struct mrt_type *type = NULL;
	int rc;

	if (count < 0)
		return negative(__func__, count);
	displs = NAME(read_lengths)(count, array_of_displacements);
	if (displs.lost)
		return no_memory(__func__);
	rc = mrt_type_indexed_block((size_t)count, (size_t)blocklength,
				    (ptrdiff_t *)displs.at, to_type(oldtype),
				    newtype ? &type : NULL);
	free(displs.at);
	return made(__func__, rc, type, FORM, newtype);
}

APIS(Type_create_hindexed_block)
(COUNT count, COUNT blocklength, const DISPL array_of_displacements[],
 MPI_Datatype oldtype, MPI_Datatype *newtype)
{
	struct mrt_type *type = NULL;
	int rc;

	rc = mrt_type_hindexed_block((size_t)count, (size_t)blocklength,
				     (const ptrdiff_t *)array_of_displacements,
				     to_type(oldtype), newtype ? &type : NULL);
	return made(__func__, rc, type, FORM, newtype);
}

APIS(Type_create_struct)
(COUNT count, const COUNT array_of_blocklengths[],
 const DISPL array_of_displacements[], const MPI_Datatype array_of_types[],
 MPI_Datatype *newtype)
{
	struct lengths lengths;
	struct mrt_type *type = NULL;
	int rc;

	if (count < 0)
		return negative(__func__, count);
	lengths = NAME(read_lengths)(count, array_of_blocklengths);
	if (lengths.lost)
		return no_memory(__func__);
	rc = mrt_type_struct((size_t)count, lengths.at,
			     (const ptrdiff_t *)array_of_displacements,
			     (struct mrt_type *const *)array_of_types,
			     newtype ? &type : NULL);
	free(lengths.at);
	return made(__func__, rc, type, FORM, newtype);
}

APIS(Type_create_subarray)
(int ndims, const COUNT array_of_sizes[], const COUNT array_of_subsizes[],
 const COUNT array_of_starts[], int order, MPI_Datatype oldtype,
 MPI_Datatype *newtype)
{
	COUNT n = ndims < 0 ? 0 : ndims;
	struct lengths sizes = NAME(read_lengths)(n, array_of_sizes);
	struct lengths subsizes = NAME(read_lengths)(n, array_of_subsizes);
	struct lengths starts = NAME(read_lengths)(n, array_of_starts);
	bool lost = sizes.lost || subsizes.lost || starts.lost;
	struct mrt_type *type = NULL;
	int rc = 0;

	if (!lost)
		rc = mrt_type_subarray(ndims, sizes.at, subsizes.at, starts.at,
				       (enum mrt_order)order, to_type(oldtype),
				       newtype ? &type : NULL);
	free(sizes.at);
	free(subsizes.at);
	free(starts.at);
	if (lost)
		return no_memory(__func__);
	return made(__func__, rc, type, FORM, newtype);
}

APIS(Type_create_darray)
(int size, int rank, int ndims, const COUNT array_of_gsizes[],
 const int array_of_distribs[], const int array_of_dargs[],
 const int array_of_psizes[], int order, MPI_Datatype oldtype,
 MPI_Datatype *newtype)
{
	struct lengths gsizes =
	    NAME(read_lengths)(ndims < 0 ? 0 : ndims, array_of_gsizes);
	struct mrt_type *type = NULL;
	int rc;

	if (gsizes.lost)
		return no_memory(__func__);
	rc = mrt_type_darray(size, rank, ndims, gsizes.at, array_of_distribs,
			     array_of_dargs, array_of_psizes,
			     (enum mrt_order)order, to_type(oldtype),
			     newtype ? &type : NULL);
	free(gsizes.at);
	return made(__func__, rc, type, FORM, newtype);
}

APIS(Type_create_resized)
(MPI_Datatype oldtype, DISPL lb, DISPL extent, MPI_Datatype *newtype)
{
	struct mrt_type *type = NULL;
	int rc = mrt_type_resized(to_type(oldtype), lb, extent,
				  newtype ? &type : NULL);

	return made(__func__, rc, type, FORM, newtype);
}
