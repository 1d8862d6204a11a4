/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_keyval.h: attribute keys, shared by mpi_keyval.c and mpi_attr.c. A key
 * lives until the user has freed it and no attribute uses it. All functions are
 * called with mpi_lock held.
 */
#ifndef MPI_MPI_KEYVAL_H
#define MPI_MPI_KEYVAL_H

#include "mpi/mpi_impl.h"

struct mpi_keyval {
	int id; /* the handle that the user has */
	int refs;
	bool freed; /* freed by the user */
	enum mpi_kind kind;
	void *extra_state;
	any_fn copy;   /* 0: NULL_COPY_FN, 1: DUP_FN */
	any_fn delete; /* 0: NULL_DELETE_FN */
};

/* Finds a key by number and kind, or returns NULL. */
struct mpi_keyval *mpi_keyval_find(enum mpi_kind kind, int id);
void mpi_keyval_hold(struct mpi_keyval *keyval);
void mpi_keyval_release(struct mpi_keyval *keyval);
#endif
