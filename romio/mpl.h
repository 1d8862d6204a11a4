/* SPDX-License-Identifier: Apache-2.0 */
/* mpl.h: what ROMIO takes of MPL, MPICH's library of such things. ROMIO's
 * sources include it by this name. */
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

/* Writes a name that no other file has to path, of PATH_MAX bytes: prefix and a
 * number, in `folder` unless that is NULL, with a / at the end of a folder's.
 */
void MPL_create_pathname(char *path, const char *folder, const char *prefix,
			 int is_folder);
/* Appends to a string of up to n bytes, the 0 included. Returns 1 if it is cut
 * off, else 0. */
int MPL_strnapp(char *text, const char *more, size_t n);
#endif
