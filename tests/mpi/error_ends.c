/* SPDX-License-Identifier: Apache-2.0 */
/* error_ends.c makes errors that end a job, one by its name as argument, at
 * rank 1. error_ends.t checks the line that is printed and the exit code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

static int me, x;

static void bad_rank(void)
{
	MPI_Send(&x, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
}

static void bad_tag_self(void)
{
	MPI_Send(&x, 1, MPI_INT, 0, -7, MPI_COMM_SELF);
}

/* The line must contain the name of the communicator. */
static void named(void)
{
	MPI_Comm comm;

	MPI_Comm_split(MPI_COMM_SELF, 0, 0, &comm);
	MPI_Comm_set_name(comm, "the moon");
	MPI_Send(&x, 1, MPI_INT, 1, 0, comm);
}

static void bad_info(void)
{
	MPI_Info_set(MPI_INFO_NULL, "key", "value");
}

static void aborts(void)
{
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ABORT);
	MPI_Send(&x, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
}

static void by_hand(void)
{
	int code;

	MPI_Add_error_class(&code);
	MPI_Add_error_string(code, "the moon is full");
	MPI_Comm_call_errhandler(MPI_COMM_WORLD, code);
}

static void not_offered(void)
{
	MPI_Close_port("the moon");
}

/* The handler is that of the session. */
static void in_session(void)
{
	MPI_Session session;
	MPI_Group group;

	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
	MPI_Group_from_session_pset(session, "the moon", &group);
}

static void abort_42(void)
{
	MPI_Abort(MPI_COMM_WORLD, 42);
}

static void abort_0(void)
{
	MPI_Abort(MPI_COMM_WORLD, 0);
}

static void abort_256(void)
{
	MPI_Abort(MPI_COMM_WORLD, 256);
}

static void abort_minus(void)
{
	MPI_Abort(MPI_COMM_WORLD, -1);
}

/* The other ranks wait for a message of the rank that dies. */
static void peer_dies(void)
{
	puts("last words");
	abort();
}

static int class_of(int code)
{
	int class = -1;

	MPI_Error_class(code, &class);
	return class;
}

/* Returns 0 if errors return from the start to the end, though no call has set
 * a handler. */
static int initial(void)
{
	MPI_Errhandler world, self;
	char text[64] = "";
	int bad = 0, flag = 0;

	bad |= !MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Init(NULL, NULL);
	MPI_Comm_get_errhandler(MPI_COMM_WORLD, &world);
	MPI_Comm_get_errhandler(MPI_COMM_SELF, &self);
	bad |= world != MPI_ERRORS_RETURN || self != MPI_ERRORS_RETURN;
	bad |= class_of(MPI_Send(&x, 1, MPI_INT, 99, 0, MPI_COMM_WORLD)) !=
	       MPI_ERR_RANK;
	bad |= class_of(MPI_Info_set(MPI_INFO_NULL, "a", "b")) != MPI_ERR_INFO;
	MPI_Info_get(MPI_INFO_ENV, "mpi_initial_errhandler", 63, text, &flag);
	bad |= !flag || strcmp(text, "mpi_errors_return") != 0;
	MPI_Finalize();
	return bad || !MPI_Comm_rank(MPI_COMM_WORLD, &me);
}

static const struct {
	const char *name;
	void (*run)(void);
} ends[] = {{"bad_rank", bad_rank},
	    {"bad_tag_self", bad_tag_self},
	    {"named", named},
	    {"bad_info", bad_info},
	    {"aborts", aborts},
	    {"by_hand", by_hand},
	    {"not_offered", not_offered},
	    {"in_session", in_session},
	    {"abort_42", abort_42},
	    {"abort_0", abort_0},
	    {"abort_256", abort_256},
	    {"abort_minus", abort_minus},
	    {"peer_dies", peer_dies}};

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (!strcmp(name, "before_init"))
		MPI_Comm_rank(MPI_COMM_WORLD, &me);
	if (!strcmp(name, "tools")) /* errors of tools never end a program */
		return MPI_T_cvar_get_num(&x) != MPI_T_ERR_NOT_INITIALIZED;
	if (!strcmp(name, "initial"))
		return initial();
	MPI_Init(&argc, &argv);
	if (!strcmp(name, "by_system")) {
		char command[4096];

		snprintf(command, sizeof(command), "%s none", argv[0]);
		if (system(command))
			return 3;
	}
	if (!strcmp(name, "after_finalize"))
		MPI_Finalize();
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	for (size_t k = 0; k < sizeof(ends) / sizeof(*ends) && me == 1; k++)
		if (!strcmp(ends[k].name, name))
			ends[k].run();
	MPI_Recv(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return 0;
}
