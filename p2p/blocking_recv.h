/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blocking_recv.h: the fast path of blocking receives. If the queues are empty,
 * a blocking receive from one rank with one tag stays out of them: it is older
 * than any receive that could be posted later, so each arriving message is
 * compared with it first, by two words, and copied straight into the user's
 * buffer.
 */
#ifndef P2P_BLOCKING_RECV_H
#define P2P_BLOCKING_RECV_H

#include <stdbool.h>
#include <string.h>

#include "p2p/counts.h"
#include "p2p/p2p.h"
#include "runtime/base/copy.h"

extern struct blocking_recv blocking_recv_none;
extern struct blocking_recv
    *blocking_recv; /* the waiting receive, or &blocking_recv_none */

/* Whether an eager message is for the waiting receive. No message has the
 * header of blocking_recv_none. */
static inline bool blocking_recv_is(int peer, uint64_t hdr)
{
	return blocking_recv->hdr == hdr && blocking_recv->peer == peer;
}

/* Completes the waiting receive with its eager message. */
static inline void blocking_recv_take(const void *data, size_t len)
{
	struct blocking_recv *r = blocking_recv;

	count_received(len);
	blocking_recv = &blocking_recv_none;
	r->arrived = true;
	r->bytes = len;
	if (len == 8 && r->capacity >= 8)
		memcpy(r->buf, data, 8); /* a store, not a call */
	else if (len)
		copy_bytes(r->buf, data, len < r->capacity ? len : r->capacity);
}

/*
 * For a message that takes more than a copy: if it matches the waiting receive,
 * makes a request of that receive and returns it, as match_arrived would; else
 * NULL.
 */
struct mrt_request *blocking_recv_promote(int peer, uint64_t hdr);
#endif
