/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_info.h: the object of info, between mpi_info.c and mpi_info_env.c. */
#ifndef MPI_MPI_INFO_H
#define MPI_MPI_INFO_H

#include <mpi.h>

/* Pairs in the order their keys were set. */
struct MPI_ABI_Info {
	uint64_t magic; /* of the user's, while alive */
	struct pair {
		char *key, *value;
	} * pairs;
	int n, room;
	struct MPI_ABI_Info *next; /* of those that are free */
};

/* MPI_INFO_ENV. */
extern struct MPI_ABI_Info mpi_info_env;

/* MPI_SUCCESS, or MPI_ERR_NO_MEM; key and value are valid. */
int mpi_info_put(struct MPI_ABI_Info *info, const char *key, const char *value);
/* Frees the pairs. */
void mpi_info_clear(struct MPI_ABI_Info *info);
#endif
