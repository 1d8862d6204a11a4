/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_type_info.c: inquiry of types: sizes and bounds, envelope and contents,
 * and numbers of elements in a message (MPI 4.1, chapters 3.2.5 and 5.1). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_forward.h"

/* ---- How it was made ----------------------------------------------------- */

/* The values of libmrt's contents are distributed so over MPI's arrays. */
struct parts {
	int combiner;
	size_t values, types;
	size_t integers, addresses, counts;
};

/* The number of addresses, which are the last of the values. */
static size_t addresses_of(const struct parts *p)
{
	switch (p->combiner) {
	case MPI_COMBINER_HVECTOR:
		return 1;
	case MPI_COMBINER_HINDEXED:
	case MPI_COMBINER_STRUCT:
		return (p->values - 1) / 2;
	case MPI_COMBINER_HINDEXED_BLOCK:
		return p->values - 2;
	case MPI_COMBINER_RESIZED:
		return 2;
	default:
		return 0;
	}
}

/* The number of integers, which are values that are not counts; *before of them
 * come before the counts. */
static size_t integers_of(const struct parts *p, size_t *before)
{
	*before = 0;
	if (p->combiner == MPI_COMBINER_SUBARRAY) {
		*before = 1;
		return 2;
	}
	if (p->combiner == MPI_COMBINER_DARRAY) {
		*before = 3;
		return 4 + (p->values - 4) / 4 * 3;
	}
	return 0;
}

static int read_parts(MPI_Datatype type, struct parts *p)
{
	enum mrt_combiner combiner;
	size_t before;
	int rc =
	    mrt_type_envelope(to_type(type), &combiner, &p->values, &p->types);

	if (rc)
		return rc;
	p->combiner = (int)combiner;
	if (mpi_is_f90(combiner))
		p->types = 0; /* libmrt names the predefined type */
	p->addresses = p->counts = 0;
	if (mrt_type_form(to_type(type))) {
		p->integers = integers_of(p, &before);
		p->counts = p->values - p->integers;
	} else {
		p->addresses = addresses_of(p);
		p->integers = p->values - p->addresses;
	}
	return 0;
}

/* The user's arrays for contents, and their sizes. */
struct contents_arrays {
	struct parts most;
	int *integers;
	MPI_Aint *addresses;
	MPI_Count *counts;
	MPI_Datatype *types;
};

static void copy_values(const struct parts *p, const ptrdiff_t *values,
			const struct contents_arrays *arrays)
{
	size_t before = p->integers, i;

	if (p->counts)
		integers_of(p, &before);
	for (i = 0; i < before; i++)
		arrays->integers[i] = (int)*values++;
	for (size_t k = 0; k < p->counts; k++)
		arrays->counts[k] = *values++;
	for (; i < p->integers; i++)
		arrays->integers[i] = (int)*values++;
	for (size_t k = 0; k < p->addresses; k++)
		arrays->addresses[k] = *values++;
}

static int get_contents(const char *function, MPI_Datatype type,
			const struct contents_arrays *arrays)
{
	struct mrt_type **types = (struct mrt_type **)arrays->types, *named;
	ptrdiff_t *values;
	struct parts p;
	int rc = read_parts(type, &p);

	if (rc)
		return mpi_failed(MPI_COMM_NULL, function, rc);
	if (p.combiner == MPI_COMBINER_NAMED)
		return mpi_fail(MPI_COMM_NULL, function, MPI_ERR_TYPE,
				"the type is predefined");
	if (p.counts && !arrays->counts)
		return mpi_fail(MPI_COMM_NULL, function, MPI_ERR_TYPE,
				"the type was made with large counts");
	if (p.integers > arrays->most.integers ||
	    p.types > arrays->most.types ||
	    p.addresses > arrays->most.addresses ||
	    p.counts > arrays->most.counts)
		return mpi_fail(MPI_COMM_NULL, function, MPI_ERR_ARG,
				"an array is too small for the contents");
	values = malloc((p.values + 1) * sizeof(*values));
	if (!values)
		return mpi_failed(MPI_COMM_NULL, function, MRT_ERR_NO_MEM);
	if (mpi_is_f90((enum mrt_combiner)p.combiner))
		rc = mrt_type_contents(to_type(type), p.values, 1, values,
				       &named);
	else
		rc = mrt_type_contents(to_type(type), p.values, p.types, values,
				       types);
	if (!rc)
		copy_values(&p, values, arrays);
	free(values);
	return mpi_result(MPI_COMM_NULL, function, rc);
}

API(Type_get_envelope)
(MPI_Datatype datatype, int *num_integers, int *num_addresses,
 int *num_datatypes, int *combiner)
{
	struct parts p;
	int rc = read_parts(datatype, &p);

	if (!num_integers || !num_addresses || !num_datatypes || !combiner)
		return mpi_null(MPI_COMM_NULL, __func__,
				"a number or combiner");
	if (rc)
		return mpi_failed(MPI_COMM_NULL, __func__, rc);
	if (p.counts)
		return mpi_fail(MPI_COMM_NULL, __func__, MPI_ERR_TYPE,
				"the type was made with large counts");
	*num_integers = size_as_int(p.integers);
	*num_addresses = size_as_int(p.addresses);
	*num_datatypes = size_as_int(p.types);
	*combiner = p.combiner;
	return MPI_SUCCESS;
}

API(Type_get_envelope_c)
(MPI_Datatype datatype, MPI_Count *num_integers, MPI_Count *num_addresses,
 MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner)
{
	struct parts p;
	int rc = read_parts(datatype, &p);

	if (rc)
		return mpi_failed(MPI_COMM_NULL, __func__, rc);
	*num_integers = size_as_count(p.integers);
	*num_addresses = size_as_count(p.addresses);
	*num_large_counts = size_as_count(p.counts);
	*num_datatypes = size_as_count(p.types);
	*combiner = p.combiner;
	return MPI_SUCCESS;
}

/* A negative size is 0. */
static size_t size_of_max(MPI_Count max)
{
	return max < 0 ? 0 : (size_t)max;
}

API(Type_get_contents)
(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes,
 int array_of_integers[], MPI_Aint array_of_addresses[],
 MPI_Datatype array_of_datatypes[])
{
	struct contents_arrays arrays = {
	    {.integers = size_of_max(max_integers),
	     .addresses = size_of_max(max_addresses),
	     .types = size_of_max(max_datatypes)},
	    array_of_integers,
	    array_of_addresses,
	    NULL,
	    array_of_datatypes};

	return get_contents(__func__, datatype, &arrays);
}

API(Type_get_contents_c)
(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
 MPI_Count max_large_counts, MPI_Count max_datatypes, int array_of_integers[],
 MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[],
 MPI_Datatype array_of_datatypes[])
{
	struct contents_arrays arrays = {
	    {.integers = size_of_max(max_integers),
	     .addresses = size_of_max(max_addresses),
	     .counts = size_of_max(max_large_counts),
	     .types = size_of_max(max_datatypes)},
	    array_of_integers,
	    array_of_addresses,
	    array_of_large_counts,
	    array_of_datatypes};

	return get_contents(__func__, datatype, &arrays);
}
