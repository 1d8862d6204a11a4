/* SPDX-License-Identifier: Apache-2.0 */
/* error_handlers.c tests error handlers of communicators: which one is called,
 * with what, and how long it lives (MPI 4.1, 9.3). */
#include "tests/mpi/mpi_test.h"

static struct {
	int calls, code;
	MPI_Comm comm;
} seen;

static void note(MPI_Comm *comm, int *code, ...)
{
	seen.calls++;
	seen.code = *code;
	seen.comm = *comm;
}

static void other(MPI_Comm *comm, int *code, ...)
{
	seen.calls += 100;
}

/* Makes a call whose tag is wrong. */
static int wrong(MPI_Comm comm)
{
	int x = 0;

	return MPI_Send(&x, 1, MPI_INT, 0, -7, comm);
}

static void expect(int calls, MPI_Comm comm)
{
	CHECK_EQ(seen.calls, calls);
	CHECK(seen.comm == comm);
	seen.calls = 0;
}

static void back_to_return(MPI_Comm comm)
{
	OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
}

static void called(void)
{
	MPI_Errhandler handler;

	OK(MPI_Comm_create_errhandler(note, &handler));
	OK(MPI_Comm_set_errhandler(W, handler));
	CHECK_ERROR(MPI_ERR_TAG, wrong(W));
	CHECK_ERROR(MPI_ERR_TAG, seen.code);
	expect(1, W);
	CHECK_ERROR(MPI_ERR_TAG,
		    wrong(MPI_COMM_SELF)); /* self has its own handler */
	expect(0, W);
	OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
	CHECK_ERROR(MPI_ERR_TAG, wrong(MPI_COMM_SELF));
	expect(1, MPI_COMM_SELF);
	back_to_return(W);
	back_to_return(MPI_COMM_SELF);
	CHECK_ERROR(MPI_ERR_TAG, wrong(W));
	CHECK_EQ(seen.calls, 0);
	OK(MPI_Errhandler_free(&handler));
	CHECK(handler == MPI_ERRHANDLER_NULL);
}

static void lives_while_used(void)
{
	MPI_Errhandler handler, got, again;

	OK(MPI_Comm_create_errhandler(note, &handler));
	OK(MPI_Comm_set_errhandler(W, handler));
	OK(MPI_Errhandler_free(&handler));
	wrong(W);
	expect(1, W);
	OK(MPI_Comm_get_errhandler(W, &got));
	OK(MPI_Comm_get_errhandler(W, &again));
	CHECK(got == again);
	OK(MPI_Errhandler_free(&again));
	back_to_return(W);
	OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, got));
	OK(MPI_Errhandler_free(&got));
	wrong(MPI_COMM_SELF);
	expect(1, MPI_COMM_SELF);
	back_to_return(MPI_COMM_SELF);
}

static void predefined(void)
{
	static const struct {
		MPI_Errhandler handler;
	} all[] = {{MPI_ERRORS_ARE_FATAL}, {MPI_ERRORS_RETURN}};
	MPI_Errhandler got;

	for (int k = 0; k < 2; k++) {
		OK(MPI_Comm_set_errhandler(W, all[k].handler));
		OK(MPI_Comm_get_errhandler(W, &got));
		CHECK(got == all[k].handler);
		OK(MPI_Errhandler_free(&got));
		CHECK(got == MPI_ERRHANDLER_NULL);
	}
	back_to_return(W);
}

static void by_hand(void)
{
	MPI_Errhandler handler;
	int code;

	OK(MPI_Comm_call_errhandler(W, MPI_ERR_TOPOLOGY));
	OK(MPI_Comm_create_errhandler(note, &handler));
	OK(MPI_Comm_set_errhandler(W, handler));
	OK(MPI_Errhandler_free(&handler));
	OK(MPI_Comm_call_errhandler(W, MPI_ERR_TOPOLOGY));
	CHECK_EQ(seen.code, MPI_ERR_TOPOLOGY);
	expect(1, W);
	OK(MPI_Add_error_class(&code));
	OK(MPI_Comm_call_errhandler(W, code));
	CHECK_EQ(seen.code, code);
	expect(1, W);
	back_to_return(W);
}

