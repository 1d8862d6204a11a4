/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_tool_pvar.c: performance variables (MPI 4.1, 15.3.7): the counters of
 * MRT_STATS, from MPI_Init on. They always count and are never set, so a
 * session has no state. Handles are indices from 2 on.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_impl.h"
#include "mpi/mpi_tool.h"

struct MPI_T_pvar_session_t {
	struct MPI_T_pvar_session_t *next;
};
static MPI_T_pvar_session sessions; /* with the lock */

/* The counters when they were first seen. Their places never change, and they
 * stay after MPI_Finalize, but their values do not. */
static struct mrt_counter *known;
static int known_count;

/* Returns an array of the counters as they are and sets *n, or returns NULL. */
static struct mrt_counter *read_counters(int *n)
{
	struct mrt_counter *counters;

	*n = mrt_counters(NULL, 0);
	counters = *n ? calloc((size_t)*n, sizeof(*counters)) : NULL;
	if (counters)
		mrt_counters(counters, *n);
	return counters;
}

/* Returns how many variables there are. */
static int tool_pvar_learn(void)
{
	struct mrt_counter *counters;
	int n;

	mpi_lock();
	n = known_count;
	mpi_unlock();
	if (n)
		return n;
	counters = read_counters(&n);
	if (!counters)
		return 0;
	mpi_lock();
	if (!known_count) {
		known = counters;
		known_count = n;
		counters = NULL;
	}
	mpi_unlock();
	free(counters);
	return n;
}

/* Describes a variable. Returns MPI_SUCCESS, or `error` if there is no such
 * variable. */
static int tool_pvar_find(int index, int error,
			  const struct mrt_counter **counter)
{
	if (!mpi_tool_is_open())
		return MPI_T_ERR_NOT_INITIALIZED;
	if (index < 0 || index >= tool_pvar_learn())
		return error;
	*counter = &known[index];
	return MPI_SUCCESS;
}

static int class_of(const struct mrt_counter *counter)
{
	return counter->level ? MPI_T_PVAR_CLASS_LEVEL
			      : MPI_T_PVAR_CLASS_COUNTER;
}

/* Writes such as "p2p_eager_messages". */
static void name_of(const struct mrt_counter *counter, char *name, size_t room)
{
	snprintf(name, room, "%s_%s", counter->group, counter->name);
	for (; *name; name++)
		if (*name == ' ')
			*name = '_';
}

API(T_pvar_get_num)(int *num_pvar)
{
	if (!mpi_tool_is_open())
		return MPI_T_ERR_NOT_INITIALIZED;
	mpi_tool_put_int(tool_pvar_learn(), num_pvar);
	return MPI_SUCCESS;
}

API(T_pvar_get_info)
(int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
 MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len,
 int *bind, int *readonly, int *continuous, int *atomic)
{
	const struct mrt_counter *c;
	int rc = tool_pvar_find(pvar_index, MPI_T_ERR_INVALID_INDEX, &c);
	char text[64];

	if (rc)
		return rc;
	name_of(c, text, sizeof(text));
	mpi_tool_put(text, name, name_len);
	snprintf(text, sizeof(text), "%s: %s", c->group, c->name);
	mpi_tool_put(text, desc, desc_len);
	mpi_tool_put_int(MPI_T_VERBOSITY_TUNER_BASIC, verbosity);
	mpi_tool_put_int(class_of(c), var_class);
	mpi_tool_put_int(MPI_T_BIND_NO_OBJECT, bind);
	mpi_tool_put_int(1, readonly);
	mpi_tool_put_int(1, continuous);
	mpi_tool_put_int(0, atomic);
	if (datatype)
		*datatype = MPI_UNSIGNED_LONG_LONG;
	if (enumtype)
		*enumtype = MPI_T_ENUM_NULL;
	return MPI_SUCCESS;
}

API(T_pvar_get_index)(const char *name, int var_class, int *pvar_index)
{
	const struct mrt_counter *c;
	char text[64];
	int rc;

	if (!name || !pvar_index)
		return MPI_T_ERR_INVALID;
	for (int k = 0; !(rc = tool_pvar_find(k, MPI_T_ERR_INVALID_NAME, &c));
	     k++) {
		name_of(c, text, sizeof(text));
		if (!strcmp(text, name) && class_of(c) == var_class) {
			*pvar_index = k;
			break;
		}
	}
	return rc;
}

/* ---- Sessions ------------------------------------------------------------ */

/* Returns the link to the session, or NULL. Called with the lock held. */
static MPI_T_pvar_session *link_of(MPI_T_pvar_session session)
{
	MPI_T_pvar_session *link = &sessions;

	while (*link && *link != session)
		link = &(*link)->next;
	return *link ? link : NULL;
}

