/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_errhandler.c: error handlers (MPI 4.1, chapter 9.3). A handler lives
 * while a communicator, a session, a window or a handle of the user refers to
 * it. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_errhandler.h"
#include "mpi/mpi_impl.h"

struct MPI_ABI_Errhandler {
	atomic_int refs;
	MPI_Comm_errhandler_function *on_comm; /* or else */
	MPI_Session_errhandler_function *on_session;
	MPI_Win_errhandler_function *on_win;
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

bool mpi_errhandler_fits_comm(MPI_Errhandler errhandler)
{
	return !is_null(errhandler) &&
	       (is_predefined(errhandler) || errhandler->on_comm);
}

bool mpi_errhandler_fits_session(MPI_Errhandler errhandler)
{
	return !is_null(errhandler) &&
	       (is_predefined(errhandler) || errhandler->on_session);
}

bool mpi_errhandler_fits_win(MPI_Errhandler errhandler)
{
	return !is_null(errhandler) &&
	       (is_predefined(errhandler) || errhandler->on_win);
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

MPI_Errhandler mpi_initial_errhandler(void)
{
	const char *name = getenv("MRT_INITIAL_ERRHANDLER");

	if (name && !strcmp(name, "mpi_errors_return"))
		return MPI_ERRORS_RETURN;
	if (name && !strcmp(name, "mpi_errors_abort"))
		return MPI_ERRORS_ABORT;
	return MPI_ERRORS_ARE_FATAL;
}

/* Returns the communicator's handler with a reference, since a user's function
 * may replace it. Before and after MPI there is none: the initial one. */
static MPI_Errhandler handler_of(MPI_Comm comm)
{
	MPI_Errhandler errhandler = mpi_initial_errhandler();
	struct mpi_comm *c = mpi_comm_of(comm);

	if (c) {
		mpi_lock();
		errhandler = mpi_errhandler_hold(c->errhandler);
		mpi_unlock();
	}
	return errhandler;
}

bool mpi_errhandler_invoke(MPI_Errhandler errhandler, void *object, int *code)
{
	if (errhandler == MPI_ERRORS_ARE_FATAL ||
	    errhandler == MPI_ERRORS_ABORT)
		return false;
	if (errhandler == MPI_ERRORS_RETURN)
		return true;
	if (errhandler->on_comm)
		errhandler->on_comm(&(MPI_Comm){object}, code);
	else if (errhandler->on_win)
		errhandler->on_win(&(MPI_Win){object}, code);
	else
		errhandler->on_session(&(MPI_Session){object}, code);
	return true;
}

bool mpi_errhandler_call(MPI_Comm comm, int *code)
{
	MPI_Errhandler errhandler;
	bool goes_on;

	if (!mpi_comm_of(comm))
		comm = MPI_COMM_SELF;
	errhandler = handler_of(comm);
	goes_on = mpi_errhandler_invoke(errhandler, comm, code);
	mpi_errhandler_release(errhandler);
	return goes_on;
}

static int create(const char *function, struct MPI_ABI_Errhandler contents,
		  MPI_Errhandler *errhandler)
{
	MPI_Errhandler made;

	if ((!contents.on_comm && !contents.on_session && !contents.on_win) ||
	    !errhandler)
		return mpi_null(MPI_COMM_NULL, function,
				"the function or the handle");
	made = malloc(sizeof(*made));
	if (!made)
		return mpi_fail(MPI_COMM_NULL, function, MPI_ERR_NO_MEM,
				"no memory for an error handler");
	*made = contents;
	atomic_init(&made->refs, 1);
	*errhandler = made;
	return MPI_SUCCESS;
}

API(Comm_create_errhandler)
(MPI_Comm_errhandler_function *function, MPI_Errhandler *errhandler)
{
	return create(__func__,
		      (struct MPI_ABI_Errhandler){.on_comm = function},
		      errhandler);
}

API(Session_create_errhandler)
(MPI_Session_errhandler_function *function, MPI_Errhandler *errhandler)
{
	return create(__func__,
		      (struct MPI_ABI_Errhandler){.on_session = function},
		      errhandler);
}

int mpi_errhandler_create_win(const char *function,
			      MPI_Win_errhandler_function *on_win,
			      MPI_Errhandler *errhandler)
{
	return create(function, (struct MPI_ABI_Errhandler){.on_win = on_win},
		      errhandler);
}

API(Comm_set_errhandler)(MPI_Comm comm, MPI_Errhandler errhandler)
{
	struct mpi_comm *c = mpi_comm_of(comm);
	MPI_Errhandler before;

	if (!c)
		return mpi_failed(comm, __func__, MRT_ERR_COMM);
	if (!mpi_errhandler_fits_comm(errhandler))
		return mpi_fail(comm, __func__, MPI_ERR_ERRHANDLER,
				"no error handler for communicators");
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
		return mpi_fail(MPI_COMM_NULL, __func__, MPI_ERR_ERRHANDLER,
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
