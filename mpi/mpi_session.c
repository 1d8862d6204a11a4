/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_session.c: sessions (MPI 4.1, chapter 11.3) and their process sets. A
 * session is a handle with an error handler; all sessions of a process share
 * one runtime, with one thread level.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mpi/mpi_impl.h"

#define MAGIC 0x6d72742d73657373ull

/* Sessions are never freed, so that a handle that is used too late can be
 * recognised: released ones are reused. */
struct MPI_ABI_Session {
	uint64_t magic; /* MAGIC while open */
	MPI_Errhandler errhandler;
	struct mrt_buffer buffer;     /* of its communicators' buffered sends */
	struct MPI_ABI_Session *next; /* in the free list */
};
static MPI_Session unused;

/* ---- Errors -------------------------------------------------------------- */

static bool is_open(MPI_Session session)
{
	return (uintptr_t)session >= MRT_CONSTANTS_END &&
	       session->magic == MAGIC;
}

/* The error has no session whose handler could be called. */
static int fail_session(const char *function)
{
	return mpi_fail(MPI_COMM_NULL, function, MPI_ERR_SESSION,
			"it is no session, or has been finalized");
}

/* Ends a function on a session that is open; see mpi_result_for. */
static int session_end(MPI_Session session, const char *function, int error)
{
	return mpi_result_at(&session->errhandler, session, function, error);
}

int mpi_session_result(MPI_Session session, const char *function, int error)
{
	return is_open(session) ? session_end(session, function, error)
				: fail_session(function);
}

struct mrt_buffer *mpi_session_buffer(MPI_Session session)
{
	return is_open(session) ? &session->buffer : NULL;
}

MPI_Errhandler *mpi_session_errhandler(MPI_Session session)
{
	return is_open(session) ? &session->errhandler : NULL;
}

/* ---- Start and end ------------------------------------------------------- */

static const char level_key[] = "thread_level";
static const struct {
	const char *name;
	int level;
} levels[] = {{"MPI_THREAD_SINGLE", MPI_THREAD_SINGLE},
	      {"MPI_THREAD_FUNNELED", MPI_THREAD_FUNNELED},
	      {"MPI_THREAD_SERIALIZED", MPI_THREAD_SERIALIZED},
	      {"MPI_THREAD_MULTIPLE", MPI_THREAD_MULTIPLE}};
enum { LEVELS = sizeof(levels) / sizeof(*levels) };

/* Sets *level to the one that info asks for. Without a wish it is the highest:
 * components that know nothing of each other share the runtime. */
static int read_level(MPI_Info info, int *level)
{
	char value[32];
	int flag = 0, rc = MPI_SUCCESS;

	*level = MPI_THREAD_MULTIPLE;
	if (info != MPI_INFO_NULL)
		rc = mpi_info_get(info, level_key, sizeof(value), value, &flag);
	if (rc || !flag)
		return rc;
	for (int k = 0; k < LEVELS; k++)
		if (!strcmp(value, levels[k].name)) {
			*level = levels[k].level;
			return MPI_SUCCESS;
		}
	return mpi_detailed(MPI_ERR_INFO_VALUE, "no such thread_level");
}

static MPI_Session session_make(MPI_Errhandler errhandler)
{
	MPI_Session session;

	mpi_lock();
	session = unused;
	if (session)
		unused = session->next;
	mpi_unlock();
	if (!session)
		session = malloc(sizeof(*session));
	if (session)
		*session = (struct MPI_ABI_Session){
		    .magic = MAGIC,
		    .errhandler = mpi_errhandler_hold(errhandler)};
	return session;
}

static void session_discard(MPI_Session session)
{
	mpi_errhandler_release(session->errhandler);
	mpi_lock();
	session->magic = 0;
	session->next = unused;
	unused = session;
	mpi_unlock();
}

static int open_session(MPI_Info info, MPI_Errhandler errhandler,
			MPI_Session *session)
{
	MPI_Session made;
	int level, rc = session ? read_level(info, &level)
				: mpi_detailed(MPI_ERR_ARG, "session is NULL");

	if (rc)
		return rc;
	made = session_make(errhandler);
	if (!made)
		return mpi_detailed(MPI_ERR_NO_MEM, "no memory for a session");
	rc = mpi_runtime_hold(level);
	if (rc)
		session_discard(made);
	else
		*session = made;
	return rc;
}

API(Session_init)
(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
	if (!mpi_errhandler_fits(errhandler, MPI_KIND_SESSION))
		return mpi_fail(MPI_COMM_NULL, __func__, MPI_ERR_ERRHANDLER,
				"no error handler for sessions");
	return mpi_result_for(errhandler, MPI_SESSION_NULL, __func__,
			      open_session(info, errhandler, session));
}

/* Detaches the buffer that the program has left attached. */
static int drop_buffer(MPI_Session session)
{
	void *at;
	size_t bytes;

	return session->buffer.at
		   ? mrt_buffer_detach(&session->buffer, &at, &bytes)
		   : MRT_SUCCESS;
}

