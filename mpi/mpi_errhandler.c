/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_errhandler.c: error handlers (MPI 4.1, chapter 9.3). A handler lives
 * while something it is attached to or a handle of the user refers to it. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_errhandler.h"
#include "mpi/mpi_impl.h"

struct MPI_ABI_Errhandler {
	atomic_int refs;
	enum mpi_handler_kind kind;
	union {
		MPI_Comm_errhandler_function *on_comm;
		MPI_Session_errhandler_function *on_session;
		MPI_Win_errhandler_function *on_win;
		MPI_File_errhandler_function *on_file;
	};
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

bool mpi_errhandler_fits(MPI_Errhandler errhandler, enum mpi_handler_kind kind)
{
	return !is_null(errhandler) &&
	       (is_predefined(errhandler) || errhandler->kind == kind);
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

MPI_Errhandler mpi_errhandler_at(const MPI_Errhandler *place)
{
	MPI_Errhandler errhandler;

	mpi_lock();
	errhandler = mpi_errhandler_hold(*place);
	mpi_unlock();
	return errhandler;
}

void mpi_errhandler_attach(MPI_Errhandler *place, MPI_Errhandler errhandler)
{
	MPI_Errhandler before;

	mpi_lock();
	before = *place;
	*place = mpi_errhandler_hold(errhandler);
	mpi_unlock();
	mpi_errhandler_release(before);
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

/* Returns the handler of a communicator with a reference. Before MPI_Init and
 * after MPI_Finalize, when there is none, it is the initial handler. */
static MPI_Errhandler handler_of(MPI_Comm comm)
{
	const struct mpi_comm *c = mpi_comm_of(comm);

	return c ? mpi_errhandler_at(&c->errhandler) : mpi_initial_errhandler();
}

bool mpi_errhandler_invoke(MPI_Errhandler errhandler, void *object, int *code)
{
	if (errhandler == MPI_ERRORS_ARE_FATAL ||
	    errhandler == MPI_ERRORS_ABORT)
		return false;
	if (errhandler == MPI_ERRORS_RETURN)
		return true;
	switch (errhandler->kind) {
	case MPI_HANDLER_OF_COMM:
		errhandler->on_comm(&(MPI_Comm){object}, code);
		break;
	case MPI_HANDLER_OF_SESSION:
		errhandler->on_session(&(MPI_Session){object}, code);
		break;
	case MPI_HANDLER_OF_WIN:
		errhandler->on_win(&(MPI_Win){object}, code);
		break;
	case MPI_HANDLER_OF_FILE:
		errhandler->on_file(&(MPI_File){object}, code);
		break;
	}
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

static int errhandler_create(const char *function,
			     struct MPI_ABI_Errhandler contents,
			     MPI_Errhandler *errhandler)
{
	MPI_Errhandler made;

	if (!contents.on_comm || !errhandler)
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

#define CREATE(Kind, KIND, member)                                             \
	API(Kind##_create_errhandler)                                          \
	(MPI_##Kind##_errhandler_function * function,                          \
	 MPI_Errhandler * errhandler)                                          \
	{                                                                      \
		return errhandler_create(                                      \
		    __func__,                                                  \
		    (struct MPI_ABI_Errhandler){.kind = MPI_HANDLER_OF_##KIND, \
						.member = function},           \
		    errhandler);                                               \
	}
CREATE(Comm, COMM, on_comm)
CREATE(Session, SESSION, on_session)
CREATE(Win, WIN, on_win)
CREATE(File, FILE, on_file)

API(Comm_set_errhandler)(MPI_Comm comm, MPI_Errhandler errhandler)
{
	struct mpi_comm *c = mpi_comm_of(comm);

	if (!c)
		return mpi_failed(comm, __func__, MRT_ERR_COMM);
	if (!mpi_errhandler_fits(errhandler, MPI_HANDLER_OF_COMM))
		return mpi_fail(comm, __func__, MPI_ERR_ERRHANDLER,
				"no error handler for communicators");
	mpi_errhandler_attach(&c->errhandler, errhandler);
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
