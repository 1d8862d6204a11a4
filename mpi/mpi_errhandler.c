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
	enum mpi_kind kind;
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

bool mpi_errhandler_fits(MPI_Errhandler errhandler, enum mpi_kind kind)
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

	return c ? mpi_errhandler_at(&c->object.errhandler)
		 : mpi_initial_errhandler();
}

bool mpi_errhandler_invoke(MPI_Errhandler errhandler, void *object, int *code)
{
	if (errhandler == MPI_ERRORS_ARE_FATAL ||
	    errhandler == MPI_ERRORS_ABORT)
		return false;
	if (errhandler == MPI_ERRORS_RETURN)
		return true;
	switch (errhandler->kind) {
	case MPI_KIND_COMM:
		errhandler->on_comm(&(MPI_Comm){object}, code);
		break;
	case MPI_KIND_SESSION:
		errhandler->on_session(&(MPI_Session){object}, code);
		break;
	case MPI_KIND_WIN:
		errhandler->on_win(&(MPI_Win){object}, code);
		break;
	case MPI_KIND_FILE:
		errhandler->on_file(&(MPI_File){object}, code);
		break;
	default:
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
		    (struct MPI_ABI_Errhandler){.kind = MPI_KIND_##KIND,       \
						.member = function},           \
		    errhandler);                                               \
	}
CREATE(Comm, COMM, on_comm)
CREATE(Session, SESSION, on_session)
CREATE(Win, WIN, on_win)
CREATE(File, FILE, on_file)

/* The place of an object's handler, or NULL if the object is none. */
static MPI_Errhandler *errhandler_place(enum mpi_kind kind, void *object)
{
	struct mpi_object *o;

	if (kind == MPI_KIND_SESSION)
		return mpi_session_errhandler(object);
	if (kind == MPI_KIND_FILE)
		return mpi_file_errhandler(object);
	o = mpi_object_of(kind, object);
	return o ? &o->errhandler : NULL;
}

/* Ends a function on an object that has no handler. */
static int no_place(enum mpi_kind kind, void *object, const char *function)
{
	int rc = mpi_object_check(kind, object, function);

	return rc ? rc
		  : mpi_object_result(kind, object, function, MRT_ERR_NO_MEM);
}

int mpi_errhandler_set(enum mpi_kind kind, void *object, const char *function,
		       MPI_Errhandler errhandler)
{
	MPI_Errhandler *place = errhandler_place(kind, object);

	if (!place)
		return no_place(kind, object, function);
	if (!mpi_errhandler_fits(errhandler, kind))
		return mpi_object_result(
		    kind, object, function,
		    mpi_detailed(MPI_ERR_ERRHANDLER,
				 "no error handler for such objects"));
	mpi_errhandler_attach(place, errhandler);
	return MPI_SUCCESS;
}

int mpi_errhandler_get(enum mpi_kind kind, void *object, const char *function,
		       MPI_Errhandler *errhandler)
{
	MPI_Errhandler *place = errhandler_place(kind, object);

	if (!place)
		return no_place(kind, object, function);
	if (!errhandler)
		return mpi_object_result(
		    kind, object, function,
		    mpi_detailed(MPI_ERR_ARG, "errhandler is NULL"));
	*errhandler = mpi_errhandler_at(place);
	return MPI_SUCCESS;
}

int mpi_errhandler_raise(enum mpi_kind kind, void *object, const char *function,
			 int code)
{
	char text[MPI_MAX_ERROR_STRING] = "called by the program";

	if (!errhandler_place(kind, object))
		return no_place(kind, object, function);
	if (kind == MPI_KIND_COMM)
		mpi_error_text(code, text);
	mrt_set_error_detail(text);
	if (kind == MPI_KIND_COMM)
		mpi_raise(object, function + 1, code);
	else
		mpi_object_result(kind, object, function, code);
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
