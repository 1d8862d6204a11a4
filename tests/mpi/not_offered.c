/* SPDX-License-Identifier: Apache-2.0 */
/*
 * not_offered.c calls every function that libmrt has in name alone
 * (mpi/stubs.c), and prints a line for each: its name, the error that it
 * returns, and the object whose error handler was called, or "none".
 */
#include <stdio.h>
#include <string.h>

#include "tests/mpi/misuse.h"

#include "tests/mpi/not_offered_calls.h"
enum { FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

static const char *raised;

static void note_file(MPI_File *file, int *code, ...)
{
	(void)code;
	raised = *file == MPI_FILE_NULL ? "MPI_FILE_NULL" : "another";
}

static void note(MPI_Comm *comm, int *code, ...)
{
	(void)code;
	raised = *comm == MPI_COMM_WORLD  ? "the communicator"
		 : *comm == MPI_COMM_SELF ? "MPI_COMM_SELF"
					  : "another";
}

/* Calls the function on the world, with no other arguments. */
static int call(const struct function *f)
{
	union value v[16];

	memset(v, 0, sizeof(v));
	for (int i = 0; i < f->n; i++)
		if (!strcmp(f->par[i].type, "MPI_Comm"))
			v[i].p = (void *)MPI_COMM_WORLD;
	raised = "none";
	return f->call(v);
}

static const char *name_of(int code)
{
	return code == MPI_ERR_UNSUPPORTED_OPERATION
		   ? "MPI_ERR_UNSUPPORTED_OPERATION"
	       : code == MPI_T_ERR_INVALID_HANDLE ? "MPI_T_ERR_INVALID_HANDLE"
						  : "another error";
}

int main(int argc, char **argv)
{
	MPI_Errhandler handler;

	MPI_Init(&argc, &argv);
	MPI_Comm_create_errhandler(note, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
	MPI_Errhandler_free(&handler);
	MPI_File_create_errhandler(note_file, &handler);
	MPI_File_set_errhandler(MPI_FILE_NULL, handler);
	MPI_Errhandler_free(&handler);
	for (int i = 0; i < FUNCTIONS; i++) {
		int code = call(&functions[i]);

		printf("%s %s %s\n", functions[i].name, name_of(code), raised);
	}
	return MPI_Finalize();
}
