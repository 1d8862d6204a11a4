/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_info.h: info objects, shared by mpi_info.c and mpi_info_env.c. */
#ifndef MPI_MPI_INFO_H
#define MPI_MPI_INFO_H

#include <mpi.h>

/* Key-value pairs in the order in which the keys were set. */
struct MPI_ABI_Info {
	uint64_t magic; /* MAGIC while alive, in the user's */
	struct pair {
		char *key, *value;
	} * pairs;
	int n, capacity;
	struct MPI_ABI_Info *next; /* in the free list */
};

/* MPI_INFO_ENV. */
extern struct MPI_ABI_Info mpi_info_env;

/* Sets a key. key and value must be valid. Returns MPI_SUCCESS or
 * MPI_ERR_NO_MEM. */
int mpi_info_put(struct MPI_ABI_Info *info, const char *key, const char *value);
/* Frees the pairs. */
void mpi_info_clear(struct MPI_ABI_Info *info);
#endif
