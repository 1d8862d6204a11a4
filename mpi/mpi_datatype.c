/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_datatype.c: makes, commits and frees types (MPI 4.1, chapter 5.1).
 * libmrt's types are those of MPI. A type's form (mrt_type_set_form) is 1 if a
 * function with large counts made it, which its envelope reports.
 */
#include <stdio.h>
#include <stdlib.h>

#include "mpi/mpi_forward.h"

static int no_memory(void)
{
	mrt_set_error_detail("no memory for the arguments");
	return MRT_ERR_NO_MEM;
}

static int datatype_missing(void)
{
	mrt_set_error_detail("an array is NULL");
	return MRT_ERR_ARG;
}

static int datatype_negative(MPI_Count count)
{
	char text[40];

	snprintf(text, sizeof(text), "count is %lld", (long long)count);
	mrt_set_error_detail(text);
	return MRT_ERR_COUNT;
}

/* Ends a constructor. */
int mpi_type_made(const char *function, int rc, int form, MPI_Datatype *newtype)
{
	if (!rc && form)
		rc = mrt_type_set_form(to_type(*newtype), form);
	return mpi_result(MPI_COMM_NULL, function, rc);
}

#define COUNT int
#define DISPL MPI_Aint
#define FORM 0
#define NAME(name) name
#include "mpi/mpi_datatype_body.h"
#undef COUNT
#undef DISPL
#undef FORM
#undef NAME

#define COUNT MPI_Count
#define DISPL MPI_Count
#define FORM 1
#define NAME(name) name##_c
#include "mpi/mpi_datatype_body.h"

/* ---- Duplicate and free -------------------------------------------------- */

API(Type_dup)(MPI_Datatype oldtype, MPI_Datatype *newtype)
{
	struct mrt_type *copy = NULL;
	int rc = mrt_type_dup(to_type(oldtype), newtype ? &copy : NULL), code;

	if (rc)
		return mpi_failed(MPI_COMM_NULL, __func__, rc);
	code = mrt_type_data(to_type(oldtype))
		   ? mpi_attr_copy(MPI_KIND_TYPE, oldtype, copy)
		   : MPI_SUCCESS;
	if (code) {
		mpi_object_forget(mrt_type_data(copy));
		mrt_type_free(&copy);
		return mpi_raise(MPI_COMM_NULL, &__func__[1], code);
	}
	*newtype = from_type(copy);
	return MPI_SUCCESS;
}

static bool is_predefined(MPI_Datatype type)
{
	enum mrt_combiner how;

	return !mrt_type_envelope(to_type(type), &how, NULL, NULL) &&
	       (how == MRT_COMBINER_NAMED || mpi_is_f90(how));
}

API(Type_free)(MPI_Datatype *datatype)
{
	int code = MPI_SUCCESS;

	if (!datatype)
		return mpi_null(MPI_COMM_NULL, __func__, "datatype");
	if (!is_predefined(*datatype) && mrt_type_data(to_type(*datatype)))
		code = mpi_attr_delete_all(MPI_KIND_TYPE, *datatype);
	if (code)
		return mpi_raise(MPI_COMM_NULL, &__func__[1], code);
	if (!is_predefined(*datatype))
		mpi_object_forget(mrt_type_data(to_type(*datatype)));
	return mpi_result(MPI_COMM_NULL, __func__,
			  mrt_type_free((struct mrt_type **)datatype));
}
