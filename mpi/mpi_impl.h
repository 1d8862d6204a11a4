/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_impl.h: what the chapters of mpi/ share. mpi/ is a translation: a handle
 * of MPI is the handle of libmrt with the same value, and a status the same
 * 32 bytes, so that only counts, error codes and what libmrt does not know
 * (error handlers, attributes, names, info) take work. It uses mrt_lib.h alone.
 */
#ifndef MPI_MPI_IMPL_H
#define MPI_MPI_IMPL_H

#include <stdbool.h>
#include <stddef.h>

#include <mpi.h>

#include "mrt_lib.h"

/*
 * Begins the definition of a function: PMPI_Send, and MPI_Send as a weak alias
 * that a profiler may replace. stubs.sh finds the functions that exist by it.
 */
#define API(name) API_OF(int, name)
#define API_OF(result, name)                                                   \
	extern __typeof__(MPI_##name) MPI_##name                               \
	    __attribute__((weak, alias("PMPI_" #name)));                       \
	result PMPI_##name

/* The same in a *_body.h, which is compiled twice: for counts of type int, and
 * of MPI_Count with names that end in _c. It sets COUNT and NAME(name). */
#define APIS(name) API_EXPANDED(NAME(name))
#define API_EXPANDED(name) API(name)

/* ---- Handles ------------------------------------------------------------ */

static inline struct mrt_comm *to_comm(MPI_Comm comm)
{
	return (struct mrt_comm *)comm;
}

static inline MPI_Comm from_comm(struct mrt_comm *comm)
{
	return (MPI_Comm)comm;
}

static inline struct mrt_group *to_group(MPI_Group group)
{
	return (struct mrt_group *)group;
}

/* Where a function puts a new one. */
static inline struct mrt_group **to_groups(MPI_Group *group)
{
	return (struct mrt_group **)group;
}

static inline struct mrt_type *to_type(MPI_Datatype type)
{
	return (struct mrt_type *)type;
}

static inline MPI_Datatype from_type(struct mrt_type *type)
{
	return (MPI_Datatype)type;
}

static inline struct mrt_op *to_op(MPI_Op op)
{
	return (struct mrt_op *)op;
}

static inline MPI_Op from_op(struct mrt_op *op)
{
	return (MPI_Op)op;
}

/* One request, or an array of them. */
static inline struct mrt_request **to_requests(MPI_Request *requests)
{
	return (struct mrt_request **)requests;
}

static inline struct mrt_message **to_message(MPI_Message *message)
{
	return (struct mrt_message **)message;
}

/* One status, or an array of them; the IGNORE constants are NULL on both
 * sides. */
static inline struct mrt_status *to_status(MPI_Status *statuses)
{
	return (struct mrt_status *)statuses;
}

/* ---- Errors (mpi_error.c) ------------------------------------------------ */

/*
 * The end of a function on `comm` (MPI_COMM_SELF, if it is on none): 0, or an
 * error of libmrt, which goes to the error handler as one of MPI's. function
 * is __func__.
 */
int mpi_failed(MPI_Comm comm, const char *function, int mrt_error);
static inline int mpi_result(MPI_Comm comm, const char *function, int mrt_error)
{
	return __builtin_expect(mrt_error == 0, 1)
		   ? MPI_SUCCESS
		   : mpi_failed(comm, function, mrt_error);
}

/* The same on the communicator of the request that has failed, if it was a
 * request (mpi_request.c). */
int mpi_request_failed(const char *function, int mrt_error);
static inline int mpi_request_result(const char *function, int mrt_error)
{
	return __builtin_expect(mrt_error == 0, 1)
		   ? MPI_SUCCESS
		   : mpi_request_failed(function, mrt_error);
}

/* An error that mpi/ itself finds: class is MPI_ERR_*. Returns what the
 * function has to return. */
int mpi_fail(MPI_Comm comm, const char *function, int class, const char *format,
	     ...) __attribute__((format(printf, 4, 5)));

/* The same: the argument of this name is NULL. */
int mpi_null(MPI_Comm comm, const char *function, const char *name);

/* An error of which mrt_error_detail says the rest; function without "P". */
int mpi_raise(MPI_Comm comm, const char *function, int code);

/* MPI_ERR_* of an error of libmrt, and the other way round: MRT_ERR_ARG where
 * libmrt has none. */
int mpi_error_class(int mrt_error);
int mpi_mrt_error(int class);

/* ---- What mpi/ keeps of objects (mpi_object.c) --------------------------- */

/* Guards it; not held while functions of the user's run. */
void mpi_lock(void);
void mpi_unlock(void);

struct mpi_attr;     /* mpi_attr.c */
struct mpi_topology; /* mpi_topo.c */

struct mpi_comm {
	struct mpi_comm *next;
	MPI_Errhandler errhandler; /* a reference */
	struct mpi_attr *attrs;	   /* the last one set first */
	bool named;		   /* else it has the default name */
	char name[MPI_MAX_OBJECT_NAME];
	unsigned hints; /* mpi_comm.c: a bit for each that is true */
	struct mpi_topology *topology; /* NULL: none */
};

/* Never NULL for a valid communicator but when memory is out; made when it is
 * first asked for. */
struct mpi_comm *mpi_comm_of(MPI_Comm comm);
/* Gives newcomm what every new communicator has of comm: the error handler. */
void mpi_comm_inherit(MPI_Comm comm, MPI_Comm newcomm);
/* Frees it, before the communicator is: after mpi_attr_delete_all. */
void mpi_comm_forget(MPI_Comm comm);
/* Takes the hints that info gives; 0 or MPI_ERR_* (mpi_comm.c). */
int mpi_comm_read_hints(MPI_Comm comm, MPI_Info info);

/* The same of types, predefined ones too. */
struct mpi_type {
	struct mpi_type *next;
	MPI_Datatype type;
	struct mpi_attr *attrs; /* the last one set first */
	bool named;		/* by the user */
	char name[MPI_MAX_OBJECT_NAME];
};

struct mpi_type *mpi_type_of(MPI_Datatype type);
/* Before the type is freed, after mpi_attr_delete_all. */
void mpi_type_forget(MPI_Datatype type);

/* After mrt_finalize: free everything. */
void mpi_objects_free(void);
void mpi_handles_free(void); /* mpi_handle.c */

/* ---- Attributes (mpi_attr.c) --------------------------------------------- */

enum mpi_kind { MPI_KIND_COMM, MPI_KIND_TYPE, MPI_KIND_WIN };

/*
 * For functions that make an object from another, and for those that free one:
 * calls the callbacks of the object's attributes. object is the handle. When a
 * callback fails, its error is returned, which goes to mpi_raise; then there is
 * no copy, and what was not deleted stays.
 */
int mpi_attr_copy(enum mpi_kind kind, void *from, void *to);
int mpi_attr_delete_all(enum mpi_kind kind, void *object);
/* Frees the list of an object whose callbacks are not called any more. */
void mpi_attr_forget(struct mpi_attr **attrs);
/* What MPI_TAG_UB and the like point to (mpi_environment.c); NULL: not one of
 * them. */
int *mpi_predefined_attr(int keyval);

/* ---- Info (mpi_info.c, mpi_info_env.c) ----------------------------------- */

/* MPI_INFO_ENV's contents, from MPI_Init to MPI_Finalize. */
void mpi_info_env_make(void);
void mpi_info_env_free(void);
/* Like MPI_Info_create, _set and _get, for functions on communicators: an error
 * is returned, with its detail, and goes to no handler. */
int mpi_info_create(MPI_Info *info);
int mpi_info_set(MPI_Info info, const char *key, const char *value);
int mpi_info_get(MPI_Info info, const char *key, size_t room, char *value,
		 int *flag);

/* ---- Error handlers (mpi_errhandler.c) ----------------------------------- */

/* A reference more or less; predefined ones have none. */
MPI_Errhandler mpi_errhandler_hold(MPI_Errhandler errhandler);
void mpi_errhandler_release(MPI_Errhandler errhandler);

/* ---- Topologies (mpi_topo.c) --------------------------------------------- */

/* What a duplicate of a communicator gets, and gives back when it is freed.
 * A topology never changes, so all duplicates share it. NULL is fine. */
struct mpi_topology *mpi_topology_copy(struct mpi_topology *topology);
void mpi_topology_free(struct mpi_topology *topology);

/*
 * The neighbours of the caller in the topology of comm, for neighbourhood
 * collectives, MPI_PROC_NULL where a grid ends; valid as long as comm. Returns
 * MPI_SUCCESS or what `function` (__func__) has to return.
 */
int mpi_neighbors(MPI_Comm comm, const char *function,
		  struct mrt_neighbors *neighbors);
#endif
