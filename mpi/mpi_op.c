/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_op.c: reduction operations (MPI 4.1, chapter 6.9). The user's function is
 * the context of libmrt's operation, which calls it. */
#include <limits.h>

#include "mpi/mpi_impl.h"

/* Calls the user's function; its counts are int, so large ones are split. Only
 * elements without holes come in such numbers. */
static void op_call(const void *in, void *inout, size_t count,
		    struct mrt_type *type, void *context)
{
	MPI_User_function *fn = (MPI_User_function *)context;
	size_t size = count > INT_MAX ? mrt_type_size(type) : 0;
	MPI_Datatype datatype = from_type(type);

	for (size_t at = 0; at < count; at += INT_MAX) {
		int n = (int)(count - at < INT_MAX ? count - at : INT_MAX);

		fn((char *)(uintptr_t)in + at * size, (char *)inout + at * size,
		   &n, &datatype);
	}
}

static void call_c(const void *in, void *inout, size_t count,
		   struct mrt_type *type, void *context)
{
	MPI_User_function_c *fn = (MPI_User_function_c *)context;
	MPI_Datatype datatype = from_type(type);
	MPI_Count n = (MPI_Count)count;

	fn((void *)(uintptr_t)in, inout, &n, &datatype);
}

static int op_create(const char *function, mrt_op_fn how, void *fn, int commute,
		     MPI_Op *op)
{
	struct mrt_op *made = NULL;
	int rc;

	if (!fn || !op)
		return mpi_fail(MPI_COMM_NULL, function, MPI_ERR_ARG,
				"%s is NULL", fn ? "op" : "user_fn");
	rc = mrt_op_create(how, fn, commute, &made);
	if (!rc)
		*op = from_op(made);
	return mpi_result(MPI_COMM_NULL, function, rc);
}

API(Op_create)(MPI_User_function *user_fn, int commute, MPI_Op *op)
{
	return op_create(__func__, op_call, (void *)user_fn, commute, op);
}

API(Op_create_c)(MPI_User_function_c *user_fn, int commute, MPI_Op *op)
{
	return op_create(__func__, call_c, (void *)user_fn, commute, op);
}
