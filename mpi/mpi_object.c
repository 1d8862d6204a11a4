/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_object.c: mpi/'s state of communicators, types and windows, which is
 * attached to them as their data, and listed, so that MPI_Finalize frees the
 * state of those that a program does not free; and what functions on any kind
 * of object have in common: names, and how errors end them.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_errhandler.h"
#include "mpi/mpi_win.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct mpi_object *all;

void mpi_lock(void)
{
	pthread_mutex_lock(&mutex);
}

void mpi_unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

/* ---- State --------------------------------------------------------------- */

static struct mpi_object *object_data(enum mpi_kind kind, void *handle)
{
	switch (kind) {
	case MPI_KIND_COMM:
		return mrt_comm_data(handle);
	case MPI_KIND_TYPE:
		return mrt_type_data(handle);
	default:
		return mrt_win_data(handle);
	}
}

static int object_set_data(enum mpi_kind kind, void *handle, void *data)
{
	switch (kind) {
	case MPI_KIND_COMM:
		return mrt_comm_set_data(handle, data);
	case MPI_KIND_TYPE:
		return mrt_type_set_data(handle, data);
	default:
		return mrt_win_set_data(handle, data);
	}
}

/* Callers hold the lock. */
static struct mpi_object *object_make(enum mpi_kind kind, void *handle)
{
	static const size_t sizes[] = {
	    [MPI_KIND_COMM] = sizeof(struct mpi_comm),
	    [MPI_KIND_TYPE] = sizeof(struct mpi_object),
	    [MPI_KIND_WIN] = sizeof(struct mpi_win)};
	struct mpi_object *o = object_data(kind, handle);

	if (o)
		return o; /* another thread has made it */
	o = calloc(1, sizes[kind]);
	if (!o)
		return NULL;
	o->kind = kind;
	o->handle = handle;
	o->errhandler = mpi_initial_errhandler();
	if (object_set_data(kind, handle, o)) {
		free(o);
		return NULL;
	}
	o->next = all;
	o->at = &all;
	if (all)
		all->at = &o->next;
	all = o;
	return o;
}

struct mpi_object *mpi_object_make(enum mpi_kind kind, void *handle)
{
	struct mpi_object *o;

	mpi_lock();
	o = object_make(kind, handle);
	mpi_unlock();
	return o;
}

struct mpi_object *mpi_object_of(enum mpi_kind kind, void *handle)
{
	struct mpi_object *o = object_data(kind, handle);

	/* a communicator's only exists between MPI_Init and MPI_Finalize */
	if (o || kind == MPI_KIND_WIN ||
	    (kind == MPI_KIND_COMM && (!mrt_initialized() || mrt_finalized())))
		return o;
	return mpi_object_make(kind, handle);
}

struct mpi_comm *mpi_comm_of(MPI_Comm comm)
{
	return (struct mpi_comm *)mpi_object_of(MPI_KIND_COMM, comm);
}

void mpi_comm_inherit(MPI_Comm comm, MPI_Comm newcomm, const char *maker)
{
	struct mpi_comm *from = mpi_comm_of(comm);
	struct mpi_comm *to = mpi_comm_of(newcomm);

	if (!from || !to)
		return;
	mpi_lock();
	to->object.errhandler = mpi_errhandler_hold(from->object.errhandler);
	to->maker = maker;
	mpi_unlock();
}

/* Callers hold the lock, or are alone. */
static void object_unlink(struct mpi_object *o)
{
	*o->at = o->next;
	if (o->next)
		o->next->at = o->at;
}

static void object_destroy(struct mpi_object *o)
{
	mpi_attr_forget(&o->attrs);
	mpi_errhandler_release(o->errhandler);
	if (o->kind == MPI_KIND_COMM)
		mpi_topology_free(((struct mpi_comm *)o)->topology);
	if (o->kind == MPI_KIND_WIN)
		PMPI_Info_free(&((struct mpi_win *)o)->info);
	free(o);
}

void mpi_object_forget(struct mpi_object *o)
{
	if (!o)
		return;
	mpi_lock();
	object_unlink(o);
	mpi_unlock();
	if (o->kind != MPI_KIND_WIN) /* which is gone already */
		object_set_data(o->kind, o->handle, NULL);
	object_destroy(o);
}

