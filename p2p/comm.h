/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm.h: communicators: an ordered group of world ranks and two contexts.
 * Creating them is collective and lives in coll/comm/comm_create.c.
 */
#ifndef P2P_COMM_H
#define P2P_COMM_H

#include <stdbool.h>
#include <stdint.h>

#include "mrt_lib.h"
#include "p2p/context.h"
#include "runtime/base/list.h"

struct coll_comm; /* what coll/ keeps per communicator */

struct mrt_comm {
	uint64_t magic;	   /* COMM_MAGIC while alive */
	int rank;	   /* of the caller */
	int size;	   /* of the group that it sends to */
	int holds;	   /* users of the object: the handle, requests */
	uint32_t context;  /* of its user's messages; see context.h */
	int *world;	   /* [size] world rank of each; NULL: identity */
	int *sorted;	   /* [size] comm ranks by world rank; NULL: identity */
	bool one_node;	   /* all ranks on the caller's node */
	bool owns_id;	   /* gives it back at the end */
	uint32_t coll_seq; /* collectives started, for their tags, */
	uint32_t init_seq; /* and persistent ones made */
	struct coll_comm *coll;
	void *data;   /* the user's */
	int own_size; /* of the caller's group: size, but for an inter- */
	struct comm_inter *inter; /* communicator, which has this */
	struct mrt_comm *outer;	  /* see comm_inter */
	struct list link;	  /* in the list of those to free at the end */
};
#define COMM_MAGIC 0x6d72742d636f6d6dull
#define COMM_UNNAMED 0x6d72742d6e6f6964ull /* still being made */
#define COMM_FREED 0x6d72742d66726565ull   /* by this rank, not yet by all */

/*
 * Of an intercommunicator size, world and sorted are those of the other group,
 * since all its messages go there and come from there. Its collectives run on
 * a communicator of both groups that the user does not see, whose `outer` it
 * is while it lives; they share an id, so that its collectives' context is
 * that one's.
 */
struct comm_inter {
	struct mrt_comm *merged; /* held */
	int own, other; /* where the two groups begin there; one is 0 */
	int peers[];	/* [size] ranks there of the other group */
};

/* How many ranks the first of its two groups has. */
static inline int comm_low(const struct mrt_comm *inter)
{
	return inter->inter->own ? inter->inter->own : inter->inter->other;
}

extern struct mrt_comm comm_world, comm_self;

/* World and self; at finalize, comm_fini frees all that are left. */
int comm_init(void);
void comm_fini(void);

/* How many of users' own are left. */
size_t comm_count(void);

/* The object behind a handle, or NULL if the handle is not valid. */
static inline struct mrt_comm *comm_get(struct mrt_comm *handle)
{
	if (handle == MRT_COMM_WORLD)
		return &comm_world;
	if (handle == MRT_COMM_SELF)
		return &comm_self;
	if ((uintptr_t)handle < MRT_CONSTANTS_END ||
	    handle->magic != COMM_MAGIC)
		return NULL;
	return handle;
}

/* What a handle that is none gives: MRT_ERR_COMM (proc_fail). */
int comm_unknown(const struct mrt_comm *handle);

/* The slow part of comm_result. */
int comm_failed(struct mrt_comm *handle, const char *call, int code);
/* Like proc_result, for a call on the communicator `handle`: mrt_error_comm
 * names it, if it is one. */
static inline int comm_result(struct mrt_comm *handle, const char *call,
			      int code)
{
	return __builtin_expect(code == 0, 1) ? 0
					      : comm_failed(handle, call, code);
}

/* The handle of a communicator that comm_get gave. */
static inline struct mrt_comm *comm_handle(struct mrt_comm *comm)
{
	if (comm == &comm_world)
		return MRT_COMM_WORLD;
	return comm == &comm_self ? MRT_COMM_SELF : comm;
}

/* World rank of comm rank r (0 <= r < size). */
static inline int comm_world_rank(const struct mrt_comm *comm, int r)
{
	return comm->world ? comm->world[r] : r;
}

/* Comm rank of a world rank, or -1 if it is not in the group. */
int comm_rank_of(const struct mrt_comm *comm, int world);

/* The caller's own group: world rank of its rank r; rank of a world rank, or
 * -1. */
static inline int comm_own_world_rank(const struct mrt_comm *comm, int r)
{
	const struct comm_inter *i = comm->inter;

	return i ? comm_world_rank(i->merged, i->own + r)
		 : comm_world_rank(comm, r);
}
int comm_own_rank_of(const struct mrt_comm *comm, int world);

/*
 * A communicator of world[size] (copied) in which the caller has `rank`.
 * id (0..COMM_MAX-1) must be agreed on by all; it is taken. -1: later, by
 * comm_take_id. NULL: no memory.
 */
struct mrt_comm *comm_create(const int *world, int size, int rank, int id);
void comm_take_id(struct mrt_comm *comm, int id);
/* The intercommunicator between the first `low` ranks of merged and the
 * others; takes over the caller's hold on merged. NULL: no memory. */
struct mrt_comm *comm_create_inter(struct mrt_comm *merged, int low);
/*
 * comm_release lets go of a communicator, once for comm_create and for each
 * comm_hold; the last one frees it (comm_destroy) and gives the id back. NULL
 * is fine. A request holds its communicator, which the user may free while it
 * is under way.
 */
void comm_destroy(struct mrt_comm *comm);
static inline void comm_release(struct mrt_comm *comm)
{
	if (comm && !--comm->holds)
		comm_destroy(comm);
}
static inline void comm_hold(struct mrt_comm *comm)
{
	comm->holds++;
}

/* The context ids in use, a bit set per id: [COMM_MAX / 64]. */
extern uint64_t comm_ids[COMM_MAX / 64];
#endif
