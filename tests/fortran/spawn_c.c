/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spawn_c.c prints the arguments of functions that spawn.
 */
#include <mpi.h>
#include <stdio.h>

static void say(const char *command, char *const *argv, int n)
{
	printf("%s|", command);
	for (; argv && *argv; argv++)
		printf("%s|", *argv);
	printf(" %d%s\n", n, argv ? "" : ", no arguments");
}

/* The bindings ask for it where INTEGERs have 8 bytes. */
int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
	*rank = 0;
	return MPI_SUCCESS;
}

int MPI_Comm_spawn(const char *command, char *argv[], int maxprocs,
		   MPI_Info info, int root, MPI_Comm comm, MPI_Comm *intercomm,
		   int errcodes[])
{
	say(command, argv, maxprocs);
	puts(errcodes == MPI_ERRCODES_IGNORE ? "no codes" : "codes");
	*intercomm = comm;
	return MPI_SUCCESS;
}

int MPI_Comm_spawn_multiple(int count, char *commands[], char **argv[],
			    const int maxprocs[], const MPI_Info info[],
			    int root, MPI_Comm comm, MPI_Comm *intercomm,
			    int errcodes[])
{
	for (int k = 0; k < count; k++)
		say(commands[k], argv == MPI_ARGVS_NULL ? NULL : argv[k],
		    maxprocs[k]);
	puts(info[1] == MPI_INFO_ENV ? "infos" : "no infos");
	puts(errcodes == MPI_ERRCODES_IGNORE ? "no codes" : "codes");
	*intercomm = comm;
	return MPI_SUCCESS;
}