void mpi_objects_free(void)
{
	mrt_comm_set_data(MRT_COMM_WORLD, NULL);
	mrt_comm_set_data(MRT_COMM_SELF, NULL);
	while (all) {
		struct mpi_object *o = all;

		object_unlink(o);
		if (o->kind == MPI_KIND_TYPE)
			mrt_type_set_data(o->handle, NULL);
		object_destroy(o);
	}
}

/* ---- Errors -------------------------------------------------------------- */

int mpi_object_result(enum mpi_kind kind, void *handle, const char *function,
		      int error)
{
	switch (kind) {
	case MPI_KIND_COMM:
		return mpi_result(handle, function, error);
	case MPI_KIND_WIN:
		return mpi_win_result(handle, function, error);
	case MPI_KIND_SESSION:
		return mpi_session_result(handle, function, error);
	case MPI_KIND_FILE:
		return mpi_file_result(handle, function, error);
	default:
		return mpi_result(MPI_COMM_NULL, function, error);
	}
}

int mpi_object_check(enum mpi_kind kind, void *handle, const char *function)
{
	switch (kind) {
	case MPI_KIND_COMM:
		return mpi_check_comm(handle, function);
	case MPI_KIND_TYPE:
		return mpi_result(MPI_COMM_NULL, function,
				  mpi_check_type(handle));
	case MPI_KIND_WIN:
		return mpi_win_of(handle)
			   ? MPI_SUCCESS
			   : mpi_win_fail(handle, function, MRT_ERR_WIN,
					  "the handle is no window");
	case MPI_KIND_SESSION:
		return mpi_session_result(handle, function, MPI_SUCCESS);
	default:
		return mpi_file_errhandler(handle)
			   ? MPI_SUCCESS
			   : mpi_file_result(
				 MPI_FILE_NULL, function,
				 mpi_detailed(MPI_ERR_FILE, "it is no file"));
	}
}

/* ---- Names --------------------------------------------------------------- */

static const char *default_name(enum mpi_kind kind, void *handle)
{
	if (kind == MPI_KIND_TYPE)
		return mpi_type_default_name(handle);
	if (kind == MPI_KIND_WIN)
		return handle == MPI_WIN_NULL ? "MPI_WIN_NULL" : "";
	return handle == MPI_COMM_WORLD	 ? "MPI_COMM_WORLD"
	       : handle == MPI_COMM_SELF ? "MPI_COMM_SELF"
	       : handle == MPI_COMM_NULL ? "MPI_COMM_NULL"
					 : "";
}

int mpi_object_set_name(enum mpi_kind kind, void *handle, const char *function,
			const char *name)
{
	int rc = mpi_object_check(kind, handle, function);
	struct mpi_object *o;

	if (rc)
		return rc;
	if (!name)
		return mpi_object_result(
		    kind, handle, function,
		    mpi_detailed(MPI_ERR_ARG, "the name is NULL"));
	o = mpi_object_of(kind, handle);
	if (!o)
		return mpi_object_result(kind, handle, function,
					 MRT_ERR_NO_MEM);
	snprintf(o->name, sizeof(o->name), "%s", name);
	o->named = true;
	return MPI_SUCCESS;
}

int mpi_object_get_name(enum mpi_kind kind, void *handle, const char *function,
			char *name, int *resultlen)
{
	const struct mpi_object *o = object_data(kind, handle);
	bool is_null = kind == MPI_KIND_COMM   ? handle == MPI_COMM_NULL
		       : kind == MPI_KIND_TYPE ? handle == MPI_DATATYPE_NULL
					       : handle == MPI_WIN_NULL;
	int rc = is_null ? 0 : mpi_object_check(kind, handle, function);

	if (rc)
		return rc;
	if (!name || !resultlen)
		return mpi_object_result(
		    kind, handle, function,
		    mpi_detailed(MPI_ERR_ARG, "the name or resultlen is NULL"));
	strcpy(name, o && o->named ? o->name : default_name(kind, handle));
	*resultlen = (int)strlen(name);
	return MPI_SUCCESS;
}
