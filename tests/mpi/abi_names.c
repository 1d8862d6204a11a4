/* SPDX-License-Identifier: Apache-2.0 */
/* abi_names.c checks names of mpi.h that programs need beside what is offered:
 * conversions for Fortran, files, sessions, and constants that are macros. */
#include "tests/mpi/mpi_test.h"

static void handles(void)
{
	MPI_Comm comm;
	MPI_Datatype type;
	MPI_Request request = MPI_REQUEST_NULL;

	CHECK(MPI_Comm_f2c(MPI_Comm_c2f(W)) == W);
	CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_INT)) == MPI_INT);
	CHECK(MPI_Op_f2c(MPI_Op_c2f(MPI_SUM)) == MPI_SUM);
	CHECK(MPI_Info_f2c(MPI_Info_c2f(MPI_INFO_NULL)) == MPI_INFO_NULL);
	CHECK(MPI_Request_f2c(MPI_Request_c2f(request)) == request);
	OK(MPI_Comm_dup(W, &comm));
	OK(MPI_Type_contiguous(3, MPI_INT, &type));
	CHECK(MPI_Comm_f2c(MPI_Comm_c2f(comm)) == comm);
	CHECK(MPI_Type_f2c(MPI_Type_c2f(type)) == type);
	OK(MPI_Type_free(&type));
	OK(MPI_Comm_free(&comm));
}

static void statuses(void)
{
	MPI_Fint numbers[MPI_F_STATUS_SIZE];
	MPI_Status status, back;
	int count = 0;

	OK(MPI_Sendrecv(&me, 1, MPI_INT, me, 5, &count, 1, MPI_INT, me, 5, W,
			&status));
	OK(MPI_Status_c2f(&status, numbers));
	CHECK_EQ(numbers[MPI_F_SOURCE], me);
	CHECK_EQ(numbers[MPI_F_TAG], 5);
	OK(MPI_Status_f2c(numbers, &back));
	OK(MPI_Get_count(&back, MPI_INT, &count));
	CHECK_EQ(count, 1);
	CHECK_EQ(back.MPI_SOURCE, me);
}

/* Errors on files return, whatever handler self has (MPI 4.1, 14.7); a program
 * that asks whether there are files goes on without them. */
static void files(void)
{
	MPI_File file = MPI_FILE_NULL;
	int rc;

	OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
	rc = MPI_File_open(MPI_COMM_SELF, "/nowhere/to be found",
			   MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
	CHECK(rc != MPI_SUCCESS);
	OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
	CHECK(MPI_File_iread_at_all != NULL);
}

/* MPI_Session_init returns its error as well, with a handler of its own. */
static void sessions(void)
{
#if MPI_VERSION >= 4
	MPI_Session session = MPI_SESSION_NULL;

	OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
	if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) ==
	    MPI_SUCCESS)
		MPI_Session_finalize(&session);
	CHECK(session == MPI_SESSION_NULL);
	OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
#endif
}

/* Programs test these by the preprocessor, as mpi.h of other libraries
 * allows. */
static void constants(void)
{
#if !defined(MPI_THREAD_MULTIPLE) || !defined(MPI_COMM_TYPE_SHARED) ||         \
    !defined(MPI_ERR_PROC_ABORTED) || !defined(MPI_TAG_UB)
	CHECK(!"constants are macros");
#endif
	CHECK(MPI_UNDEFINED < 0 && MPI_PROC_NULL < 0);
}

static const struct mpi_case cases[] = {
    {"handles of Fortran", handles},
    {"statuses of Fortran", statuses},
    {"files that cannot be opened", files},
    {"sessions that return errors", sessions},
    {"constants", constants},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
