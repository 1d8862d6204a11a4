/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_error.c: errors: libmrt's codes as MPI's classes, and who hears of them
 * (MPI 4.1, chapter 9.3).
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "mpi/mpi_impl.h"

int mpi_error_class(int mrt_error)
{
	static const int classes[] = {
	    [-MRT_ERR_ARG] = MPI_ERR_ARG,
	    [-MRT_ERR_COMM] = MPI_ERR_COMM,
	    [-MRT_ERR_RANK] = MPI_ERR_RANK,
	    [-MRT_ERR_TAG] = MPI_ERR_TAG,
	    [-MRT_ERR_COUNT] = MPI_ERR_COUNT,
	    [-MRT_ERR_TYPE] = MPI_ERR_TYPE,
	    [-MRT_ERR_OP] = MPI_ERR_OP,
	    [-MRT_ERR_ROOT] = MPI_ERR_ROOT,
	    [-MRT_ERR_BUFFER] = MPI_ERR_BUFFER,
	    [-MRT_ERR_REQUEST] = MPI_ERR_REQUEST,
	    [-MRT_ERR_TRUNCATE] = MPI_ERR_TRUNCATE,
	    [-MRT_ERR_IN_STATUS] = MPI_ERR_IN_STATUS,
	    [-MRT_ERR_STATE] = MPI_ERR_OTHER,
	    [-MRT_ERR_ENV] = MPI_ERR_OTHER,
	    [-MRT_ERR_NO_MEM] = MPI_ERR_NO_MEM,
	    [-MRT_ERR_RESOURCE] = MPI_ERR_OTHER,
	    [-MRT_ERR_PERM] = MPI_ERR_OTHER,
	    [-MRT_ERR_NO_FABRIC] = MPI_ERR_OTHER,
	    [-MRT_ERR_SERVICE] = MPI_ERR_SERVICE,
	    [-MRT_ERR_PEER] = MPI_ERR_PROC_ABORTED,
	    [-MRT_ERR_PROTOCOL] = MPI_ERR_OTHER,
	    [-MRT_ERR_UNSUPPORTED] = MPI_ERR_UNSUPPORTED_OPERATION,
	    [-MRT_ERR_INTERNAL] = MPI_ERR_INTERN};
	size_t k = (size_t)-(long)mrt_error;

	if (mrt_error >= 0) /* none, or what a callback returned */
		return mrt_error;
	return k < sizeof(classes) / sizeof(*classes) ? classes[k]
						      : MPI_ERR_UNKNOWN;
}

struct mpi_comm *mpi_comm_of(MPI_Comm comm)
{
	struct mpi_comm *c = mrt_comm_data(to_comm(comm));

	if (c)
		return c;
	c = calloc(1, sizeof(*c));
	if (c) {
		c->errhandler = MPI_ERRORS_ARE_FATAL;
		if (mrt_comm_set_data(to_comm(comm), c)) {
			free(c);
			c = NULL;
		}
	}
	return c;
}

/* Hands an error to the handler of comm. */
static int raise_error(MPI_Comm comm, const char *function, int class)
{
	struct mpi_comm *c = mpi_comm_of(comm);

	if (!c)
		c = mpi_comm_of(MPI_COMM_SELF);
	if (!c || c->errhandler == MPI_ERRORS_RETURN)
		return class;
	fprintf(stderr, "%s: %s\n", function, mrt_error_detail());
	mrt_abort(to_comm(comm), class);
}

int mpi_failed(MPI_Comm comm, const char *function, int mrt_error)
{
	return raise_error(comm, function + 1, mpi_error_class(mrt_error));
}

int mpi_fail(MPI_Comm comm, const char *function, int class,
	     const char *format, ...)
{
	return raise_error(comm, function + 1, class);
}

API(Comm_set_errhandler)(MPI_Comm comm, MPI_Errhandler errhandler)
{
	struct mpi_comm *c = mpi_comm_of(comm);

	if (!c)
		return mpi_failed(comm, __func__, MRT_ERR_COMM);
	c->errhandler = errhandler;
	return MPI_SUCCESS;
}

/* The stubs' (stubs.sh). */
int mpi_unsupported(const char *function);
int mpi_unsupported(const char *function)
{
	return raise_error(MPI_COMM_SELF, function,
			   MPI_ERR_UNSUPPORTED_OPERATION);
}