API(Session_finalize)(MPI_Session *session)
{
	int rc;

	if (!session || !is_open(*session))
		return fail_session(__func__);
	rc = drop_buffer(*session) ?: mpi_runtime_release();
	if (rc)
		return session_end(*session, __func__, rc);
	session_discard(*session);
	*session = MPI_SESSION_NULL;
	return MPI_SUCCESS;
}

API(Session_get_info)(MPI_Session session, MPI_Info *info_used)
{
	MPI_Info info;
	int rc, k = 0;

	if (!is_open(session))
		return fail_session(__func__);
	if (!info_used)
		return session_end(
		    session, __func__,
		    mpi_detailed(MPI_ERR_ARG, "info_used is NULL"));
	while (levels[k].level != (int)mrt_thread_level())
		k++;
	rc = mpi_info_create_used(&info);
	if (!rc)
		rc = mpi_info_set(info, level_key, levels[k].name);
	if (!rc)
		*info_used = info;
	return session_end(session, __func__, rc);
}

/* ---- Process sets -------------------------------------------------------- */

enum { WORLD, SELF, NODE, PSETS };
static const char *const psets[PSETS] = {
    [WORLD] = "mpi://WORLD", [SELF] = "mpi://SELF", [NODE] = "mrt://node"};

/* Stores the ranks on the caller's node. */
static int node_group(struct mrt_group *world, struct mrt_group **group)
{
	int size = mrt_size(MRT_COMM_WORLD), me = mrt_rank(MRT_COMM_WORLD);
	struct mrt_place *places = calloc((size_t)size, sizeof(*places));
	int *ranks = calloc((size_t)size, sizeof(*ranks));
	int rc = places && ranks
		     ? mrt_comm_places(MRT_COMM_WORLD, places)
		     : mpi_detailed(MPI_ERR_NO_MEM, "no memory for a group");
	size_t n = 0;

	for (int r = 0; r < size && !rc; r++)
		if (places[r].node == places[me].node)
			ranks[n++] = r;
	if (!rc)
		rc = mrt_group_incl(world, n, ranks, group);
	free(places);
	free(ranks);
	return rc;
}

static int find_group(const char *name, struct mrt_group **group)
{
	struct mrt_group *world;
	int k = 0, rc;

	while (name && k < PSETS && strcasecmp(name, psets[k]))
		k++;
	if (!name || k == PSETS)
		return mpi_detailed(MPI_ERR_ARG, "no such process set");
	rc = mrt_comm_group(k == SELF ? MRT_COMM_SELF : MRT_COMM_WORLD, &world);
	if (rc || k != NODE) {
		*group = world;
		return rc;
	}
	rc = node_group(world, group);
	mrt_group_free(&world);
	return rc;
}

API(Group_from_session_pset)
(MPI_Session session, const char *pset_name, MPI_Group *newgroup)
{
	struct mrt_group *group;
	int rc;

	if (!is_open(session))
		return fail_session(__func__);
	rc = newgroup ? find_group(pset_name, &group)
		      : mpi_detailed(MPI_ERR_ARG, "newgroup is NULL");
	if (!rc)
		rc = mrt_group_share_buffer(group, &session->buffer);
	if (!rc)
		*to_groups(newgroup) = group;
	return session_end(session, __func__, rc);
}

API(Session_get_num_psets)
(MPI_Session session, MPI_Info info, int *npset_names)
{
	int rc;

	if (!is_open(session))
		return fail_session(__func__);
	rc = npset_names ? mpi_info_check(info)
			 : mpi_detailed(MPI_ERR_ARG, "npset_names is NULL");
	if (!rc)
		*npset_names = PSETS;
	return session_end(session, __func__, rc);
}

/* *pset_len: size of pset_name with the terminating zero, or 0; set to the size
 * that is needed. */
API(Session_get_nth_pset)
(MPI_Session session, MPI_Info info, int n, int *pset_len, char *pset_name)
{
	int rc;

	if (!is_open(session))
		return fail_session(__func__);
	rc = mpi_info_check(info);
	if (!rc && (n < 0 || n >= PSETS || !pset_len || *pset_len < 0 ||
		    (*pset_len && !pset_name)))
		rc = mpi_detailed(MPI_ERR_ARG,
				  "no such process set, or no room");
	if (rc)
		return session_end(session, __func__, rc);
	if (*pset_len)
		snprintf(pset_name, (size_t)*pset_len, "%s", psets[n]);
	*pset_len = (int)strlen(psets[n]) + 1;
	return MPI_SUCCESS;
}

API(Session_get_pset_info)
(MPI_Session session, const char *pset_name, MPI_Info *info)
{
	struct mrt_group *group;
	MPI_Info made;
	char size[16];
	int rc;

	if (!is_open(session))
		return fail_session(__func__);
	rc = info ? find_group(pset_name, &group)
		  : mpi_detailed(MPI_ERR_ARG, "info is NULL");
	if (rc)
		return session_end(session, __func__, rc);
	snprintf(size, sizeof(size), "%d", mrt_group_size(group));
	mrt_group_free(&group);
	rc = mpi_info_create(&made);
	if (!rc)
		rc = mpi_info_set(made, "mpi_size", size);
	if (!rc)
		*info = made;
	return session_end(session, __func__, rc);
}
