/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_forward.h: what the functions need that functions.awk writes of
 * forward.txt. libmrt's lists have size_t and ptrdiff_t, to which MPI_Count and
 * MPI_Aint correspond; lists of int are copied.
 */
#ifndef MPI_MPI_FORWARD_H
#define MPI_MPI_FORWARD_H

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_impl.h"
#include "mpi/mpi_tool.h"
#include "mpi/mpi_win.h"

_Static_assert(sizeof(MPI_Count) == sizeof(size_t) &&
		   sizeof(MPI_Aint) == sizeof(ptrdiff_t),
	       "lists of MPI_Count and MPI_Aint are handed on as they are");
_Static_assert(MPI_BSEND_OVERHEAD == MRT_BSEND_OVERHEAD, "the same");

/* ---- Sizes --------------------------------------------------------------- */

static inline int size_as_int(size_t value)
{
	return value > INT_MAX ? MPI_UNDEFINED : (int)value;
}

static inline MPI_Count size_as_count(size_t value)
{
	return value > INT64_MAX ? MPI_UNDEFINED : (MPI_Count)value;
}

/* Beyond any bound: MPI_UNDEFINED. */
static inline int mpi_type_size(struct mrt_type *type, size_t *size)
{
	*size = mrt_type_size(type);
	return 0;
}

static inline int mpi_get_count(const struct mrt_status *status,
				struct mrt_type *type, size_t *count)
{
	size_t size = mrt_type_size(type);

	if (size ? status->bytes % size : status->bytes)
		*count = SIZE_MAX;
	else
		*count = size ? status->bytes / size : 0;
	return 0;
}

static inline int mpi_get_elements(const struct mrt_status *status,
				   struct mrt_type *type, size_t *count)
{
	if (mrt_get_elements(status, type, count))
		*count = SIZE_MAX;
	return 0;
}

/* Ends a constructor (mpi_datatype.c). */
int mpi_type_made(const char *function, int rc, int form,
		  MPI_Datatype *newtype);

/* ---- Communicators and groups -------------------------------------------- */

/* Ends a function that makes a communicator: sets *newcomm on success
 * (mpi_comm_make.c). */
int mpi_comm_made(MPI_Comm comm, const char *function, int mrt_error,
		  struct mrt_comm *c, MPI_Comm *newcomm);

/* Returns 0, or the error of what is no intercommunicator. */
static inline int inter_error(MPI_Comm comm)
{
	int rc = mrt_comm_is_inter(to_comm(comm));

	return rc > 0 ? 0
	       : rc   ? rc
		      : mpi_detailed(MPI_ERR_COMM, "not an intercommunicator");
}

static inline int group_rank_result(const char *function, int value, int *rank)
{
	if (value < 0 && value != MRT_UNDEFINED)
		return mpi_failed(MPI_COMM_NULL, function, value);
	*rank = value;
	return MPI_SUCCESS;
}

/* ---- Requests ------------------------------------------------------------ */

/* Like mpi_request_result, with n statuses whose errors are set if mrt_error is
 * MRT_ERR_IN_STATUS. */
static inline int several_result(const char *function, int mrt_error, int n,
				 MPI_Status statuses[])
{
	if (mrt_error == MRT_ERR_IN_STATUS && statuses)
		for (int i = 0; i < n; i++)
			statuses[i].MPI_ERROR =
			    mpi_error_class(statuses[i].MPI_ERROR);
	return mpi_request_result(function, mrt_error);
}

/* Like several_result; *outcount is only set with MRT_ERR_IN_STATUS, not if
 * another error came first. */
static inline int some_result(const char *function, int mrt_error,
			      const int *outcount, MPI_Status statuses[])
{
	return several_result(function, mrt_error,
			      mrt_error == MRT_ERR_IN_STATUS ? *outcount : 0,
			      statuses);
}

/* ---- Lists of collectives ------------------------------------------------ */

/* Copies of a call's lists: four of up to 64 entries here, longer ones on the
 * heap. */
struct copies {
	size_t used;
	union number {
		size_t count;
		ptrdiff_t displ;
	} local[4 * 64];
	int nheap;
	void *heap[4];
	bool failed;
};

static inline void copies_init(struct copies *c)
{
	c->used = 0;
	c->nheap = 0;
	c->failed = false;
}

static inline union number *copies_take(struct copies *c, size_t n)
{
	union number *list;

	if (n <= sizeof(c->local) / sizeof(*c->local) - c->used) {
		list = c->local + c->used;
		c->used += n;
		return list;
	}
	list = malloc(n * sizeof(*list));
	if (!list)
		c->failed = true;
	else
		c->heap[c->nheap++] = list;
	return list;
}

