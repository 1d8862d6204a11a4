/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blocking_recv.h: the receive that its caller waits for. A blocking receive
 * from one rank with one tag does not go through the queues when they are
 * empty: it is then older than all that come later, so an arriving message is
 * compared with it first, by two words, and copied straight to where it
 * belongs.
 */
#ifndef P2P_BLOCKING_RECV_H
#define P2P_BLOCKING_RECV_H

#include <stdbool.h>
#include <string.h>

#include "p2p/counts.h"
#include "p2p/p2p.h"

extern struct receipt blocking_recv_none;
extern struct receipt *blocking_recv; /* &blocking_recv_none, or the one */

/* Whether an eager message is the one; what blocking_recv_none has no message
 * has. */
static inline bool blocking_recv_is(int peer, uint64_t hdr)
{
	return blocking_recv->hdr == hdr && blocking_recv->peer == peer;
}

/* It has come. */
static inline void blocking_recv_take(const void *data, size_t len)
{
	struct receipt *r = blocking_recv;

	count_received(len);
	blocking_recv = &blocking_recv_none;
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
struct mrt_request *blocking_recv_promote(int peer, uint64_t hdr);
#endif
