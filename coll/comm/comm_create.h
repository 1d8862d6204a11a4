/* SPDX-License-Identifier: Apache-2.0 */
/* comm_create.h: the steps of creating a communicator, for coll/ alone. All
 * functions but those that are said to be local are collective over their
 * communicator. */
#ifndef COLL_COMM_CREATE_H
#define COLL_COMM_CREATE_H

#include <stdint.h>

#include <stdbool.h>

#include "p2p/comm.h"
#include "runtime/base/pool.h"

/* Turns an error of one rank into a fault: a step of creating a communicator of
 * `size` ranks has failed here but maybe not elsewhere, and the other ranks
 * would wait in the next step. Returns the error; does nothing for 0. */
int comm_broken(int size, int error);

/* Finds an id that is free on all ranks. It is taken on return, so that no
 * other thread offers it; that comm_create takes it once more does nothing. */
int comm_new_id(struct mrt_comm *comm, int *id);

/* Returns a communicator of world[size] without an id, with its state of
 * collectives; local. NULL: no memory. comm_discard, which accepts NULL,
 * destroys it. */
struct mrt_comm *comm_prepare(const int *world, int size, int rank);
void comm_discard(struct mrt_comm *comm);
/* Like comm_prepare, for an intercommunicator between the first `low` of these
 * ranks and the others: returns its hidden communicator. */
struct mrt_comm *comm_prepare_inter(const int *world, int size, int rank,
				    int low);
/* comm_prepare_copy prepares a communicator of the ranks of another one or, if
 * that is hidden, of its intercommunicator. */
struct mrt_comm *comm_prepare_copy(const struct mrt_comm *comm);
/* Returns the communicator behind a handle; NULL for none, and for a freed one
 * that requests hold. Local. */
static inline struct mrt_comm *comm_of(struct mrt_comm *handle)
{
	struct mrt_comm *comm = comm_get(handle);

	return comm && comm->coll ? comm : NULL;
}

/* Returns the communicator that the user gets. */
static inline struct mrt_comm *comm_visible(struct mrt_comm *comm)
{
	return comm && comm->outer ? comm->outer : comm;
}
/* Gives a communicator that is being made, or NULL, the shared buffer of what
 * it is made of. Local. */
static inline void comm_share(struct mrt_comm *comm, struct mrt_buffer *shared)
{
	if (comm)
		comm->shared = comm_visible(comm)->shared = shared;
}
/* Visits the blocks of all pools of public requests, used or free (pool_each).
 * Local. */
void comm_each_request(void (*visit)(void *block, void *context),
		       void *context);
/* Requests of mrt_comm_idup. */
extern struct pool comm_idup_pool;

/* Completes a prepared communicator, which it takes over, with its id;
 * collective over the new communicator. If comm is NULL it gives the id back
 * and sets *newcomm to MRT_COMM_NULL. */
int comm_finish(struct mrt_comm *comm, int id, struct mrt_comm **newcomm);

/* Completes a prepared communicator with a fresh id. comm is NULL if the caller
 * is in none (size is 0) or had no memory. Errors of one rank become errors of
 * all ranks of `parent`. */
int comm_make_prepared(struct mrt_comm *parent, struct mrt_comm *comm, int size,
		       struct mrt_comm **newcomm);
/* Prepares and completes the communicator of world[size]. */
int comm_make(struct mrt_comm *parent, const int *world, int size, int rank,
	      struct mrt_comm **newcomm);

/* mrt_comm_dup, mrt_comm_split and mrt_comm_idup with checked arguments. */
int comm_dup(struct mrt_comm *comm, struct mrt_comm **newcomm);
int comm_split(struct mrt_comm *comm, int color, int key,
	       struct mrt_comm **newcomm);
int comm_idup(struct mrt_comm *comm, struct mrt_comm **newcomm,
	      struct mrt_request **request);

/* Tells whether there are communicators that other ranks have not freed yet. */
bool comm_parting(void);
#endif
