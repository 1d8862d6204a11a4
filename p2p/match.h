/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match.h: message matching: posted receives and unexpected messages, matched
 * by (context, source, tag) in MPI order. Independent of any fabric.
 *
 * Both queues are hash tables. Posted receives are in one, with their wildcards
 * as parts of the key: a message looks for the four keys that it fits and takes
 * the receive that was posted first. Unexpected messages are in a table by all
 * three, and move into those by two and by one of them when a search with a
 * wildcard has passed a few in vain: what is received before that is never put
 * there. Tables grow with what is in them, so no search depends on it.
 */
#ifndef P2P_MATCH_H
#define P2P_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "p2p/request.h"

/* A message that arrived before its receive was posted. */
struct unexpected {
	struct list links[4];
	uint32_t context;
	int source, tag;
	uint16_t kind; /* enum wire_kind */
	bool indexed;  /* links[1] and [2] are used */
	size_t len;    /* of data */
	size_t bytes;  /* of the message, as a probe reports */
	char data[];
};

void match_init(void);
/* Frees all unexpected messages. */
void match_fini(void);

/* The number of posted receives and of unexpected messages. */
struct match_load {
	uint32_t posted, kept;
};
extern struct match_load match_load;

/* Messages of users that nobody receives: their number, and one as an example,
 * which the other members describe. */
struct strays {
	size_t n, bytes;
	int source, tag;
	uint32_t context;
};
/* Returns the messages of users in the unexpected queue. */
struct strays match_strays(void);
/* Logs a warning, which begins with `where`, unless n is 0. */
void match_report_strays(const struct strays *s, const char *where);

/* Adds a receive to the posted queue. */
void match_post(struct mrt_request *req);
/* Like match_post, for a receive without wildcards. */
void match_post_exact(struct mrt_request *req);
/* Removes a receive from the posted queue. */
void match_withdraw(struct mrt_request *req);
/* Removes and returns the receive that an arriving message matches, or NULL. */
struct mrt_request *match_arrived(uint32_t context, int source, int tag);

/* Copies a message into the unexpected queue. Returns NULL if out of memory. */
struct unexpected *match_keep(const struct unexpected *head, const void *data);
/* Returns the oldest message that such a receive matches, or NULL. The message
 * stays in the queue. */
struct unexpected *match_find(uint32_t context, int source, int tag);
/* Returns the message of the sender's request `id` that waits for an answer, or
 * NULL. It stays in the queue. Walks those with the same arguments. */
struct unexpected *match_find_id(int source, int tag, uint32_t context,
				 uint32_t id);
/* Discards the messages of a context that nobody will receive, but for those
 * that wait for an answer: their senders still use the context. Sets *strays to
 * those discarded. Returns whether none is left. */
bool match_forget(uint32_t context, struct strays *strays);
/* Removes a message from the queue; match_discard frees it. */
void match_take(struct unexpected *u);
void match_discard(struct unexpected *u);
#endif
