/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wide.c: conversions between INTEGERs of 8 bytes and C's ints, and what the
 * library of C is told of them, in libmpifort_abi_i8 alone. Counts need none:
 * there they are those of C's functions for large counts.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fortran/convert.h"

/* Tells the library of INTEGERs and LOGICALs of 8 bytes: before the program,
 * which may ask for the size of a type before it starts MPI, or start it in C.
 */
static __attribute__((constructor)) void sizes_set(void)
{
	MPI_Info info;
	int size = 0;

	if (!PMPI_Info_create(&info)) {
		PMPI_Info_set(info, "mpi_integer_size", "8");
		PMPI_Info_set(info, "mpi_logical_size", "8");
		PMPI_Abi_set_fortran_info(info);
		PMPI_Info_free(&info);
	}
	if (!PMPI_Type_size(MPI_INTEGER, &size) && size == 8)
		return;
	fputs("libmpifort_abi_i8: the MPI library has INTEGERs of 4 bytes\n",
	      stderr);
	exit(EXIT_FAILURE);
}

int int_checked(MPI_Fint value, const char *routine)
{
	if (value != (int)value) {
		fprintf(stderr,
			"libmpifort_abi_i8: %s: %lld is no number of 4 "
			"bytes, as this routine needs\n",
			routine, (long long)value);
		PMPI_Abort(MPI_COMM_WORLD, MPI_ERR_ARG);
		abort();
	}
	return (int)value;
}

int *ints_checked(long n, const MPI_Fint *values, int *room,
		  const char *routine)
{
	int *ints = scratch_room(n, sizeof(*ints), room);

	for (long k = 0; k < n; k++)
		ints[k] = int_checked(values[k], routine);
	return ints;
}

int *ints_room(long n, const MPI_Fint *values, int *room)
{
	int *ints = scratch_room(n, sizeof(*ints), room);

	for (long k = 0; k < n; k++)
		ints[k] = (int)values[k];
	return ints;
}

void ints_out(long n, const int *from, MPI_Fint *values)
{
	for (long k = 0; k < n; k++)
		values[k] = from[k];
}

long fortran_sum(long n, const MPI_Fint *values)
{
	long sum = 0;

	for (long k = 0; k < n; k++)
		sum += (long)values[k];
	return sum;
}

MPI_Status *status_in(const MPI_Fint *status, MPI_Status *room)
{
	if (status == mpi_status_ignore_)
		return MPI_STATUS_IGNORE;
	MPI_Status_f2c(status, room);
	return room;
}

MPI_Status *statuses_in(long n, const MPI_Fint *statuses, MPI_Status *room)
{
	MPI_Status *all;

	if (statuses == mpi_statuses_ignore_)
		return MPI_STATUSES_IGNORE;
	all = scratch_room(n, sizeof(*all), room);
	for (long k = 0; k < n; k++)
		MPI_Status_f2c(statuses + k * MPI_F_STATUS_SIZE, &all[k]);
	return all;
}

void status_out(const MPI_Status *from, MPI_Fint *status)
{
	if (from != MPI_STATUS_IGNORE)
		MPI_Status_c2f(from, status);
}

void statuses_out(long n, const MPI_Status *from, MPI_Fint *statuses)
{
	for (long k = 0; from != MPI_STATUSES_IGNORE && k < n; k++)
		MPI_Status_c2f(&from[k], statuses + k * MPI_F_STATUS_SIZE);
}
