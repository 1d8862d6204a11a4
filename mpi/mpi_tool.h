/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_tool.h: what the files of the tool interface (mpi_tool*.c) share. Its
 * functions return their errors and call no error handler. In C an output that
 * is NULL is not wanted (MPI 4.1, 15.3.3).
 */
#ifndef MPI_MPI_TOOL_H
#define MPI_MPI_TOOL_H

#include <stdbool.h>

/* Whether MPI_T_init_thread has been called and MPI_T_finalize has not. */
bool mpi_tool_is_open(void);

/* Copies as much of text as fits in *len characters; *len becomes the length
 * that is needed, with the terminating zero. */
void mpi_tool_put(const char *text, char *buf, int *len);

static inline void mpi_tool_put_int(int value, int *place)
{
	if (place)
		*place = value;
}

/* Frees the pvar sessions that are left (mpi_tool_pvar.c). */
void mpi_tool_free_sessions(void);
#endif
