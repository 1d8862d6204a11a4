/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_error.c: takes an error, of libmrt or found by mpi/ itself, to the error
 * handler (MPI 4.1, chapter 9.3), and to the line that is printed when it ends
 * the job.
 */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "mpi/mpi_errhandler.h"
#include "mpi/mpi_impl.h"

static const int classes[] = {[-MRT_ERR_ARG] = MPI_ERR_ARG,
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
			      [-MRT_ERR_UNSUPPORTED] =
				  MPI_ERR_UNSUPPORTED_OPERATION,
			      [-MRT_ERR_INTERNAL] = MPI_ERR_INTERN,
			      [-MRT_ERR_GROUP] = MPI_ERR_GROUP,
			      [-MRT_ERR_COLLECTIVE] = MPI_ERR_ARG,
			      [-MRT_ERR_WIN] = MPI_ERR_WIN,
			      [-MRT_ERR_EPOCH] = MPI_ERR_RMA_SYNC,
			      [-MRT_ERR_RANGE] = MPI_ERR_RMA_RANGE,
			      [-MRT_ERR_SHARED] = MPI_ERR_RMA_SHARED,
			      [-MRT_ERR_CONFLICT] = MPI_ERR_RMA_CONFLICT};
enum { CLASSES = sizeof(classes) / sizeof(*classes) };

int mpi_error_class(int mrt_error)
{
	unsigned int k = -(unsigned int)mrt_error;

	if (mrt_error >= 0) /* no error, or what a callback returned */
		return mrt_error;
	return k < CLASSES && classes[k] ? classes[k] : MPI_ERR_UNKNOWN;
}

/* Converts a class to libmrt's code; MRT_ERR_ARG if libmrt has none. */
static int code_of_class(int class)
{
	for (int k = 1; k < CLASSES; k++)
		if (classes[k] == class && class != MPI_ERR_OTHER)
			return -k;
	return MRT_ERR_ARG;
}

/* Writes such as "MPI_Send on MPI_COMM_WORLD: MPI_ERR_RANK". A communicator
 * without a name is told by the function that made it. */
static void error_describe(char *text, size_t len, MPI_Comm comm,
			   const char *function, int code)
{
	const char *class = mpi_error_name(mpi_class_of_code(code));
	const struct mpi_comm *c = mrt_comm_data(to_comm(comm));

	if (comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF)
		snprintf(text, len, "%s on MPI_COMM_%s: %s", function,
			 comm == MPI_COMM_SELF ? "SELF" : "WORLD", class);
	else if (c && c->object.named)
		snprintf(text, len, "%s on %s: %s", function, c->object.name,
			 class);
	else if (c)
		snprintf(text, len,
			 "%s on rank %d of %d of a communicator of %s: %s",
			 function, mrt_rank(to_comm(comm)),
			 mrt_size(to_comm(comm)), c->maker ? c->maker : "MPI",
			 class);
	else
		snprintf(text, len, "%s: %s", function, class);
}

/* Passes an error to comm's handler. If that ends the job, the exit status is
 * that of mrt_error. */
static int raise_as(MPI_Comm comm, const char *function, int code,
		    int mrt_error)
{
	char text[256], detail[256];

	/* looking up the handler may set a detail of its own */
	snprintf(detail, sizeof(detail), "%s", mrt_error_detail());
	mpi_file_forget();
	if (mpi_errhandler_call(comm, &code))
		return code;
	mrt_set_error_detail(detail);
	error_describe(text, sizeof(text), comm, function, code);
	mrt_error_fatal(text, mrt_error);
}

int mpi_raise(MPI_Comm comm, const char *function, int code)
{
	return raise_as(comm, function, code,
			code_of_class(mpi_class_of_code(code)));
}

/* Whether MPI is not initialised or already finalised; then sets the detail,
 * since the names of libmrt's own calls mean nothing to an MPI program. */
static bool is_outside(void)
{
	if (mrt_initialized() && !mrt_finalized())
		return false;
	mrt_set_error_detail(
	    mrt_finalized()
		? "called after MPI_Finalize, or in a child made by fork()"
		: "called before MPI_Init");
	return true;
}

