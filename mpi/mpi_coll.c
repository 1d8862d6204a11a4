/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_coll.c: collectives (MPI 4.1, chapter 6) and neighbourhood collectives
 * (8.6). libmrt's lists have size_t and ptrdiff_t, to which MPI_Count and
 * MPI_Aint correspond; lists of int are copied.
 */
#include <stdlib.h>

#include "mpi/mpi_impl.h"

_Static_assert(sizeof(MPI_Count) == sizeof(size_t) &&
		   sizeof(MPI_Aint) == sizeof(ptrdiff_t),
	       "lists of MPI_Count and MPI_Aint are handed on as they are");

/* ---- Lists -------------------------------------------------------------- */

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

static union number *copies_take(struct copies *c, size_t n)
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
static const size_t *int_counts(struct copies *c, const int *list, size_t n)
{
	union number *copy = list && n ? copies_take(c, n) : NULL;

	for (size_t i = 0; copy && i < n; i++)
		copy[i].count = (size_t)list[i];
	return copy ? &copy->count : (const size_t *)list;
}

static const ptrdiff_t *int_displs(struct copies *c, const int *list, size_t n)
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

static inline struct mrt_type *const *to_types(const MPI_Datatype *types)
{
	return (struct mrt_type *const *)types;
}

/* ---- Functions ---------------------------------------------------------- */

API(Barrier)(MPI_Comm comm)
{
	return mpi_result(comm, __func__, mrt_barrier(to_comm(comm)));
}

API(Ibarrier)(MPI_Comm comm, MPI_Request *request)
{
	return mpi_result(comm, __func__,
			  mrt_ibarrier(to_comm(comm), to_requests(request)));
}

API(Barrier_init)(MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	(void)info;
	return mpi_result(
	    comm, __func__,
	    mrt_barrier_init(to_comm(comm), to_requests(request)));
}

#define COUNT int
#define DISPL int
#define NAME(name) name
#define COUNTS(list, n) int_counts(&copies, list, n)
#define DISPLS(list, n) int_displs(&copies, list, n)
#include "mpi/mpi_coll_body.h"
#undef COUNT
#undef DISPL
#undef NAME
#undef COUNTS
#undef DISPLS

#define COUNT MPI_Count
#define DISPL MPI_Aint
#define NAME(name) name##_c
#define COUNTS(list, n) ((const size_t *)(list))
#define DISPLS(list, n) ((const ptrdiff_t *)(list))
#include "mpi/mpi_coll_body.h"
