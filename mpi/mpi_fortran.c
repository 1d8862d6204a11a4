/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_fortran.c: what the library and a layer for Fortran on top of it tell
 * each other (MPI 5.0, chapter "ABI"). The sizes of Fortran's types are known
 * from the start, but those of INTEGER and LOGICAL may be changed once; the
 * values of .TRUE. and .FALSE. are not known.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_impl.h"

/* ---- Sizes --------------------------------------------------------------- */

static const struct {
	const char *key;
	MPI_Datatype type;
} sizes[] = {{"mpi_logical_size", MPI_LOGICAL},
	     {"mpi_integer_size", MPI_INTEGER},
	     {"mpi_real_size", MPI_REAL},
	     {"mpi_double_precision_size", MPI_DOUBLE_PRECISION}};
enum { SIZES = sizeof(sizes) / sizeof(*sizes) };

static const struct {
	const char *key;
	MPI_Datatype type;
} optional[] = {{"mpi_logical1_supported", MPI_LOGICAL1},
		{"mpi_logical2_supported", MPI_LOGICAL2},
		{"mpi_logical4_supported", MPI_LOGICAL4},
		{"mpi_logical8_supported", MPI_LOGICAL8},
		{"mpi_logical16_supported", MPI_LOGICAL16},
		{"mpi_integer1_supported", MPI_INTEGER1},
		{"mpi_integer2_supported", MPI_INTEGER2},
		{"mpi_integer4_supported", MPI_INTEGER4},
		{"mpi_integer8_supported", MPI_INTEGER8},
		{"mpi_integer16_supported", MPI_INTEGER16},
		{"mpi_real2_supported", MPI_REAL2},
		{"mpi_real4_supported", MPI_REAL4},
		{"mpi_real8_supported", MPI_REAL8},
		{"mpi_real16_supported", MPI_REAL16},
		{"mpi_complex4_supported", MPI_COMPLEX4},
		{"mpi_complex8_supported", MPI_COMPLEX8},
		{"mpi_complex16_supported", MPI_COMPLEX16},
		{"mpi_complex32_supported", MPI_COMPLEX32},
		{"mpi_double_complex_supported", MPI_DOUBLE_COMPLEX}};

API(Abi_get_fortran_info)(MPI_Info *info)
{
	MPI_Info made = MPI_INFO_NULL;
	int rc = PMPI_Info_create(info ? &made : NULL);

	for (size_t k = 0; !rc && k < SIZES; k++) {
		char value[24];

		snprintf(value, sizeof(value), "%zu",
			 mrt_type_size(to_type(sizes[k].type)));
		rc = PMPI_Info_set(made, sizes[k].key, value);
	}
	for (size_t k = 0; !rc && k < sizeof(optional) / sizeof(*optional); k++)
		rc = PMPI_Info_set(made, optional[k].key,
				   mrt_type_size(to_type(optional[k].type))
				       ? "true"
				       : "false");
	if (!rc)
		*info = made;
	return rc;
}

/* Reads the sizes that an info object has; those that it has not stay. */
static int read_sizes(MPI_Info info, size_t *size)
{
	char value[8];
	int flag, rc = 0;

	for (size_t k = 0; !rc && k < SIZES; k++) {
		size[k] = mrt_type_size(to_type(sizes[k].type));
		rc = mpi_info_get(info, sizes[k].key, sizeof(value), value,
				  &flag);
		if (!rc && flag)
			size[k] = strtoul(value, NULL, 10);
	}
	return rc;
}

static bool can_have(const size_t *size)
{
	return (size[0] == 4 || size[0] == 8) &&
	       (size[1] == 4 || size[1] == 8) && size[2] == sizeof(float) &&
	       size[3] == sizeof(double);
}

API(Abi_set_fortran_info)(MPI_Info info)
{
	static bool was_set;
	size_t size[SIZES];
	int code = read_sizes(info, size);
	bool may;

	if (code)
		return mpi_raise(MPI_COMM_NULL, &__func__[1], code);
	mpi_lock();
	may = !was_set && can_have(size);
	was_set |= may;
	mpi_unlock();
	if (!may)
		return mpi_fail(MPI_COMM_NULL, __func__, MPI_ERR_ABI,
				"the sizes of Fortran's types have been set "
				"already, or cannot be these");
	return mpi_result(MPI_COMM_NULL, __func__,
			  mrt_type_set_fortran(size[1], size[0]));
}

/* ---- Booleans ------------------------------------------------------------ */

static struct {
	bool is_set;
	int64_t yes, no;
} booleans;

/* Reads a LOGICAL of 1 to 8 bytes. */
static int64_t fortran_load(int size, const void *from)
{
	int8_t v1;
	int16_t v2;
	int32_t v4;
	int64_t v8;

	switch (size) {
	case 1:
		return memcpy(&v1, from, 1), v1;
	case 2:
		return memcpy(&v2, from, 2), v2;
	case 4:
		return memcpy(&v4, from, 4), v4;
	default:
		return memcpy(&v8, from, 8), v8;
	}
}

static void fortran_store(int64_t value, int size, void *to)
{
	int8_t v1 = (int8_t)value;
	int16_t v2 = (int16_t)value;
	int32_t v4 = (int32_t)value;

	memcpy(to,
	       size == 1   ? (void *)&v1
	       : size == 2 ? (void *)&v2
	       : size == 4 ? (void *)&v4
			   : (void *)&value,
	       (size_t)size);
}

static int fortran_check(const char *function, int size, const void *yes,
			 const void *no)
{
	if (!yes || !no)
		return mpi_null(MPI_COMM_NULL, function,
				"logical_true or logical_false");
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return mpi_fail(MPI_COMM_NULL, function, MPI_ERR_ARG,
				"a LOGICAL of %d bytes", size);
	return MPI_SUCCESS;
}

/* Logical operations take zero for false and all else for true, and compute 0
 * and 1, so these are the values that may be set; compilers that write -1 read
 * 1 as true. */
API(Abi_set_fortran_booleans)
(int logical_size, void *logical_true, void *logical_false)
{
	int rc =
	    fortran_check(__func__, logical_size, logical_true, logical_false);
	int64_t yes, no;
	bool was_set;

	if (rc)
		return rc;
	yes = fortran_load(logical_size, logical_true);
	no = fortran_load(logical_size, logical_false);
	if (no || (yes != 1 && yes != -1))
		return mpi_fail(MPI_COMM_NULL, __func__, MPI_ERR_ABI,
				".TRUE. is %lld and .FALSE. is %lld",
				(long long)yes, (long long)no);
	mpi_lock();
	was_set = booleans.is_set;
	if (!was_set)
		booleans = (__typeof__(booleans)){true, yes, no};
	mpi_unlock();
	if (was_set)
		return mpi_fail(MPI_COMM_NULL, __func__, MPI_ERR_ABI,
				"the values have been set already");
	return MPI_SUCCESS;
}

/* The values of a size other than that of the call that set them are the same
 * numbers. */
API(Abi_get_fortran_booleans)
(int logical_size, void *logical_true, void *logical_false, int *is_set)
{
	int rc =
	    fortran_check(__func__, logical_size, logical_true, logical_false);

	if (rc)
		return rc;
	if (!is_set)
		return mpi_null(MPI_COMM_NULL, __func__, "is_set");
	mpi_lock();
	*is_set = booleans.is_set;
	if (*is_set) {
		fortran_store(booleans.yes, logical_size, logical_true);
		fortran_store(booleans.no, logical_size, logical_false);
	}
	mpi_unlock();
	return MPI_SUCCESS;
}
