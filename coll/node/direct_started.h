/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_persistent.h: persistent collectives of short vectors inside a node,
 * through shared memory. Ranks may start their persistent calls in different
 * orders, so the epochs of the communicator's region would not agree; each call
 * has a region of its own, in which its uses follow one another.
 */
#ifndef COLL_DIRECT_PERSISTENT_H
#define COLL_DIRECT_PERSISTENT_H

#include "coll/node/direct.h"

struct direct_persistent;

/* A persistent call whose arguments have been checked. */
struct direct_call {
	enum collective collective;
	int root;
	struct direct_reduce r; /* buffers, length, and what it reduces by */
	/* called when a use has ended at this rank, in progress or in the call
	 * that starts it */
	void (*done)(void *owner, int error);
	void *owner;
};

/* Tells whether such calls have lines; the same on all ranks. */
bool direct_may_persist(const struct mrt_comm *comm, const struct direct *d,
			enum collective collective, size_t bytes);
/* Takes a region, at rank 0, which tells all ranks; 0: none is left. */
int32_t direct_persistent_take(const struct mrt_comm *comm,
			       enum collective collective);
/* Returns the call with its lines in the region, or NULL if there is no memory
 * or the region is none. */
struct direct_persistent *direct_persistent_create(struct mrt_comm *comm,
						   int32_t region,
						   const struct direct_call *c);
/* Starts the next use, after the end of the last. */
void direct_persistent_start(struct direct_persistent *p);
/* Returns the world rank that a call under way waits for. */
int direct_persistent_peer(const struct direct_persistent *p);
/* Frees a call that is not under way. Does nothing for NULL. */
void direct_persistent_destroy(struct direct_persistent *p);
/* Frees what rank 0 still keeps for calls that other ranks had not ended. */
void direct_persistent_fini(void);
#endif
