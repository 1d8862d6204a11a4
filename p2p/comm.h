/* SPDX-License-Identifier: Apache-2.0 */
/* comm.h: a communicator is an ordered group of world ranks and two contexts.
 * Creating one is collective: coll/comm/comm_create.c. */
#ifndef P2P_COMM_H
#define P2P_COMM_H

#include <stdbool.h>
#include <stdint.h>

#include "mrt_lib.h"
#include "p2p/context.h"
#include "runtime/base/list.h"

struct coll_comm; /* coll/'s state per communicator */

struct mrt_comm {
	uint64_t magic;	   /* COMM_MAGIC while alive */
	int rank;	   /* the caller's rank */
	int size;	   /* of the group that messages go to */
	int refs;	   /* references: the handle, requests */
	uint32_t context;  /* of the user's messages; see context.h */
	int *world;	   /* [size] world rank of each; NULL: identity */
	int *sorted;	   /* [size] comm ranks by world rank; NULL: identity */
	bool one_node;	   /* all ranks on the caller's node */
	bool owns_id;	   /* frees its id when destroyed */
	bool hidden;	   /* a window's, not the user's */
	uint32_t coll_seq; /* collectives started: their tags */
	uint32_t init_seq; /* persistent collectives made */
	struct coll_comm *coll;
	void *data; /* the user's */
	/* size of the caller's group, which differs from size only in an
	 * intercommunicator */
	int own_size;
	struct comm_inter *inter; /* NULL unless an intercommunicator */
	struct mrt_comm *outer;	  /* see struct comm_inter */
	/* its own buffer of buffered sends (bsend.c), and the one that serves
	 * while none is attached to it, or NULL */
	struct mrt_buffer buffer;
	struct mrt_buffer *shared;
	struct list link; /* in the list that comm_fini frees */
};
#define COMM_MAGIC 0x6d72742d636f6d6dull
#define COMM_UNNAMED 0x6d72742d6e6f6964ull /* under construction */
#define COMM_FREED 0x6d72742d66726565ull   /* by this rank, not yet by all */

/*
 * The additional state of an intercommunicator. Its size, world and sorted
 * describe the remote group, since its messages go there and come from there.
 * Its collectives run on `merged`, a communicator of both groups that the user
 * does not see. While the intercommunicator lives, merged->outer points to it.
 * The two share an id, so that the intercommunicator's collective context is
 * that of merged.
 */
struct comm_inter {
	struct mrt_comm *merged; /* holds a reference */
	int own, other; /* first rank of each group in merged; one is 0 */
	int peers[];	/* [size] the remote group's ranks in merged */
};

/* The size of the group that comes first in merged. */
static inline int comm_low(const struct mrt_comm *inter)
{
	return inter->inter->own ? inter->inter->own : inter->inter->other;
}

extern struct mrt_comm comm_world, comm_self;

/* Creates MRT_COMM_WORLD and MRT_COMM_SELF. At finalize, comm_fini frees all
 * communicators that are left. */
int comm_init(void);
void comm_fini(void);

/* The number of communicators that the user has made and not freed. */
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

/* Reports an invalid communicator handle: returns MRT_ERR_COMM (proc_fail). */
int comm_unknown(const struct mrt_comm *handle);

/* The slow part of comm_result. */
int comm_failed(struct mrt_comm *handle, const char *call, int code);
/* Like proc_result, for a call on the communicator `handle`, which
 * mrt_error_comm then returns if it is valid. */
static inline int comm_result(struct mrt_comm *handle, const char *call,
			      int code)
{
	return __builtin_expect(code == 0, 1) ? 0
					      : comm_failed(handle, call, code);
}

/* The handle of a communicator that comm_get returned. */
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

/* World rank of rank r in the caller's own group; comm_own_rank_of is the
 * inverse, -1 if the world rank is not in that group. */
static inline int comm_own_world_rank(const struct mrt_comm *comm, int r)
{
	const struct comm_inter *i = comm->inter;

	return i ? comm_world_rank(i->merged, i->own + r)
		 : comm_world_rank(comm, r);
}
int comm_own_rank_of(const struct mrt_comm *comm, int world);

/*
 * Creates a communicator of world[size] (copied; NULL: the first ranks of the
 * world) in which the caller has `rank`. id (0..COMM_MAX-1) must be agreed on
 * by all ranks and becomes taken; with -1, comm_take_id sets it later. Returns
 * NULL if out of memory.
 */
struct mrt_comm *comm_create(const int *world, int size, int rank, int id);
void comm_take_id(struct mrt_comm *comm, int id);
/* Creates the intercommunicator between the first `low` ranks of merged and the
 * others; takes over the caller's reference to merged. Returns NULL if out of
 * memory. */
struct mrt_comm *comm_create_inter(struct mrt_comm *merged, int low);
/*
 * comm_release drops one reference, once for comm_create and once for each
 * comm_hold; the last one frees the communicator (comm_destroy) and its id.
 * NULL is fine. A request holds its communicator, so the user may free it while
 * the request is active.
 */
void comm_destroy(struct mrt_comm *comm);
static inline void comm_release(struct mrt_comm *comm)
{
	if (comm && !--comm->refs)
		comm_destroy(comm);
}
static inline void comm_hold(struct mrt_comm *comm)
{
	comm->refs++;
}

/* The context ids in use, one bit each: [COMM_MAX / 64]. */
extern uint64_t comm_ids[COMM_MAX / 64];
/* The ids of communicators that are gone stay in use for a while, so that a
 * message that comes late is not taken for one of a new communicator. */
bool comm_has_retired(void);
void comm_free_retired(void);
#endif
