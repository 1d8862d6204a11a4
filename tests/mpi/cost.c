/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cost.c measures what mpi/ adds: it sends messages of 8 bytes by MPI's calls
 * or by libmrt's, the same number of each, for callgrind to count (cost.t). A
 * rank sends to itself, so that it never waits. It also allocates memory, of
 * which it writes to each page, in two ways.
 */
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "mrt.h"

static void by_mpi(long n)
{
	double x = 1, y;
	MPI_Request r;

	for (long k = 0; k < n; k++) {
		MPI_Send(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
		MPI_Recv(&y, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF,
			 MPI_STATUS_IGNORE);
		MPI_Irecv(&y, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &r);
		MPI_Send(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
		MPI_Wait(&r, MPI_STATUS_IGNORE);
	}
}

static void by_mrt(long n)
{
	double x = 1, y;
	struct mrt_request *r;

	for (long k = 0; k < n; k++) {
		mrt_send(&x, 1, MRT_DOUBLE, 0, 1, MRT_COMM_SELF);
		mrt_recv(&y, 1, MRT_DOUBLE, 0, 1, MRT_COMM_SELF,
			 MRT_STATUS_IGNORE);
		mrt_irecv(&y, 1, MRT_DOUBLE, 0, 1, MRT_COMM_SELF, &r);
		mrt_send(&x, 1, MRT_DOUBLE, 0, 1, MRT_COMM_SELF);
		mrt_wait(&r, MRT_STATUS_IGNORE);
	}
}

enum { BYTES = 1 << 20, PAGE = 4096 };

static void touch(char *memory)
{
	for (int k = 0; k < BYTES; k += PAGE)
		memory[k] = 1;
}

static void memory(long n)
{
	char *m;

	for (long k = 0; k < n; k++) {
		MPI_Alloc_mem(BYTES, MPI_INFO_NULL, &m);
		touch(m);
		MPI_Free_mem(m);
	}
}

static void window(long n)
{
	MPI_Win win;
	char *m;

	for (long k = 0; k < n; k++) {
		MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, MPI_COMM_SELF, &m,
				 &win);
		touch(m);
		MPI_Win_free(&win);
	}
}

static const struct {
	const char *name;
	void (*run)(long n);
} ways[] = {
    {"mpi", by_mpi}, {"mrt", by_mrt}, {"memory", memory}, {"window", window}};

int main(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 1000;

	MPI_Init(&argc, &argv);
	for (size_t k = 0; k < sizeof(ways) / sizeof(ways[0]); k++)
		if (argc > 1 && !strcmp(argv[1], ways[k].name))
			ways[k].run(n);
	return MPI_Finalize();
}
