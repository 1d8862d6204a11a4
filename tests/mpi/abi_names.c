/* SPDX-License-Identifier: Apache-2.0 */
/* abi_names.c checks names that programs need beside what is offered:
 * conversions for Fortran, in mpi.h and as symbols of the library, files,
 * sessions, and constants that are macros. */
#include <dlfcn.h>

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

typedef void function(void);

/* Returns a function of the libraries of the program. ISO C knows no conversion
 * of a pointer to data into one to a function, hence the union. */
static function *find(const char *name)
{
	union {
		void *data;
		function *code;
	} symbol = {dlsym(dlopen(NULL, RTLD_LAZY), name)};

	if (!CHECK(symbol.code))
		fprintf(stderr, "there is no %s\n", name);
	return symbol.code;
}

/* Other languages call the conversions by their names, without mpi.h. */
#define CONVERT(prefix, name, type, handle)                                    \
	do {                                                                   \
		MPI_Fint (*c2f)(type) =                                        \
		    (MPI_Fint(*)(type))find(prefix #name "_c2f");              \
		type (*f2c)(MPI_Fint) =                                        \
		    (type(*)(MPI_Fint))find(prefix #name "_f2c");              \
                                                                               \
		if (c2f && f2c) {                                              \
			CHECK_EQ(c2f(handle), MPI_##name##_c2f(handle));       \
			CHECK(f2c(c2f(handle)) == (handle));                   \
		}                                                              \
	} while (0)
#define CONVERT_BOTH(name, type, handle)                                       \
	do {                                                                   \
		CONVERT("MPI_", name, type, handle);                           \
		CONVERT("PMPI_", name, type, handle);                          \
	} while (0)

static void symbols_of_handles(void)
{
	MPI_Comm comm;

	OK(MPI_Comm_dup(W, &comm));
	CONVERT_BOTH(Comm, MPI_Comm, comm);
	OK(MPI_Comm_free(&comm));
	CONVERT_BOTH(Comm, MPI_Comm, W);
	CONVERT_BOTH(Errhandler, MPI_Errhandler, MPI_ERRORS_RETURN);
	CONVERT_BOTH(File, MPI_File, MPI_FILE_NULL);
	CONVERT_BOTH(Group, MPI_Group, MPI_GROUP_EMPTY);
	CONVERT_BOTH(Info, MPI_Info, MPI_INFO_NULL);
	CONVERT_BOTH(Message, MPI_Message, MPI_MESSAGE_NO_PROC);
	CONVERT_BOTH(Op, MPI_Op, MPI_SUM);
	CONVERT_BOTH(Request, MPI_Request, MPI_REQUEST_NULL);
	CONVERT_BOTH(Type, MPI_Datatype, MPI_INT);
	CONVERT_BOTH(Win, MPI_Win, MPI_WIN_NULL);
#if MPI_VERSION >= 4
	CONVERT_BOTH(Session, MPI_Session, MPI_SESSION_NULL);
#endif
}

static void symbols_of_statuses(void)
{
	int (*c2f)(const MPI_Status *, MPI_Fint *) =
	    (int (*)(const MPI_Status *, MPI_Fint *))find("MPI_Status_c2f");
	int (*f2c)(const MPI_Fint *, MPI_Status *) =
	    (int (*)(const MPI_Fint *, MPI_Status *))find("PMPI_Status_f2c");
	MPI_Fint numbers[MPI_F_STATUS_SIZE];
	MPI_Status status = {.MPI_SOURCE = 3, .MPI_TAG = 4}, back;

	if (!c2f || !f2c)
		return;
	OK(c2f(&status, numbers));
	CHECK_EQ(numbers[MPI_F_SOURCE], 3);
	CHECK_EQ(numbers[MPI_F_TAG], 4);
	OK(f2c(numbers, &back));
	CHECK_EQ(back.MPI_SOURCE, 3);
	CHECK_EQ(back.MPI_TAG, 4);
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
    {"conversions of handles by name", symbols_of_handles},
    {"conversions of statuses by name", symbols_of_statuses},
    {"files that cannot be opened", files},
    {"sessions that return errors", sessions},
    {"constants", constants},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
