/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_type_name.c: finds predefined types by name, by size, by precision and by
 * their parts (MPI 4.1, chapters 6.9.4, 7.8 and 19.1.9). */
#include "mpi/mpi_impl.h"

/* ---- Names --------------------------------------------------------------- */

#define ROW(name)                                                              \
	{                                                                      \
		MPI_##name, "MPI_" #name                                       \
	}
/* clang-format off */
static const struct {
	MPI_Datatype type;
	const char *name;
} names[] = {
	ROW(DATATYPE_NULL), ROW(AINT), ROW(COUNT), ROW(OFFSET), ROW(PACKED),
	ROW(SHORT), ROW(INT), ROW(LONG), ROW(LONG_LONG_INT),
	ROW(UNSIGNED_SHORT), ROW(UNSIGNED), ROW(UNSIGNED_LONG),
	ROW(UNSIGNED_LONG_LONG), ROW(FLOAT), ROW(C_COMPLEX),
	ROW(CXX_FLOAT_COMPLEX), ROW(DOUBLE), ROW(C_DOUBLE_COMPLEX),
	ROW(CXX_DOUBLE_COMPLEX), ROW(LOGICAL), ROW(INTEGER), ROW(REAL),
	ROW(COMPLEX), ROW(DOUBLE_PRECISION), ROW(DOUBLE_COMPLEX),
	ROW(LONG_DOUBLE), ROW(C_LONG_DOUBLE_COMPLEX),
	ROW(CXX_LONG_DOUBLE_COMPLEX), ROW(FLOAT_INT), ROW(DOUBLE_INT),
	ROW(LONG_INT), ROW(2INT), ROW(SHORT_INT), ROW(LONG_DOUBLE_INT),
	ROW(2REAL), ROW(2DOUBLE_PRECISION), ROW(2INTEGER), ROW(C_BOOL),
	ROW(CXX_BOOL), ROW(WCHAR), ROW(INT8_T), ROW(UINT8_T), ROW(CHAR),
	ROW(SIGNED_CHAR), ROW(UNSIGNED_CHAR), ROW(BYTE), ROW(INT16_T),
	ROW(UINT16_T), ROW(INT32_T), ROW(UINT32_T), ROW(INT64_T),
	ROW(UINT64_T), ROW(LOGICAL1), ROW(INTEGER1), ROW(CHARACTER),
	ROW(LOGICAL2), ROW(INTEGER2), ROW(REAL2), ROW(LOGICAL4),
	ROW(INTEGER4), ROW(REAL4), ROW(COMPLEX4), ROW(LOGICAL8),
	ROW(INTEGER8), ROW(REAL8), ROW(COMPLEX8), ROW(LOGICAL16),
	ROW(INTEGER16), ROW(REAL16), ROW(COMPLEX16), ROW(COMPLEX32)
};
/* clang-format on */
enum { NAMES = sizeof(names) / sizeof(*names) };

const char *mpi_type_default_name(MPI_Datatype type)
{
	for (int k = 0; k < NAMES; k++)
		if (names[k].type == type)
			return names[k].name;
	return "";
}

/* ---- By size ------------------------------------------------------------- */

API(Type_match_size)(int typeclass, int size, MPI_Datatype *datatype)
{
	static const struct {
		int typeclass, size;
		MPI_Datatype type;
	} rows[] = {{MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1},
		    {MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2},
		    {MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},
		    {MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8},
		    {MPI_TYPECLASS_INTEGER, 16, MPI_INTEGER16},
		    {MPI_TYPECLASS_REAL, 2, MPI_REAL2},
		    {MPI_TYPECLASS_REAL, 4, MPI_REAL4},
		    {MPI_TYPECLASS_REAL, 8, MPI_REAL8},
		    {MPI_TYPECLASS_REAL, 16, MPI_REAL16},
		    {MPI_TYPECLASS_COMPLEX, 4, MPI_COMPLEX4},
		    {MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8},
		    {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16},
		    {MPI_TYPECLASS_COMPLEX, 32, MPI_COMPLEX32}};

	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		if (rows[k].typeclass != typeclass || rows[k].size != size)
			continue;
		*datatype = rows[k].type;
		return MPI_SUCCESS;
	}
	return mpi_fail(MPI_COMM_NULL, __func__, MPI_ERR_ARG,
			"no type of class %d has %d bytes", typeclass, size);
}

/* ---- By parts ------------------------------------------------------------ */

API(Type_get_value_index)
(MPI_Datatype value_type, MPI_Datatype index_type, MPI_Datatype *pair_type)
{
	static const struct {
		MPI_Datatype value, index, pair;
	} rows[] = {
	    {MPI_FLOAT, MPI_INT, MPI_FLOAT_INT},
	    {MPI_DOUBLE, MPI_INT, MPI_DOUBLE_INT},
	    {MPI_LONG, MPI_INT, MPI_LONG_INT},
	    {MPI_INT, MPI_INT, MPI_2INT},
	    {MPI_SHORT, MPI_INT, MPI_SHORT_INT},
	    {MPI_LONG_DOUBLE, MPI_INT, MPI_LONG_DOUBLE_INT},
	    {MPI_REAL, MPI_REAL, MPI_2REAL},
	    {MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, MPI_2DOUBLE_PRECISION},
	    {MPI_INTEGER, MPI_INTEGER, MPI_2INTEGER}};
	int rc = mpi_check_type(value_type);

	if (!rc)
		rc = mpi_check_type(index_type);
	if (rc)
		return mpi_failed(MPI_COMM_NULL, __func__, rc);
	*pair_type = MPI_DATATYPE_NULL;
	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++)
		if (rows[k].value == value_type && rows[k].index == index_type)
			*pair_type = rows[k].pair;
	return MPI_SUCCESS;
}
