/* SPDX-License-Identifier: Apache-2.0 */
/*
 * context.h: the contexts of messages, all of them. A context is a field of the
 * wire format (wire.h): only a receive of the same context matches a message,
 * so each kind of message that must not meet another has a context of its own.
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
 * The context of a communicator, for messages of its user, is twice its id. Of
 * the bits below, the first five are added to such a context, and the others
 * stand alone.
 */
enum {
	/* messages of the communicator's collectives */
	CONTEXT_COLL = 1,
	/* of the leaders that make an intercommunicator; the peer's context */
	CONTEXT_LEADERS = 1 << 16,
	/* in that communicator, until it has an id; the peer's context */
	CONTEXT_BEFORE_ID = 1 << 17,
	/* of mrt_comm_create_group; the parent's context */
	CONTEXT_GROUP = 1 << 18,
	/* statements about collectives (MRT_CHECK) */
	CONTEXT_CHECK = 1 << 19,
	/* counters of all ranks at the end (MRT_STATS) */
	CONTEXT_STATS = 1 << 20,
	/* the meetings of mrt_finalize */
	CONTEXT_END = 1 << 21
};

enum {
	CONTEXT_USER = 2 * (COMM_MAX - 1), /* the bits of a user's context */
	CONTEXT_ALL = CONTEXT_USER | CONTEXT_COLL | CONTEXT_LEADERS |
		      CONTEXT_BEFORE_ID | CONTEXT_GROUP | CONTEXT_CHECK |
		      CONTEXT_STATS | CONTEXT_END
};
_Static_assert(CONTEXT_ALL == CONTEXT_USER + CONTEXT_COLL + CONTEXT_LEADERS +
				  CONTEXT_BEFORE_ID + CONTEXT_GROUP +
				  CONTEXT_CHECK + CONTEXT_STATS + CONTEXT_END,
	       "no two kinds of messages share a bit");
_Static_assert(CONTEXT_ALL < 1 << CONTEXT_BITS, "contexts fit the wire");

static inline uint32_t context_of_id(int id)
{
	return (uint32_t)id * 2;
}

/* The id of the communicator of a context, whatever the kind of message. */
static inline uint32_t context_id(uint32_t context)
{
	return (context & CONTEXT_USER) / 2;
}

/* Messages of libmrt's own: whoever waits for one must hear that it does not
 * come. A user is told by the send that fails, and may repeat it. */
static inline bool context_is_internal(uint32_t context)
{
	return context & ~(uint32_t)CONTEXT_USER;
}
#endif
