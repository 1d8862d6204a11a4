/* SPDX-License-Identifier: Apache-2.0 */
/* mpl.h stands for the header of MPL, MPICH's library for memory and strings:
 * it has what ROMIO's sources, which include it by this name, take of it. */
#ifndef MPL_H_INCLUDED
#define MPL_H_INCLUDED

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MPL_MAX(a, b) ((a) > (b) ? (a) : (b))
#define MPL_MIN(a, b) ((a) < (b) ? (a) : (b))
#define MPL_UNREFERENCED_ARG(a) ((void)(a))
#define MPL_VG_MEM_INIT(address, len)
#define MPL_malloc(size, of) malloc(size)
#define MPL_calloc(n, size, of) calloc(n, size)
#define MPL_realloc(ptr, size, of) realloc(ptr, size)
#define MPL_free free
#define MPL_snprintf snprintf
#define MPL_strdup strdup

/* Stores a name that no other file has in path[PATH_MAX]: prefix and a number,
 * in `folder` unless that is NULL, and a / at its end if it is to be a
 * folder's.
 */
void MPL_create_pathname(char *path, const char *folder, const char *prefix,
			 int is_folder);
/* Appends to a string of up to n bytes, the 0 included. Returns 1 if it is cut
 * off, else 0. */
int MPL_strnapp(char *text, const char *more, size_t n);
#endif
