/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_tool.c: the tool interface (MPI 4.1, chapter 15.3): its start and end,
 * and its categories, events and sources, of which there are none. */
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

/* ---- Nothing of a kind --------------------------------------------------- */

static int tool_none(int *number)
{
	if (!mpi_tool_is_open())
		return MPI_T_ERR_NOT_INITIALIZED;
	mpi_tool_put_int(0, number);
	return MPI_SUCCESS;
}

/* Returns the error, which a name or an index of something is. */
static int tool_unknown(int error)
{
	return mpi_tool_is_open() ? error : MPI_T_ERR_NOT_INITIALIZED;
}

API(T_category_get_num)(int *num_cat)
{
	return tool_none(num_cat);
}

API(T_category_changed)(int *update_number)
{
	return tool_none(update_number);
}

API(T_category_get_info)
(int cat_index, char *name, int *name_len, char *desc, int *desc_len,
 int *num_cvars, int *num_pvars, int *num_categories)
{
	return tool_unknown(MPI_T_ERR_INVALID_INDEX);
}

API(T_category_get_index)(const char *name, int *cat_index)
{
	return tool_unknown(MPI_T_ERR_INVALID_NAME);
}

API(T_category_get_num_events)(int cat_index, int *num_events)
{
	return tool_unknown(MPI_T_ERR_INVALID_INDEX);
}

API(T_category_get_cvars)(int cat_index, int len, int indices[])
{
	return tool_unknown(MPI_T_ERR_INVALID_INDEX);
}

API(T_category_get_pvars)(int cat_index, int len, int indices[])
{
	return tool_unknown(MPI_T_ERR_INVALID_INDEX);
}

API(T_category_get_events)(int cat_index, int len, int indices[])
{
	return tool_unknown(MPI_T_ERR_INVALID_INDEX);
}

API(T_category_get_categories)(int cat_index, int len, int indices[])
{
	return tool_unknown(MPI_T_ERR_INVALID_INDEX);
}

API(T_event_get_num)(int *num_events)
{
	return tool_none(num_events);
}

API(T_event_get_info)
(int event_index, char *name, int *name_len, int *verbosity,
 MPI_Datatype array_of_datatypes[], MPI_Aint array_of_displacements[],
 int *num_elements, MPI_T_enum *enumtype, MPI_Info *info, char *desc,
 int *desc_len, int *bind)
{
	return tool_unknown(MPI_T_ERR_INVALID_INDEX);
}

API(T_event_get_index)(const char *name, int *event_index)
{
	return tool_unknown(MPI_T_ERR_INVALID_NAME);
}

API(T_event_handle_alloc)
(int event_index, void *obj_handle, MPI_Info info,
 MPI_T_event_registration *event_registration)
{
	return tool_unknown(MPI_T_ERR_INVALID_INDEX);
}

API(T_source_get_num)(int *num_sources)
{
	return tool_none(num_sources);
}

API(T_source_get_info)
(int source_index, char *name, int *name_len, char *desc, int *desc_len,
 MPI_T_source_order *ordering, MPI_Count *ticks_per_second,
 MPI_Count *max_ticks, MPI_Info *info)
{
	return tool_unknown(MPI_T_ERR_INVALID_INDEX);
}

API(T_source_get_timestamp)(int source_index, MPI_Count *timestamp)
{
	return tool_unknown(MPI_T_ERR_INVALID_INDEX);
}
