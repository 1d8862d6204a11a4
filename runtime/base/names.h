/* SPDX-License-Identifier: Apache-2.0 */
/* names.h: texts for people have the names of the interface that their program
 * is written to: mrt_send and MRT_INT, or MPI_Send and MPI_INT. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Sets whether the program uses MPI, so that names_copy writes MPI's names; at
 * first it does not. names_are_mpi returns what was set last. */
void names_use_mpi(bool yes);
bool names_are_mpi(void);

/* Copies a text to to[len], which gets MPI's names in place of libmrt's if the
 * program uses MPI. Names of MRT_* variables stay, and those that are part of a
 * path. Returns the length of the copy, which is truncated if need be. */
size_t names_copy(char *to, size_t len, const char *text);
#endif
