/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_started.h: nonblocking and persistent collectives of short vectors
 * inside a node, through lines of shared memory in which no rank waits. Several
 * may be under way at once and end in any order.
 *
 * The nonblocking calls of a communicator share lines. Ranks may start their
 * persistent calls in different orders, so each of these has lines of its own,
 * in which its uses follow one another.
 */
#ifndef COLL_DIRECT_STARTED_H
#define COLL_DIRECT_STARTED_H

#include "coll/node/direct.h"
#include "runtime/engine/wait.h"

/* `struct direct_lines` has lines and the calls that are under way in them. */
struct direct_lines;

/* `struct direct_started` is a call that starts once or, if it is persistent,
 * again and again. */
struct direct_started;

/* `struct direct_call` is a call whose arguments have been checked. */
struct direct_call {
	enum collective collective;
	int root;
	struct direct_reduce r; /* buffers, length, and what it reduces by */
	/* called when a use has ended at this rank, in progress or in the call
	 * that starts it */
	void (*done)(void *owner, int error);
	void *owner;
};

/* Tells whether a call goes the direct way if there are lines for it; d is that
 * of the communicator. The same on all ranks. */
bool direct_may_start(const struct mrt_comm *comm, const struct direct *d,
		      const struct direct_call *c);

/* `struct direct_lines_place` says where lines are. */
struct direct_lines_place {
	int32_t region;		  /* 0: nowhere */
	struct direct_place wide; /* of payloads that do not fit lines */
};
/* Finds a place for the lines of a persistent call, at rank 0, which tells all
 * ranks. */
struct direct_lines_place direct_lines_take(const struct mrt_comm *comm,
					    const struct direct_call *c);
/* Returns the lines at a place, or NULL, after a report, if there is no
 * memory or no such place. */
struct direct_lines *direct_lines_open(const struct mrt_comm *comm,
				       const struct direct_lines_place *place);
/* Gives the lines of a communicator's nonblocking calls room for payloads of up
 * to DIRECT_WIDE bytes if it has buffers. Returns 0 or MRT_ERR_NO_MEM. */
int direct_lines_widen(struct direct_lines *lines, const struct mrt_comm *comm,
		       struct direct *d);
/* Lets the lines keep the buffers of a communicator that goes, until they are
 * given back. */
void direct_lines_keep(struct direct_lines *lines, struct direct *d);
/* Closes lines, which go when the calls in them are over; rank 0 gives the
 * region back when other ranks have left it, too. Does nothing for NULL. */
void direct_lines_close(struct direct_lines *lines);
/* Frees what rank 0 still keeps for calls that other ranks had not ended. */
void direct_lines_fini(void);

/* Returns a call in these lines, or NULL, after a report, if there is no
 * memory. */
struct direct_started *direct_started_create(struct mrt_comm *comm,
					     struct direct_lines *lines,
					     const struct direct_call *c);
/* Starts the next use, after the end of the last. */
void direct_started_begin(struct direct_started *s);
/* Waits for a call under way, as a part of w, if only the lines of others are
 * missing. Returns 0 or a fault. */
int direct_started_await(struct direct_started *s, struct wait *w);
/* Returns the world rank that a call under way waits for. */
int direct_started_peer(const struct direct_started *s);
/* Frees a call that is not under way. Does nothing for NULL. */
void direct_started_destroy(struct direct_started *s);
#endif
