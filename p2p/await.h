/* SPDX-License-Identifier: Apache-2.0 */
/*
 * await.h: the receive that its caller waits for. A blocking receive from one
 * rank with one tag does not go through the queues when they are empty: it is
 * then older than all that come later, so an arriving message is compared
 * with it first, by two words, and copied straight to where it belongs.
 */
#ifndef P2P_AWAIT_H
#define P2P_AWAIT_H

#include <stdbool.h>
#include <string.h>

#include "p2p/counts.h"
#include "p2p/p2p.h"

extern struct receipt await_nobody;
extern struct receipt *awaited; /* &await_nobody, or the one */

/* Whether an eager message is the one; what await_nobody has no message has. */
static inline bool await_is(int peer, uint64_t hdr)
{
	return awaited->hdr == hdr && awaited->peer == peer;
}

/* It has come. */
static inline void await_take(const void *data, size_t len)
{
	struct receipt *r = awaited;

	count_received(len);
	awaited = &await_nobody;
	r->arrived = true;
	r->bytes = len;
	if (len == 8 && r->room >= 8)
		memcpy(r->buf, data, 8); /* a store, not a call */
	else if (len)
		memcpy(r->buf, data, len < r->room ? len : r->room);
}

/*
 * A message that takes more than a copy: the request made of the awaited
 * receive, as match_arrived gives one, if that is the one; else NULL.
 */
struct mrt_request *await_promote(int peer, uint64_t hdr);
#endif