/* Ends a call: frees the copies; returns rc, or MRT_ERR_NO_MEM if a copy
 * failed. */
static inline int copies_fini(struct copies *c, int rc)
{
	while (__builtin_expect(c->nheap > 0, 0))
		free(c->heap[--c->nheap]);
	return __builtin_expect(c->failed, 0) ? MRT_ERR_NO_MEM : rc;
}

/* Converts list[n] for libmrt. With n 0 the list is not significant and is
 * passed as it is. A negative count becomes a size_t beyond any bound, which
 * libmrt rejects. */
static inline const size_t *int_counts(struct copies *c, const int *list,
				       size_t n)
{
	union number *copy = list && n ? copies_take(c, n) : NULL;

	for (size_t i = 0; copy && i < n; i++)
		copy[i].count = (size_t)list[i];
	return copy ? &copy->count : (const size_t *)list;
}

static inline const ptrdiff_t *int_displs(struct copies *c, const int *list,
					  size_t n)
{
	union number *copy = list && n ? copies_take(c, n) : NULL;

	for (size_t i = 0; copy && i < n; i++)
		copy[i].displ = list[i];
	return copy ? &copy->displ : (const ptrdiff_t *)list;
}

/* The size of the caller's group. */
static inline size_t own_ranks(MPI_Comm comm)
{
	int n = mrt_size(to_comm(comm));

	return n > 0 ? (size_t)n : 0;
}

/* The number of blocks of a list by rank: the size of the remote group, if
 * there is one. */
static inline size_t coll_ranks(MPI_Comm comm)
{
	return mrt_comm_is_inter(to_comm(comm)) > 0
		   ? (size_t)mrt_comm_remote_size(to_comm(comm))
		   : own_ranks(comm);
}

/* Like ranks, for a list that is significant only at the root: 0 elsewhere. */
static inline size_t ranks_at(MPI_Comm comm, int root)
{
	if (mrt_comm_is_inter(to_comm(comm)) > 0)
		return root == MPI_ROOT ? coll_ranks(comm) : 0;
	return root == mrt_rank(to_comm(comm)) ? own_ranks(comm) : 0;
}

static inline size_t ranks_unless(const void *in_place, MPI_Comm comm)
{
	return in_place == MPI_IN_PLACE ? 0 : coll_ranks(comm);
}

/* ---- Packing and buffers ------------------------------------------------- */

static inline int comm_check(MPI_Comm comm, MPI_Count room)
{
	int rank = mrt_rank(to_comm(comm));

	return rank < 0 ? rank : room < 0 ? MRT_ERR_ARG : 0;
}

static inline struct mrt_buffer *comm_buffer(MPI_Comm comm)
{
	struct mrt_buffer *buffer = NULL;

	mrt_comm_buffer(to_comm(comm), &buffer);
	return buffer;
}

static inline int external_check(const char *datarep, MPI_Count room)
{
	if (!datarep || strcmp(datarep, "external32"))
		return mpi_detailed(MPI_ERR_UNSUPPORTED_DATAREP,
				    "only external32 is offered");
	return room < 0 ? MRT_ERR_ARG : 0;
}

/* ---- Windows ------------------------------------------------------------- */

#define TARGET TARGET_OF(target_count, target_datatype)
#define TARGET_OF(count, type)                                                 \
	(&(const struct mrt_target){target_rank, target_disp, (size_t)(count), \
				    to_type(type)})

/* Returns 0 if only bits of `allowed` are set. */
static inline int check_assert(int assertion, int allowed)
{
	return assertion & ~allowed
		   ? mpi_detailed(MPI_ERR_ASSERT, "unknown bits in the assert")
		   : 0;
}

static inline int check_lock(int lock_type, int assertion)
{
	int rc = check_assert(assertion, MPI_MODE_NOCHECK);

	return !rc && lock_type != MPI_LOCK_EXCLUSIVE &&
		       lock_type != MPI_LOCK_SHARED
		   ? mpi_detailed(MPI_ERR_LOCKTYPE, "no such type of lock")
		   : rc;
}

/* ---- The tool interface -------------------------------------------------- */

static inline int tool_none(int *number)
{
	if (!mpi_tool_is_open())
		return MPI_T_ERR_NOT_INITIALIZED;
	mpi_tool_put_int(0, number);
	return MPI_SUCCESS;
}

/* Returns the error, which a name or an index of something is. */
static inline int tool_unknown(int error)
{
	return mpi_tool_is_open() ? error : MPI_T_ERR_NOT_INITIALIZED;
}
#endif