int mpi_failed(MPI_Comm comm, const char *function, int mrt_error)
{
	int class = mpi_error_class(mrt_error);

	if (mrt_error > 0)
		mrt_error = code_of_class(mpi_class_of_code(class));
	if ((mrt_error == MRT_ERR_STATE || mrt_error == MRT_ERR_COMM) &&
	    is_outside()) {
		mrt_error = MRT_ERR_STATE;
		class = MPI_ERR_OTHER;
	}
	return raise_as(comm, function + 1, class, mrt_error);
}

int mpi_request_failed(const char *function, int mrt_error)
{
	struct mrt_comm *comm = mrt_error_comm();
	int rc;

	if (mpi_file_request_failed(function, mrt_error, &rc))
		return rc;
	return mpi_failed(from_comm(comm), function, mrt_error);
}

int mpi_start_failed(const char *function, int mrt_error)
{
	return raise_as(MPI_COMM_NULL, function + 1, mpi_error_class(mrt_error),
			mrt_error);
}

int mpi_result_for(MPI_Errhandler errhandler, void *object,
		   const char *function, int error)
{
	int code = mpi_error_class(error);
	char text[256], detail[256];

	if (!code)
		return MPI_SUCCESS;
	snprintf(detail, sizeof(detail), "%s", mrt_error_detail());
	if (mpi_errhandler_invoke(errhandler, object, &code))
		return code;
	mrt_set_error_detail(detail);
	snprintf(text, sizeof(text), "%s: %s", function + 1,
		 mpi_error_name(mpi_class_of_code(code)));
	mrt_error_fatal(
	    text, error < 0 ? error : code_of_class(mpi_class_of_code(code)));
}

int mpi_result_at(const MPI_Errhandler *place, void *object,
		  const char *function, int error)
{
	MPI_Errhandler errhandler;
	int code;

	if (!error)
		return MPI_SUCCESS;
	errhandler = mpi_errhandler_at(place);
	code = mpi_result_for(errhandler, object, function, error);
	mpi_errhandler_release(errhandler);
	return code;
}

int mpi_fail(MPI_Comm comm, const char *function, int class, const char *format,
	     ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	mrt_set_error_detail(text);
	return mpi_raise(comm, function + 1, class);
}

int mpi_null(MPI_Comm comm, const char *function, const char *name)
{
	return mpi_fail(comm, function, MPI_ERR_ARG, "%s is NULL", name);
}

static bool is_of_files(const char *function)
{
	return !strncmp(function, "PMPI_File_", strlen("PMPI_File_")) ||
	       !strncmp(function, "PMPI_Register_", strlen("PMPI_Register_"));
}

static const char *unsupported_text(const char *function)
{
	return is_of_files(function)
		   ? "this libmrt was built without files: configure "
		     "--with-romio=FOLDER brings them"
		   : "libmrt does not offer this function";
}

/* Programs that find the function when they are configured may not look at what
 * it returns, so the first call that returns is told of. */
static int unsupported_returns(const char *function, int code)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&told))
		fprintf(stderr, "libmrt: %s: %s\n", function + 1,
			unsupported_text(function));
	return code;
}

/* Ends a function that stubs.sh makes, on a communicator, a file or neither. */
int mpi_unsupported_on(MPI_Comm comm, const char *function);
int mpi_unsupported_on(MPI_Comm comm, const char *function)
{
	int code = MPI_ERR_UNSUPPORTED_OPERATION;

	mrt_set_error_detail(unsupported_text(function));
	if (is_of_files(function))
		code = mpi_file_result(MPI_FILE_NULL, function, code);
	else if (is_outside())
		return mpi_raise(comm, function + 1, code);
	else
		code = mpi_raise(comm, function + 1, code);
	return unsupported_returns(function, code);
}

int mpi_unsupported(const char *function);
int mpi_unsupported(const char *function)
{
	return mpi_unsupported_on(MPI_COMM_NULL, function);
}
