/* SPDX-License-Identifier: Apache-2.0 */
/* file_data.h has what the ranks of a test of files write, and where they read
 * it back. */
#ifndef TESTS_FILE_DATA_H
#define TESTS_FILE_DATA_H

#include "tests/mpi/file_name.h"

enum { N = 600 }; /* ints of a rank */

/* `back` has room for reads past the end of a file. */
static int mine[N], back[N + 32];
static MPI_Status status;

/* Returns element k of what a rank writes. */
static inline int value(int rank, int k)
{
	return 10000 * (rank + 1) + k;
}

/* Sets what this rank writes, and clears what it reads back. */
static inline void fill(void)
{
	for (int k = 0; k < N; k++) {
		mine[k] = value(me, k);
		back[k] = -1;
	}
	memset(&status, -1, sizeof(status));
}

/* Checks that the first n ints have been read as they were written. */
static inline void check_same(int n)
{
	for (int k = 0; k < n; k++)
		if (!CHECK_EQ(back[k], mine[k]))
			return;
}
#endif
