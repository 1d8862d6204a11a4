/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match.h: message matching: posted receives and unexpected messages, matched
 * by (context, source, tag) in MPI order. Independent of any fabric.
 *
 * Both queues are hashed by the triple. Receives with a wildcard are in a list
 * of their own and compete by posting order; a search with a wildcard walks the
 * unexpected messages in order of arrival.
 */
#ifndef P2P_MATCH_H
#define P2P_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "p2p/request.h"

/* A message that arrived before its receive was posted. */
struct unexpected {
	struct list hash_link, order_link;
	uint32_t context;
	int source, tag;
	uint32_t kind; /* enum wire_kind */
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

/* The number of unexpected messages that are users', not collectives'. */
size_t match_kept(void);

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
 * NULL. It stays in the queue. Walks all messages. */
struct unexpected *match_find_id(int source, uint32_t id);
/* Removes a message from the queue; match_discard frees it. */
void match_take(struct unexpected *u);
void match_discard(struct unexpected *u);
#endif
