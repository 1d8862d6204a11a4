/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_datatype_body.h: the constructors, for int and for MPI_Count; included by
 * mpi_datatype.c with COUNT, DISPL (in bytes), FORM and NAME. */

/* Copies n lengths for libmrt, to be freed; NULL if given is NULL. Does nothing
 * after an error in *rc, and sets it. A negative length becomes a size_t beyond
 * any bound, which libmrt rejects. */
static size_t *NAME(copy_lengths)(COUNT n, const COUNT given[], int *rc)
{
	size_t *copy;

	if (*rc || !given)
		return NULL;
	copy = malloc((n ? (size_t)n : 1) * sizeof(*copy));
	if (!copy)
		*rc = no_memory();
	for (COUNT i = 0; i < n && copy; i++)
		copy[i] = (size_t)given[i];
	return copy;
}

/* The arguments of a constructor of n blocks. Displacements are in elements, or
 * in bytes if displs is NULL. */
struct NAME(blocks) {
	COUNT n, nlengths;
	const COUNT *lengths, *displs;
	const DISPL *bytes;
	const MPI_Datatype *types;
};

/* Sets *values to what mrt_type_blocks takes. */
static int NAME(copy_blocks)(const struct NAME(blocks) * b, ptrdiff_t **values)
{
	ptrdiff_t *value;

	if (b->n < 0)
		return datatype_negative(b->n);
	if (b->n && (!b->lengths || (!b->displs && !b->bytes)))
		return datatype_missing();
	value =
	    malloc((1 + (size_t)b->nlengths + (size_t)b->n) * sizeof(*value));
	if (!value)
		return no_memory();
	*values = value;
	*value++ = b->n;
	for (COUNT i = 0; i < b->nlengths; i++)
		*value++ = b->lengths[i];
	for (COUNT i = 0; i < b->n; i++)
		*value++ = b->displs ? b->displs[i] : b->bytes[i];
	return 0;
}

static int NAME(make_blocks)(const char *function, enum mrt_combiner how,
			     const struct NAME(blocks) * b,
			     MPI_Datatype *newtype)
{
	ptrdiff_t *values;
	int rc = NAME(copy_blocks)(b, &values);

	if (!rc)
		rc = mrt_type_blocks(how, values,
				     (struct mrt_type *const *)b->types,
				     (struct mrt_type **)newtype);
	return mpi_type_made(function, rc, FORM, newtype);
}

APIS(Type_indexed)
(COUNT count, const COUNT array_of_blocklengths[],
 const COUNT array_of_displacements[], MPI_Datatype oldtype,
 MPI_Datatype *newtype)
{
	struct NAME(blocks)
	    b = {count, count,	 array_of_blocklengths, array_of_displacements,
		 NULL,	&oldtype};

	return NAME(make_blocks)(__func__, MRT_COMBINER_INDEXED, &b, newtype);
}

APIS(Type_create_hindexed)
(COUNT count, const COUNT array_of_blocklengths[],
 const DISPL array_of_displacements[], MPI_Datatype oldtype,
 MPI_Datatype *newtype)
{
	struct NAME(blocks) b = {
	    count,   count, array_of_blocklengths, NULL, array_of_displacements,
	    &oldtype};

	return NAME(make_blocks)(__func__, MRT_COMBINER_HINDEXED, &b, newtype);
}

APIS(Type_create_indexed_block)
(COUNT count, COUNT blocklength, const COUNT array_of_displacements[],
 MPI_Datatype oldtype, MPI_Datatype *newtype)
{
	struct NAME(blocks) b = {
	    count, 1, &blocklength, array_of_displacements, NULL, &oldtype};

	return NAME(make_blocks)(__func__, MRT_COMBINER_INDEXED_BLOCK, &b,
				 newtype);
}

APIS(Type_create_hindexed_block)
(COUNT count, COUNT blocklength, const DISPL array_of_displacements[],
 MPI_Datatype oldtype, MPI_Datatype *newtype)
{
	struct NAME(blocks) b = {
	    count, 1, &blocklength, NULL, array_of_displacements, &oldtype};

	return NAME(make_blocks)(__func__, MRT_COMBINER_HINDEXED_BLOCK, &b,
				 newtype);
}

APIS(Type_create_struct)
(COUNT count, const COUNT array_of_blocklengths[],
 const DISPL array_of_displacements[], const MPI_Datatype array_of_types[],
 MPI_Datatype *newtype)
{
	struct NAME(blocks) b = {count,
				 count,
				 array_of_blocklengths,
				 NULL,
				 array_of_displacements,
				 array_of_types};

	return NAME(make_blocks)(__func__, MRT_COMBINER_STRUCT, &b, newtype);
}

APIS(Type_create_subarray)
(int ndims, const COUNT array_of_sizes[], const COUNT array_of_subsizes[],
 const COUNT array_of_starts[], int order, MPI_Datatype oldtype,
 MPI_Datatype *newtype)
{
	COUNT n = ndims < 0 ? 0 : ndims;
	int rc = 0;
	size_t *sizes = NAME(copy_lengths)(n, array_of_sizes, &rc);
	size_t *subsizes = NAME(copy_lengths)(n, array_of_subsizes, &rc);
	size_t *starts = NAME(copy_lengths)(n, array_of_starts, &rc);

	if (!rc)
		rc = mrt_type_subarray(ndims, sizes, subsizes, starts,
				       (enum mrt_order)order, to_type(oldtype),
				       (struct mrt_type **)newtype);
	free(sizes);
	free(subsizes);
	free(starts);
	return mpi_type_made(__func__, rc, FORM, newtype);
}

APIS(Type_create_darray)
(int size, int rank, int ndims, const COUNT array_of_gsizes[],
 const int array_of_distribs[], const int array_of_dargs[],
 const int array_of_psizes[], int order, MPI_Datatype oldtype,
 MPI_Datatype *newtype)
{
	int rc = 0;
	size_t *gsizes =
	    NAME(copy_lengths)(ndims < 0 ? 0 : ndims, array_of_gsizes, &rc);

	if (!rc)
		rc = mrt_type_darray(
		    size, rank, ndims, gsizes, array_of_distribs,
		    array_of_dargs, array_of_psizes, (enum mrt_order)order,
		    to_type(oldtype), (struct mrt_type **)newtype);
	free(gsizes);
	return mpi_type_made(__func__, rc, FORM, newtype);
}
