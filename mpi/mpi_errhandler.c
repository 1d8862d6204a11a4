/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_errhandler.c: error handlers (MPI 4.1, chapter 9.3). A handler lives
 * while a communicator or a handle of the user refers to it. */
#include <stdatomic.h>
#include <stdlib.h>

#include "mpi/mpi_errhandler.h"
#include "mpi/mpi_impl.h"

struct MPI_ABI_Errhandler {
	atomic_int refs;
	MPI_Comm_errhandler_function *function;
};

static bool is_predefined(MPI_Errhandler errhandler)
{
	return errhandler == MPI_ERRORS_ARE_FATAL ||
	       errhandler == MPI_ERRORS_RETURN ||
	       errhandler == MPI_ERRORS_ABORT;
}

static bool is_null(MPI_Errhandler errhandler)
{
	return !errhandler || errhandler == MPI_ERRHANDLER_NULL;
}

MPI_Errhandler mpi_errhandler_hold(MPI_Errhandler errhandler)
{
	if (!is_predefined(errhandler))
		atomic_fetch_add(&errhandler->refs, 1);
	return errhandler;
}

void mpi_errhandler_release(MPI_Errhandler errhandler)
{
	if (!is_predefined(errhandler) &&
	    atomic_fetch_sub(&errhandler->refs, 1) == 1)
		free(errhandler);
}

/* Returns the communicator's handler with a reference, since a user's function
 * may replace it. Before and after MPI there is none: the initial one. */
static MPI_Errhandler handler_of(MPI_Comm comm)
{
	MPI_Errhandler errhandler = MPI_ERRORS_ARE_FATAL;
	struct mpi_comm *c = mpi_comm_of(comm);

	if (c) {
		mpi_lock();
		errhandler = mpi_errhandler_hold(c->errhandler);
		mpi_unlock();
	}
	return errhandler;
}

bool mpi_errhandler_call(MPI_Comm comm, int *code)
{
	MPI_Errhandler errhandler;

	if (!mpi_comm_of(comm))
		comm = MPI_COMM_SELF;
	errhandler = handler_of(comm);
	if (errhandler == MPI_ERRORS_ARE_FATAL ||
	    errhandler == MPI_ERRORS_ABORT)
		return false;
	if (errhandler != MPI_ERRORS_RETURN) {
		errhandler->function(&comm, code);
		mpi_errhandler_release(errhandler);
	}
	return true;
}

API(Comm_create_errhandler)
(MPI_Comm_errhandler_function *function, MPI_Errhandler *errhandler)
{
	MPI_Errhandler made;

	if (!function || !errhandler)
		return mpi_null(MPI_COMM_SELF, __func__,
				"the function or the handle");
	made = malloc(sizeof(*made));
	if (!made)
		return mpi_fail(MPI_COMM_SELF, __func__, MPI_ERR_NO_MEM,
				"no memory for an error handler");
	atomic_init(&made->refs, 1);
	made->function = function;
	*errhandler = made;
	return MPI_SUCCESS;
}

API(Comm_set_errhandler)(MPI_Comm comm, MPI_Errhandler errhandler)
{
	struct mpi_comm *c = mpi_comm_of(comm);
	MPI_Errhandler before;

	if (!c)
		return mpi_failed(comm, __func__, MRT_ERR_COMM);
	if (is_null(errhandler))
		return mpi_fail(comm, __func__, MPI_ERR_ERRHANDLER,
				"the error handler is null");
	mpi_lock();
	before = c->errhandler;
	c->errhandler = mpi_errhandler_hold(errhandler);
	mpi_unlock();
	mpi_errhandler_release(before);
	return MPI_SUCCESS;
}

API(Comm_get_errhandler)(MPI_Comm comm, MPI_Errhandler *errhandler)
{
	if (!mpi_comm_of(comm))
		return mpi_failed(comm, __func__, MRT_ERR_COMM);
	if (!errhandler)
		return mpi_null(comm, __func__, "the place of the handle");
	*errhandler = handler_of(comm);
	return MPI_SUCCESS;
}

API(Errhandler_free)(MPI_Errhandler *errhandler)
{
	if (!errhandler || is_null(*errhandler))
		return mpi_fail(MPI_COMM_SELF, __func__, MPI_ERR_ERRHANDLER,
				"the error handler is null");
	mpi_errhandler_release(*errhandler);
	*errhandler = MPI_ERRHANDLER_NULL;
	return MPI_SUCCESS;
}

API(Comm_call_errhandler)(MPI_Comm comm, int errorcode)
{
	char text[MPI_MAX_ERROR_STRING];

	if (!mpi_comm_of(comm))
		return mpi_failed(comm, __func__, MRT_ERR_COMM);
	mpi_error_text(errorcode, text);
	mrt_set_error_detail(text);
	mpi_raise(comm, "MPI_Comm_call_errhandler", errorcode);
	return MPI_SUCCESS;
}