/* An error on no communicator, or on an invalid one, is raised on self. */
static void without_communicator(void)
{
	MPI_Errhandler handler;
	int rank;

	OK(MPI_Comm_create_errhandler(note, &handler));
	OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_rank(MPI_COMM_NULL, &rank));
	CHECK_EQ(seen.calls, 1);
	CHECK_ERROR(MPI_ERR_COMM,
		    MPI_Comm_set_errhandler(MPI_COMM_NULL, handler));
	CHECK_ERROR(MPI_ERR_COMM,
		    MPI_Comm_call_errhandler(MPI_COMM_NULL, MPI_ERR_TAG));
	CHECK_ERROR(MPI_ERR_INFO, MPI_Info_set(MPI_INFO_NULL, "x", "x"));
	CHECK_EQ(seen.calls, 4);
	seen.calls = 0;
	back_to_return(MPI_COMM_SELF);
	OK(MPI_Errhandler_free(&handler));
}

static void note_file(MPI_File *file, int *code, ...)
{
	seen.calls += *file == MPI_FILE_NULL;
	seen.code = *code;
}

/* The handler of MPI_FILE_NULL, which is that of a file that cannot be
 * opened; a handler for communicators is none. */
static void of_files(void)
{
	MPI_Errhandler handler, got, wrong_kind;
	MPI_File file;
	int code;

	OK(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
	CHECK(got == MPI_ERRORS_RETURN);
	OK(MPI_File_create_errhandler(note_file, &handler));
	OK(MPI_File_set_errhandler(MPI_FILE_NULL, handler));
	OK(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
	CHECK(got == handler);
	OK(MPI_Errhandler_free(&got));
	/* to open with no mode is an error with ROMIO and without */
	code = MPI_File_open(W, "x", 0, MPI_INFO_NULL, &file);
	CHECK(code != MPI_SUCCESS);
	CHECK_EQ(seen.code, code);
	OK(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_NO_SUCH_FILE));
	CHECK_EQ(seen.code, MPI_ERR_NO_SUCH_FILE);
	OK(MPI_Comm_create_errhandler(note, &wrong_kind));
	CHECK_ERROR(MPI_ERR_ERRHANDLER,
		    MPI_File_set_errhandler(MPI_FILE_NULL, wrong_kind));
	CHECK_ERROR(MPI_ERR_ERRHANDLER, MPI_Comm_set_errhandler(W, handler));
	CHECK_EQ(seen.calls, 3);
	seen.calls = 0;
	OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
	OK(MPI_Errhandler_free(&handler));
	OK(MPI_Errhandler_free(&wrong_kind));
}

/* A handler that replaces itself. */
static void once(MPI_Comm *comm, int *code, ...)
{
	MPI_Errhandler next;

	seen.calls++;
	MPI_Comm_create_errhandler(other, &next);
	MPI_Comm_set_errhandler(*comm, next);
	MPI_Errhandler_free(&next);
}

static void replaced_while_called(void)
{
	MPI_Errhandler handler;

	seen.calls = 0;
	OK(MPI_Comm_create_errhandler(once, &handler));
	OK(MPI_Comm_set_errhandler(W, handler));
	OK(MPI_Errhandler_free(&handler));
	wrong(W);
	CHECK_EQ(seen.calls, 1);
	wrong(W);
	CHECK_EQ(seen.calls, 101);
	back_to_return(W);
	seen.calls = 0;
}

static void erroneous(void)
{
	MPI_Errhandler null = MPI_ERRHANDLER_NULL;

	CHECK(MPI_Comm_set_errhandler(W, null) != MPI_SUCCESS);
	CHECK(MPI_Errhandler_free(&null) != MPI_SUCCESS);
}

static const struct mpi_case cases[] = {
    {"a function of the user's is called with communicator and code", called},
    {"a handler lives while it is used", lives_while_used},
    {"predefined handlers are got and freed", predefined},
    {"MPI_Comm_call_errhandler", by_hand},
    {"errors without a communicator go to MPI_COMM_SELF", without_communicator},
    {"errors on files go to MPI_FILE_NULL", of_files},
    {"a handler replaces itself", replaced_while_called},
    {"null handlers", erroneous},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
