/* SPDX-License-Identifier: Apache-2.0 */
/*
 * convert.c: those conversions of convert.h that are no inline functions, and
 * the common blocks of mpif.h.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fortran/convert.h"

/* Common blocks are aligned as Fortran compilers align theirs. */
#define COMMON __attribute__((aligned(32)))
MPI_Fint mpi_bottom_ COMMON, mpi_in_place_ COMMON, mpi_buffer_automatic_ COMMON;
MPI_Fint mpi_status_ignore_[MPI_F_STATUS_SIZE] COMMON;
MPI_Fint mpi_statuses_ignore_[MPI_F_STATUS_SIZE] COMMON;
MPI_Fint mpi_unweighted_ COMMON, mpi_weights_empty_ COMMON;
MPI_Fint mpi_errcodes_ignore_ COMMON;
char mpi_argv_null_ COMMON, mpi_argvs_null_ COMMON;

void *scratch_room(long n, size_t size, void *room)
{
	void *array;

	if (n <= SCRATCH)
		return room;
	array = malloc((size_t)n * size);
	if (!array) {
		fprintf(stderr, "libmpifort_abi: no memory for %ld arguments\n",
			n);
		PMPI_Abort(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
		abort();
	}
	return array;
}

void scratch_free_(void *array)
{
	free(array);
}

int fortran_peers(const void *buffer, MPI_Comm comm)
{
	int n = 0, inter = 0;

	if (buffer == MPI_IN_PLACE || PMPI_Comm_test_inter(comm, &inter))
		return 0;
	if (inter)
		PMPI_Comm_remote_size(comm, &n);
	else
		PMPI_Comm_size(comm, &n);
	return n;
}

bool fortran_matters(MPI_Comm comm, int root, int buffer)
{
	int inter = 0, rank = MPI_PROC_NULL;

	PMPI_Comm_test_inter(comm, &inter);
	if (buffer == BUFFER_OF_ALL)
		return root != MPI_PROC_NULL;
	if (buffer == BUFFER_OF_OTHERS)
		return !inter || root >= 0;
	if (!inter)
		PMPI_Comm_rank(comm, &rank);
	return root == (inter ? MPI_ROOT : rank);
}

int fortran_neighbors(MPI_Comm comm, int receiving)
{
	int topology, rank, n = 0, in, out, weighted;

	if (PMPI_Topo_test(comm, &topology))
		return 0;
	switch (topology) {
	case MPI_CART:
		PMPI_Cartdim_get(comm, &n);
		return 2 * n;
	case MPI_GRAPH:
		PMPI_Comm_rank(comm, &rank);
		PMPI_Graph_neighbors_count(comm, rank, &n);
		return n;
	case MPI_DIST_GRAPH:
		PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
		return receiving ? in : out;
	default:
		return 0;
	}
}

int fortran_dims(MPI_Comm comm)
{
	int topology, n = 0;

	if (PMPI_Topo_test(comm, &topology) == MPI_SUCCESS &&
	    topology == MPI_CART)
		PMPI_Cartdim_get(comm, &n);
	return n;
}

int *logicals_in(long n, const MPI_Fint *logicals, int *room)
{
	int *flags = logical_room(n, room);

	for (long k = 0; k < n; k++)
		flags[k] = logical_in(logicals[k]);
	return flags;
}

void logicals_out(long n, const int *flags, MPI_Fint *logicals)
{
	for (long k = 0; k < n; k++)
		logicals[k] = logical_out(flags[k]);
}

char *string_in(const char *text, size_t length, char *room)
{
	char *string;

	while (length && text[length - 1] == ' ')
		length--;
	string = scratch_room((long)length + 1, 1, room);
	memcpy(string, text, length);
	string[length] = '\0';
	return string;
}

char *string_stripped(const char *text, size_t length, char *room)
{
	while (length && *text == ' ') {
		text++;
		length--;
	}
	return string_in(text, length, room);
}

void string_out(const char *from, char *text, size_t length)
{
	size_t used = strnlen(from, length);

	memcpy(text, from, used);
	memset(text + used, ' ', length - used);
}
