/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls.h: what the functions that calls.awk writes print. Included by one
 * file.
 */
#ifndef TESTS_FORTRAN_CALLS_H
#define TESTS_FORTRAN_CALLS_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void say_number(const char *name, long long value)
{
	printf(" %s=%lld", name, value);
}

static inline void say_text(const char *name, const char *text)
{
	printf(" %s=%s", name, text);
}

static inline void say_buffer(const char *name, const void *buffer)
{
	printf(" %s=%d", name, *(const int *)buffer);
}

static inline void say_status(const char *name, const MPI_Status *status)
{
	printf(" %s=%d,%d,%d", name, status->MPI_SOURCE, status->MPI_TAG,
	       status->MPI_ERROR);
}

static inline void say_end(void)
{
	puts("");
}

/* The array of a test has three; a single one is in an array, too. */
static inline void set_status(MPI_Status *status, int k)
{
	status->MPI_SOURCE = k;
	status->MPI_TAG = k + 1;
	status->MPI_ERROR = k + 2;
}

/* For the program in Fortran. */
void test_say_number_(const char *name, const int *length,
		      const long long *value);
void test_say_string_(const char *name, const int *name_length,
		      const char *value, const int *length);
void test_say_end_(void);

void test_say_number_(const char *name, const int *length,
		      const long long *value)
{
	printf(" %.*s=%lld", *length, name, *value);
}

/* The string must be padded with blanks to its end. */
void test_say_string_(const char *name, const int *name_length,
		      const char *value, const int *length)
{
	int used = *length;

	while (used > 0 && value[used - 1] == ' ')
		used--;
	printf(" %.*s='%.*s'", *name_length, name, used, value);
}

void test_say_end_(void)
{
	puts("");
}

/* The bindings call these to learn how long arrays are. Every topology has
 * three dimensions here, and every communicator three ranks. */
int PMPI_Topo_test(MPI_Comm comm, int *topology)
{
	*topology = MPI_CART;
	return MPI_SUCCESS;
}

int PMPI_Cartdim_get(MPI_Comm comm, int *ndims)
{
	*ndims = 3;
	return MPI_SUCCESS;
}

int PMPI_Comm_test_inter(MPI_Comm comm, int *flag)
{
	*flag = 0;
	return MPI_SUCCESS;
}

int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
	*rank = 0;
	return MPI_SUCCESS;
}

int PMPI_Comm_size(MPI_Comm comm, int *size)
{
	*size = 3;
	return MPI_SUCCESS;
}

#endif
