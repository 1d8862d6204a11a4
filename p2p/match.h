/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match.h: who gets which message: posted receives and unexpected messages,
 * matched by (context, source, tag) in MPI order. Knows no fabric.
 *
 * Both are hashed by the triple. Receives with a wildcard are in a list of
 * their own and compete by posting order; a search with a wildcard walks the
 * unexpected messages in order of arrival.
 */
#ifndef P2P_MATCH_H
#define P2P_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "p2p/request.h"

/* A message that came before its receive. */
struct unexpected {
	struct list hash_link, order_link;
	uint32_t context;
	int source, tag;
	uint32_t kind; /* enum wire_kind */
	size_t len;    /* of data */
	size_t bytes;  /* of the message, as a probe tells */
	char data[];
};

void match_init(void);
/* Frees all unexpected messages. */
void match_fini(void);

/* How many receives are posted, and messages kept. */
struct match_load {
	uint32_t posted, kept;
};
extern struct match_load match_load;

/* Messages of users, not of collectives, that are kept. */
size_t match_kept(void);

/* Adds a receive to the posted queue. */
void match_post(struct mrt_request *req);
/* One without wildcards. */
void match_post_exact(struct mrt_request *req);
/* Takes it back. */
void match_withdraw(struct mrt_request *req);
/* Takes out the receive that an arriving message belongs to, or NULL. */
struct mrt_request *match_arrived(uint32_t context, int source, int tag);

/* Copies a message into the unexpected queue. NULL: no memory. */
struct unexpected *match_keep(const struct unexpected *head, const void *data);
/* The oldest message that a receive would get, or NULL; it stays. */
struct unexpected *match_find(uint32_t context, int source, int tag);
/* Takes it out; match_discard frees it. */
void match_take(struct unexpected *u);
void match_discard(struct unexpected *u);
#endif
