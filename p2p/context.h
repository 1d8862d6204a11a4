/* SPDX-License-Identifier: Apache-2.0 */
/*
 * context.h: all contexts of messages. A context is a field of the wire format
 * (wire.h): a receive matches only messages of its context, so each kind of
 * message that must not meet another has a context of its own.
 */
#ifndef P2P_CONTEXT_H
#define P2P_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

enum {
	COMM_MAX = 1 << 15, /* ids of communicators */
	CONTEXT_BITS = 24   /* on the wire */
};

/*
 * The context of a user's messages on a communicator is twice the
 * communicator's id. Of the bits below, the first five and the last are added
 * to such a context; the others are used alone.
 */
enum {
	/* messages of the communicator's collectives */
	CONTEXT_COLL = 1,
	/* of the leaders that make an intercommunicator; added to the peer
	 * communicator's context */
	CONTEXT_LEADERS = 1 << 16,
	/* in the new intercommunicator until it has an id; added to the peer
	 * communicator's context */
	CONTEXT_BEFORE_ID = 1 << 17,
	/* of mrt_comm_create_group; added to the parent's context */
	CONTEXT_GROUP = 1 << 18,
	/* descriptions of calls (MRT_CHECK) */
	CONTEXT_CHECK = 1 << 19,
	/* counters of all ranks at the end (MRT_STATS) */
	CONTEXT_STATS = 1 << 20,
	/* the barriers of mrt_finalize */
	CONTEXT_END = 1 << 21,
	/* partitioned communication: what one side offers, and, together with
	 * CONTEXT_COLL, the partitions; added to the communicator's context */
	CONTEXT_PARTITIONED = 1 << 22
};

enum {
	CONTEXT_USER = 2 * (COMM_MAX - 1), /* all bits of users' contexts */
	CONTEXT_ALL = CONTEXT_USER | CONTEXT_COLL | CONTEXT_LEADERS |
		      CONTEXT_BEFORE_ID | CONTEXT_GROUP | CONTEXT_CHECK |
		      CONTEXT_STATS | CONTEXT_END | CONTEXT_PARTITIONED
};
_Static_assert(CONTEXT_ALL == CONTEXT_USER + CONTEXT_COLL + CONTEXT_LEADERS +
				  CONTEXT_BEFORE_ID + CONTEXT_GROUP +
				  CONTEXT_CHECK + CONTEXT_STATS + CONTEXT_END +
				  CONTEXT_PARTITIONED,
	       "no two kinds of messages share a bit");
_Static_assert(CONTEXT_ALL < 1 << CONTEXT_BITS, "contexts fit the wire");

static inline uint32_t context_of_id(int id)
{
	return (uint32_t)id * 2;
}

/* The id of the communicator of a context of any kind. */
static inline uint32_t context_id(uint32_t context)
{
	return (context & CONTEXT_USER) / 2;
}

/* Whether a context is libmrt's own. The receiver of such a message must be
 * told if it cannot be sent. A user learns it from the send that fails, and may
 * repeat it. */
static inline bool context_is_internal(uint32_t context)
{
	return context & ~(uint32_t)CONTEXT_USER;
}
#endif
