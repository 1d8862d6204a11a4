/* SPDX-License-Identifier: Apache-2.0 */
/* comm_create.h: parts of making communicators, for coll/ alone. All are
 * collective over their communicator but for comm_choose. */
#ifndef COLL_COMM_CREATE_H
#define COLL_COMM_CREATE_H

#include <stdint.h>

#include <stdbool.h>

#include "p2p/comm.h"
#include "runtime/base/pool.h"

/*
 * A part of making a communicator, among so many ranks, has failed here, and
 * maybe not elsewhere: the others are in the next part, and would wait. So an
 * error becomes a fault. Returns it; 0: nothing.
 */
int comm_broken(int size, int error);

/* An id that is free on all ranks. Taken on return, so that no other thread
 * offers it; comm_create takes it once more, which does nothing. */
int comm_new_id(struct mrt_comm *comm, int *id);

/*
 * A communicator of world[size] without an id, and its state of collectives;
 * local. NULL: no memory. comm_discard undoes it; NULL is fine.
 */
struct mrt_comm *comm_prepare(const int *world, int size, int rank);
void comm_discard(struct mrt_comm *comm);
/* The same for an intercommunicator between the first `low` of these ranks and
 * the others: its hidden one. */
struct mrt_comm *comm_prepare_inter(const int *world, int size, int rank,
				    int low);
/* What the user gets. */
static inline struct mrt_comm *comm_visible(struct mrt_comm *comm)
{
	return comm && comm->outer ? comm->outer : comm;
}
/* Requests of mrt_comm_idup (leftovers.c). */
extern struct pool comm_idup_pool;

/* With its id, collective over it. Takes it over. NULL: gives the id back, and
 * *newcomm is MRT_COMM_NULL. */
int comm_finish(struct mrt_comm *comm, int id, struct mrt_comm **newcomm);

/* With a fresh id; NULL: the caller is in none, if size is 0, else it had no
 * memory. Errors of one rank become errors of all ranks of `parent`. */
int comm_make_prepared(struct mrt_comm *parent, struct mrt_comm *comm, int size,
		       struct mrt_comm **newcomm);
/* Both for the communicator of world[size]. */
int comm_make(struct mrt_comm *parent, const int *world, int size, int rank,
	      struct mrt_comm **newcomm);

/* mrt_comm_split and mrt_comm_idup, their arguments checked. */
int comm_split(struct mrt_comm *comm, int color, int key,
	       struct mrt_comm **newcomm);
int comm_idup(struct mrt_comm *comm, struct mrt_comm **newcomm,
	      struct mrt_request **request);

/* Everybody's colour and key: table[comm->size]. */
int comm_exchange_keys(struct mrt_comm *comm, int color, int key,
		       uint64_t *table);

/* A rank's entry there. */
struct member {
	int32_t color, key;
	int rank; /* in the old communicator */
};

/* Picks those of ranks first .. end - 1 that have this colour, in the order of
 * the new communicator; how many there are. */
int comm_choose(const uint64_t *table, int first, int end, int color,
		struct member *members);
/* Are there communicators that other ranks have not freed yet? */
bool comm_parting(void);
#endif
