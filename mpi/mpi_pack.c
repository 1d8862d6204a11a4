/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_pack.c: packing and unpacking (MPI 4.1, chapters 5.2 and 5.3). */
#include <limits.h>
#include <string.h>

#include "mpi/mpi_impl.h"

static int check_comm(MPI_Comm comm)
{
	int rank = mrt_rank(to_comm(comm));

	return rank < 0 ? rank : 0;
}

static bool is_external32(const char *datarep)
{
	return datarep && !strcmp(datarep, "external32");
}

static int other_form(const char *function)
{
	return mpi_fail(MPI_COMM_NULL, function, MPI_ERR_UNSUPPORTED_DATAREP,
			"only external32 is offered");
}

#define COUNT int
#define BYTES MPI_Aint
#define COUNT_MAX INT_MAX
#define NAME(name) name
#include "mpi/mpi_pack_body.h"
#undef COUNT
#undef BYTES
#undef COUNT_MAX
#undef NAME

#define COUNT MPI_Count
#define BYTES MPI_Count
#define COUNT_MAX INT64_MAX
#define NAME(name) name##_c
#include "mpi/mpi_pack_body.h"
