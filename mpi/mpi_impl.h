/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_impl.h: what the files of mpi/ share. mpi/ is a translation: a handle of
 * MPI is libmrt's handle with the same value, and a status is the same 32
 * bytes. Only counts, error codes and what libmrt does not know (error
 * handlers, attributes, names, info) take work. It uses mrt_lib.h alone.
 */
#ifndef MPI_MPI_IMPL_H
#define MPI_MPI_IMPL_H

#include <stdbool.h>
#include <stddef.h>

#include <mpi.h>

#include "mrt_lib.h"

/*
 * Begins the definition of a function: PMPI_Send, with MPI_Send as a weak alias
 * that a profiler may replace. stubs.sh finds the implemented functions by the
 * alias.
 */
#define API(name) API_OF(int, name)
#define API_OF(result, name)                                                   \
	extern __typeof__(MPI_##name) MPI_##name                               \
	    __attribute__((weak, alias("PMPI_" #name)));                       \
	result PMPI_##name

/* Like API, in a *_body.h. Such a file is compiled twice: for counts of type
 * int, and for MPI_Count with names that end in _c. The includer sets COUNT and
 * NAME(name). */
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

/* An output argument. */
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

/* One status, or an array of them. The IGNORE constants are NULL in both
 * APIs. */
static inline struct mrt_status *to_status(MPI_Status *statuses)
{
	return (struct mrt_status *)statuses;
}

/* ---- Start and end (mpi_environment.c) ----------------------------------- */

/*
 * Start libmrt for the first of MPI_Init and the open sessions, with the lowest
 * thread level that satisfies the required one, and end it after the last. Both
 * are collective, unless all were sessions: then libmrt rests, so that sessions
 * come and go without the other ranks, and ends when the process exits.
 */
int mpi_runtime_hold(int required);
int mpi_runtime_release(void);

/* ---- Errors (mpi_error.c) ------------------------------------------------ */

/*
 * Ends a function on `comm` (MPI_COMM_NULL if it has no communicator): returns
 * MPI_SUCCESS for 0, else passes libmrt's error, as one of MPI's, to the error
 * handler. function is __func__.
 */
int mpi_failed(MPI_Comm comm, const char *function, int mrt_error);
/* Like mpi_failed, for a function that starts MPI: that MPI has not been
 * started is not the cause. */
int mpi_start_failed(const char *function, int mrt_error);
static inline int mpi_result(MPI_Comm comm, const char *function, int mrt_error)
{
	return __builtin_expect(mrt_error == 0, 1)
		   ? MPI_SUCCESS
		   : mpi_failed(comm, function, mrt_error);
}

/* Like mpi_result, on the communicator of the call or request that failed, or
 * MPI_COMM_NULL if there is none. */
int mpi_request_failed(const char *function, int mrt_error);
static inline int mpi_request_result(const char *function, int mrt_error)
{
	return __builtin_expect(mrt_error == 0, 1)
		   ? MPI_SUCCESS
		   : mpi_request_failed(function, mrt_error);
}

/* Raises an error that mpi/ itself has detected. class is MPI_ERR_*. Returns
 * what the function has to return. */
int mpi_fail(MPI_Comm comm, const char *function, int class, const char *format,
	     ...) __attribute__((format(printf, 4, 5)));

/* Like mpi_fail: the argument with this name is NULL. */
int mpi_null(MPI_Comm comm, const char *function, const char *name);

/* Raises an error whose detail mrt_error_detail returns. function is without
 * the "P". */
int mpi_raise(MPI_Comm comm, const char *function, int code);

/* Ends a function with MPI_SUCCESS for 0, else with an error for the handler of
 * a session or an argument: a class, or an error of libmrt, whose detail
 * mrt_error_detail returns. object is the handle that its function is told. */
int mpi_result_for(MPI_Errhandler errhandler, void *object,
		   const char *function, int error);
/* Likewise, for the handler of an object, see mpi_errhandler_at. */
int mpi_result_at(const MPI_Errhandler *place, void *object,
		  const char *function, int error);

/* Ends a function on a session, which may be invalid, like mpi_result
 * (mpi_session.c). */
int mpi_session_result(MPI_Session session, const char *function, int error);
/* The buffer of a session; NULL: it is invalid. */
struct mrt_buffer *mpi_session_buffer(MPI_Session session);
MPI_Errhandler *mpi_session_errhandler(MPI_Session session); /* likewise */

/* Sets the detail of an error; returns the error. */
static inline int mpi_detailed(int error, const char *detail)
{
	mrt_set_error_detail(detail);
	return error;
}

/* Returns 0, or what a function on an invalid communicator has to return. */
static inline int mpi_check_comm(MPI_Comm comm, const char *function)
{
	int size = mrt_size(to_comm(comm));

	return size < 0 ? mpi_failed(comm, function, size) : MPI_SUCCESS;
}

/* Returns 0 if this is a type, else an error of libmrt. */
static inline int mpi_check_type(MPI_Datatype type)
{
	return mrt_type_envelope(to_type(type), NULL, NULL, NULL);
}

/* Whether a type is of MPI_Type_create_f90_*: predefined, without a name. */
static inline bool mpi_is_f90(enum mrt_combiner combiner)
{
	return combiner >= MRT_COMBINER_F90_REAL &&
	       combiner <= MRT_COMBINER_F90_INTEGER;
}

/* Ends a function whose result, called `name`, is a value of libmrt, or an
 * error if that is negative. */
static inline int mpi_int_result(MPI_Comm comm, const char *function, int value,
				 const char *name, int *result)
{
	if (!result)
		return mpi_null(comm, function, name);
	if (value < 0)
		return mpi_failed(comm, function, value);
	*result = value;
	return MPI_SUCCESS;
}

/* Converts libmrt's error codes to MPI_ERR_*. */
int mpi_error_class(int mrt_error);

/* ---- What mpi/ keeps of objects (mpi_object.c) --------------------------- */

/* Guards all state of mpi/. Not held while a user's function runs. */
void mpi_lock(void);
void mpi_unlock(void);

enum mpi_kind {
	MPI_KIND_COMM,
	MPI_KIND_TYPE,
	MPI_KIND_WIN,
	MPI_KIND_SESSION, /* has an error handler alone, as a file has */
	MPI_KIND_FILE
};

struct mpi_attr;     /* mpi_attr.c */
struct mpi_topology; /* mpi_topo.c */

/* A communicator, type or window of MPI has this state beside libmrt's: its
 * error handler, attributes and name. */
struct mpi_object {
	struct mpi_object *next, **at; /* in a list of all; what points here */
	enum mpi_kind kind;
	void *handle;
	MPI_Errhandler errhandler; /* holds a reference; no type's */
	struct mpi_attr *attrs;	   /* most recently set first */
	bool named;		   /* else the default name */
	char name[MPI_MAX_OBJECT_NAME];
};

/* Return the state of an object; that of a communicator or type is allocated on
 * first use. NULL: the object is invalid, or memory is out. */
struct mpi_object *mpi_object_of(enum mpi_kind kind, void *handle);
struct mpi_object *mpi_object_make(enum mpi_kind kind, void *handle);
/* Frees the state of an object, after mpi_attr_delete_all: before the object
 * itself, or after it if it is a window. NULL is fine. */
void mpi_object_forget(struct mpi_object *object);
/* Frees everything, after mrt_finalize. */
void mpi_objects_free(void);

/* Ends a function on an object like mpi_result, by the handler of the object
 * if it has one. */
int mpi_object_result(enum mpi_kind kind, void *handle, const char *function,
		      int error);
/* Returns 0, or what a function on an invalid object has to return. */
int mpi_object_check(enum mpi_kind kind, void *handle, const char *function);
int mpi_object_set_name(enum mpi_kind kind, void *handle, const char *function,
			const char *name);
int mpi_object_get_name(enum mpi_kind kind, void *handle, const char *function,
			char *name, int *resultlen);
/* "MPI_INT" and the like, or "" (mpi_type_name.c). */
const char *mpi_type_default_name(MPI_Datatype type);

struct mpi_comm {
	struct mpi_object object;
	const char *maker; /* the function that made it; NULL: not known */
	unsigned hints;	   /* mpi_comm.c: one bit for each that is true */
	struct mpi_topology *topology; /* NULL: none */
};

struct mpi_comm *mpi_comm_of(MPI_Comm comm);
/* Gives newcomm what every new communicator inherits from comm: the error
 * handler. maker says what made it, such as "MPI_Comm_dup". */
void mpi_comm_inherit(MPI_Comm comm, MPI_Comm newcomm, const char *maker);
/* Sets the communicator's hints from info. Returns 0 or MPI_ERR_*
 * (mpi_comm.c). */
int mpi_comm_read_hints(MPI_Comm comm, MPI_Info info);

/* ---- Attributes (mpi_attr.c) --------------------------------------------- */

/*
 * Call the callbacks of an object's attributes: mpi_attr_copy for functions
 * that make an object from another, mpi_attr_delete_all for those that free
 * one. object is the handle. When a callback fails, its error is returned,
 * which the caller passes to mpi_raise; no attribute is then copied, and those
 * not deleted stay.
 */
int mpi_attr_copy(enum mpi_kind kind, void *from, void *to);
int mpi_attr_delete_all(enum mpi_kind kind, void *object);
/* The functions of each kind of object with attributes, and of keys. A callback
 * is cast. */
int mpi_attr_set(enum mpi_kind kind, void *object, const char *function, int id,
		 void *value);
int mpi_attr_get(enum mpi_kind kind, void *object, const char *function, int id,
		 void *value, int *flag);
int mpi_attr_delete(enum mpi_kind kind, void *object, const char *function,
		    int id);
typedef void (*any_fn)(void);
int mpi_keyval_create(enum mpi_kind kind, const char *function, any_fn copy,
		      any_fn delete_attr, void *extra_state, int *id);
int mpi_keyval_free(enum mpi_kind kind, const char *function, int *id);
/* Frees an object's attributes without calling callbacks. */
void mpi_attr_forget(struct mpi_attr **attrs);
/* Returns the value of a predefined attribute such as MPI_TAG_UB, or NULL if
 * keyval is none of them (mpi_environment.c). */
int *mpi_predefined_attr(int keyval);

/* ---- Info (mpi_info.c, mpi_info_env.c) ----------------------------------- */

/* Create and free the contents of MPI_INFO_ENV, in MPI_Init and
 * MPI_Finalize. */
void mpi_info_env_make(void);
void mpi_info_env_free(void);
/* Like MPI_Info_create, MPI_Info_set and MPI_Info_get, for functions on
 * communicators: an error is returned, with its detail, and no error handler is
 * called. */
int mpi_info_create(MPI_Info *info);
/* Creates the info that MPI_Comm_get_info and its kind return, like
 * mpi_info_create. It has the kinds of memory that buffers may be of (MPI 4.1,
 * 11.4.3), to which the caller adds the object's hints. */
int mpi_info_create_used(MPI_Info *info);
int mpi_info_check(MPI_Info info); /* MPI_INFO_NULL is fine */
int mpi_info_set(MPI_Info info, const char *key, const char *value);
int mpi_info_get(MPI_Info info, const char *key, size_t room, char *value,
		 int *flag);

/* ---- Error handlers (mpi_errhandler.c) ----------------------------------- */

/* Whether it is an error handler for such an object. */
bool mpi_errhandler_fits(MPI_Errhandler errhandler, enum mpi_kind kind);
/* Return an object's handler, with a reference, since the handler may replace
 * itself while it runs; and attach another one. place is the object's member.
 */
MPI_Errhandler mpi_errhandler_at(const MPI_Errhandler *place);
void mpi_errhandler_attach(MPI_Errhandler *place, MPI_Errhandler errhandler);
/* The functions of each kind of object that has a handler. */
int mpi_errhandler_set(enum mpi_kind kind, void *object, const char *function,
		       MPI_Errhandler errhandler);
int mpi_errhandler_get(enum mpi_kind kind, void *object, const char *function,
		       MPI_Errhandler *errhandler);
int mpi_errhandler_raise(enum mpi_kind kind, void *object, const char *function,
			 int code);
/* Add and drop a reference. Predefined handlers are not counted. */
MPI_Errhandler mpi_errhandler_hold(MPI_Errhandler errhandler);
void mpi_errhandler_release(MPI_Errhandler errhandler);
/* The handler of the world, of self, and before and after MPI: predefined. */
MPI_Errhandler mpi_initial_errhandler(void);

/* ---- Topologies (mpi_topo.c) --------------------------------------------- */

/* mpi_topology_copy adds a reference for a duplicate of a communicator,
 * mpi_topology_free drops one. A topology never changes, so all duplicates
 * share it. NULL is fine. */
struct mpi_topology *mpi_topology_copy(struct mpi_topology *topology);
void mpi_topology_free(struct mpi_topology *topology);

/*
 * Sets *neighbors to the caller's neighbours in comm's topology, for
 * neighbourhood collectives; MPI_PROC_NULL where a grid ends. The lists are
 * valid as long as comm. Returns MPI_SUCCESS or what `function` (__func__) has
 * to return.
 */
int mpi_neighbors(MPI_Comm comm, const char *function,
		  struct mrt_neighbors *neighbors);
#endif