static int check_session(MPI_T_pvar_session session)
{
	bool found;

	if (!mpi_tool_is_open())
		return MPI_T_ERR_NOT_INITIALIZED;
	mpi_lock();
	found = link_of(session) != NULL;
	mpi_unlock();
	return found ? MPI_SUCCESS : MPI_T_ERR_INVALID_SESSION;
}

API(T_pvar_session_create)(MPI_T_pvar_session *session)
{
	MPI_T_pvar_session made;

	if (!mpi_tool_is_open())
		return MPI_T_ERR_NOT_INITIALIZED;
	if (!session)
		return MPI_T_ERR_INVALID;
	made = malloc(sizeof(*made));
	if (!made)
		return MPI_T_ERR_MEMORY;
	mpi_lock();
	made->next = sessions;
	sessions = made;
	mpi_unlock();
	*session = made;
	return MPI_SUCCESS;
}

API(T_pvar_session_free)(MPI_T_pvar_session *session)
{
	MPI_T_pvar_session *link;

	if (!mpi_tool_is_open())
		return MPI_T_ERR_NOT_INITIALIZED;
	mpi_lock();
	link = session ? link_of(*session) : NULL;
	if (link)
		*link = (*link)->next;
	mpi_unlock();
	if (!link)
		return MPI_T_ERR_INVALID_SESSION;
	free(*session);
	*session = MPI_T_PVAR_SESSION_NULL;
	return MPI_SUCCESS;
}

void mpi_tool_free_sessions(void)
{
	MPI_T_pvar_session list;

	mpi_lock();
	list = sessions;
	sessions = NULL;
	mpi_unlock();
	while (list) {
		MPI_T_pvar_session next = list->next;

		free(list);
		list = next;
	}
}

/* ---- Handles ------------------------------------------------------------- */

static int index_of(MPI_T_pvar_handle handle)
{
	return (int)(intptr_t)handle - 2;
}

/* Checks the handle of one variable. */
static int tool_pvar_check(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
	const struct mrt_counter *c;
	int rc = check_session(session);

	return rc ? rc
		  : tool_pvar_find(index_of(handle), MPI_T_ERR_INVALID_HANDLE,
				   &c);
}

/* Returns `error` for one variable. Of all variables, those that cannot are
 * ignored. */
static int tool_pvar_cannot(MPI_T_pvar_session session,
			    MPI_T_pvar_handle handle, int error)
{
	int rc;

	if (handle == MPI_T_PVAR_ALL_HANDLES)
		return check_session(session);
	rc = tool_pvar_check(session, handle);
	return rc ? rc : error;
}

API(T_pvar_handle_alloc)
(MPI_T_pvar_session session, int pvar_index, void *obj_handle,
 MPI_T_pvar_handle *handle, int *count)
{
	const struct mrt_counter *c;
	int rc = check_session(session);

	if (!rc)
		rc = tool_pvar_find(pvar_index, MPI_T_ERR_INVALID_INDEX, &c);
	if (!rc && !handle)
		rc = MPI_T_ERR_INVALID;
	if (rc)
		return rc;
	*handle = (MPI_T_pvar_handle)(intptr_t)(pvar_index + 2);
	mpi_tool_put_int(1, count);
	return MPI_SUCCESS;
}

API(T_pvar_handle_free)(MPI_T_pvar_session session, MPI_T_pvar_handle *handle)
{
	int rc =
	    tool_pvar_check(session, handle ? *handle : MPI_T_PVAR_HANDLE_NULL);

	if (!rc)
		*handle = MPI_T_PVAR_HANDLE_NULL;
	return rc;
}

API(T_pvar_start)(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
	return tool_pvar_cannot(session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP);
}

API(T_pvar_stop)(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
	return tool_pvar_cannot(session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP);
}

API(T_pvar_reset)(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
	return tool_pvar_cannot(session, handle, MPI_T_ERR_PVAR_NO_WRITE);
}

API(T_pvar_read)
(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf)
{
	int k = index_of(handle), n, rc = tool_pvar_check(session, handle);
	struct mrt_counter *counters;

	if (!rc && !buf)
		rc = MPI_T_ERR_INVALID;
	if (rc)
		return rc;
	counters = read_counters(&n);
	if (counters && k < n)
		*(unsigned long long *)buf = counters[k].value;
	free(counters);
	return counters && k < n ? MPI_SUCCESS : MPI_T_ERR_NOT_ACCESSIBLE;
}

API(T_pvar_write)
(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf)
{
	int rc = tool_pvar_check(session, handle);

	return rc ? rc : MPI_T_ERR_PVAR_NO_WRITE;
}

API(T_pvar_readreset)
(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf)
{
	int rc = tool_pvar_check(session, handle);

	return rc ? rc : MPI_T_ERR_PVAR_NO_ATOMIC;
}
