/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_impl.h: what the chapters of mpi/ share. mpi/ is a translation: a handle
 * of MPI is the handle of libmrt with the same value, and a status the same
 * 32 bytes, so that only counts, error codes and what libmrt does not know
 * (error handlers, attributes, names, info) take work. It uses mrt.h alone.
 */
#ifndef MPI_MPI_IMPL_H
#define MPI_MPI_IMPL_H

#include <stdbool.h>
#include <stddef.h>

#include <mpi.h>

#include "mrt.h"

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
static inline int mpi_result(MPI_Comm comm, const char *function,
			     int mrt_error)
{
	return __builtin_expect(mrt_error == 0, 1)
		   ? MPI_SUCCESS
		   : mpi_failed(comm, function, mrt_error);
}

/* An error that mpi/ itself finds: class is MPI_ERR_*. Returns what the
 * function has to return. */
int mpi_fail(MPI_Comm comm, const char *function, int class,
	     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* MPI_ERR_* of an error of libmrt. */
int mpi_error_class(int mrt_error);

/* ---- What mpi/ keeps of a communicator ------------------------------------ */

struct mpi_comm {
	MPI_Errhandler errhandler;
};

/* Never NULL for a valid communicator but when memory is out; made when it is
 * first asked for. */
struct mpi_comm *mpi_comm_of(MPI_Comm comm);
#endif
