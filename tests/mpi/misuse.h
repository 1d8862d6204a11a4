/* SPDX-License-Identifier: Apache-2.0 */
/* misuse.h has the rows of the tables that misuse_calls.awk writes: a function,
 * and how to call it with arguments from an array. */
#ifndef TESTS_MPI_MISUSE_H
#define TESTS_MPI_MISUSE_H

#include <mpi.h>

union value {
	void *p;
	int i;
	MPI_Aint a;
	void (*f)(void);
};

struct function {
	const char *name;
	int (*call)(const union value *v);
	int n;
	struct {
		const char *type, *name;
	} par[16];
};

#endif
