/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_tool.c: the start and end of the tool interface (MPI 4.1, chapter
 * 15.3). */
#include "mpi/mpi_tool.h"

#include <stdio.h>
#include <string.h>

#include "mpi/mpi_impl.h"

static int uses; /* calls of MPI_T_init_thread without MPI_T_finalize */

bool mpi_tool_is_open(void)
{
	bool is_open;

	mpi_lock();
	is_open = uses > 0;
	mpi_unlock();
	return is_open;
}

void mpi_tool_put(const char *text, char *buf, int *len)
{
	if (!len)
		return;
	if (buf && *len > 0)
		snprintf(buf, (size_t)*len, "%s", text);
	*len = (int)strlen(text) + 1;
}

/* Reading counters is a call of libmrt, with the thread level of all calls,
 * which MPI_Init has yet to choose if it has not been called. */
API(T_init_thread)(int required, int *provided)
{
	int most =
	    mrt_initialized() ? (int)mrt_thread_level() : MPI_THREAD_FUNNELED;

	mpi_lock();
	uses++;
	mpi_unlock();
	mpi_tool_put_int(required < most ? required : most, provided);
	return MPI_SUCCESS;
}

API(T_finalize)(void)
{
	bool last;

	if (!mpi_tool_is_open())
		return MPI_T_ERR_NOT_INITIALIZED;
	mpi_lock();
	last = --uses == 0;
	mpi_unlock();
	if (last)
		mpi_tool_free_sessions();
	return MPI_SUCCESS;
}
