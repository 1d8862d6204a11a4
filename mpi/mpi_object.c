/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_object.c: mpi/'s state of communicators and types. It is attached to them
 * as their data, and listed, so that MPI_Finalize frees the state of those that
 * a program does not free.
 */
#include <pthread.h>
#include <stdlib.h>

#include "mpi/mpi_impl.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct mpi_link *all, *all_types;

void mpi_lock(void)
{
	pthread_mutex_lock(&mutex);
}

void mpi_unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

/* Callers hold the lock. */
static struct mpi_comm *object_make(MPI_Comm comm)
{
	struct mpi_comm *c = mrt_comm_data(to_comm(comm));

	if (c)
		return c; /* another thread has made it */
	c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->errhandler = mpi_initial_errhandler();
	if (mrt_comm_set_data(to_comm(comm), c)) {
		free(c);
		return NULL;
	}
	mpi_link_add(&all, &c->link);
	return c;
}

struct mpi_comm *mpi_comm_of(MPI_Comm comm)
{
	struct mpi_comm *c = mrt_comm_data(to_comm(comm));

	if (c)
		return c;
	/* state only exists between MPI_Init and MPI_Finalize */
	if (!mrt_initialized() || mrt_finalized())
		return NULL;
	mpi_lock();
	c = object_make(comm);
	mpi_unlock();
	return c;
}

void mpi_comm_inherit(MPI_Comm comm, MPI_Comm newcomm, const char *maker)
{
	struct mpi_comm *from = mpi_comm_of(comm);
	struct mpi_comm *to = mpi_comm_of(newcomm);

	if (!from || !to)
		return;
	mpi_lock();
	to->errhandler = mpi_errhandler_hold(from->errhandler);
	to->maker = maker;
	mpi_unlock();
}

static void object_destroy(struct mpi_comm *c)
{
	mpi_attr_forget(&c->attrs);
	mpi_topology_free(c->topology);
	mpi_errhandler_release(c->errhandler);
	free(c);
}

void mpi_comm_forget(MPI_Comm comm)
{
	struct mpi_comm *c = mrt_comm_data(to_comm(comm));

	if (!c)
		return;
	mpi_lock();
	mpi_link_remove(&c->link);
	mpi_unlock();
	mrt_comm_set_data(to_comm(comm), NULL);
	object_destroy(c);
}

/* Callers hold the lock. */
static struct mpi_type *make_type(MPI_Datatype type)
{
	struct mpi_type *t = mrt_type_data(to_type(type));

	if (t)
		return t;
	t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->type = type;
	if (mrt_type_set_data(to_type(type), t)) {
		free(t);
		return NULL;
	}
	mpi_link_add(&all_types, &t->link);
	return t;
}

struct mpi_type *mpi_type_of(MPI_Datatype type)
{
	struct mpi_type *t = mrt_type_data(to_type(type));

	if (t)
		return t;
	mpi_lock();
	t = make_type(type);
	mpi_unlock();
	return t;
}

static void destroy_type(struct mpi_type *t)
{
	mrt_type_set_data(to_type(t->type), NULL);
	mpi_attr_forget(&t->attrs);
	free(t);
}

void mpi_type_forget(MPI_Datatype type)
{
	struct mpi_type *t = mrt_type_data(to_type(type));

	if (!t)
		return;
	mpi_lock();
	mpi_link_remove(&t->link);
	mpi_unlock();
	destroy_type(t);
}

void mpi_objects_free(void)
{
	mpi_windows_free();
	mrt_comm_set_data(MRT_COMM_WORLD, NULL);
	mrt_comm_set_data(MRT_COMM_SELF, NULL);
	while (all) {
		struct mpi_comm *c = (struct mpi_comm *)all;

		mpi_link_remove(all);
		object_destroy(c);
	}
	while (all_types) {
		struct mpi_type *t = (struct mpi_type *)all_types;

		mpi_link_remove(all_types);
		destroy_type(t);
	}
}
