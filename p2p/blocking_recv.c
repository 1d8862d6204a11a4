/* SPDX-License-Identifier: Apache-2.0 */
/* blocking_recv.c: blocking receives. */
#include "p2p/blocking_recv.h"

#include <stdio.h>

#include "p2p/describe.h"
#include "p2p/match.h"
#include "p2p/wire.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/wait.h"

enum {
	TAKES = 8, /* attempts at one peer per round of progress */
	RECVS = 32 /* receives per round of progress, at most */
};

static unsigned taken;
struct blocking_recv blocking_recv_none = {.hdr = UINT64_MAX, .peer = -1};
struct blocking_recv *blocking_recv = &blocking_recv_none;

static int blocking_recv_end(struct blocking_recv *r, struct mrt_request *req)
{
	int rc = p2p_wait(req);

	r->arrived = req->complete;
	if (req->complete)
		r->bytes = req->status.bytes;
	return rc;
}

static __attribute__((noinline)) int by_request(struct blocking_recv *r)
{
	struct mrt_request req;

	request_prepare(&req, REQ_RECV);
	p2p_irecv(&req, r->buf, r->capacity, r->peer, wire_tag(r->hdr),
		  wire_context(r->hdr));
	return blocking_recv_end(r, &req);
}

struct mrt_request *blocking_recv_promote(int peer, uint64_t hdr)
{
	struct blocking_recv *r = blocking_recv;
	struct mrt_request *req = r->req;

	if (peer != r->peer || wire_tag(hdr) != wire_tag(r->hdr) ||
	    wire_context(hdr) != wire_context(r->hdr))
		return NULL;
	blocking_recv = &blocking_recv_none;
	request_prepare(req, REQ_RECV);
	req->buf = r->buf;
	req->bytes = r->capacity;
	req->peer = peer;
	req->tag = wire_tag(hdr);
	req->context = wire_context(hdr);
	return req;
}

/* Tries to take the message directly, if it is the next one from its peer. */
static inline bool take_blocking_recv(struct blocking_recv *r)
{
	struct fab_ep *ep = proc.eps[r->peer];
	ssize_t len;

	if (!ep->ops->take)
		return false;
	len = ep->ops->take(ep, r->hdr, r->buf, r->capacity);
	if (len < 0)
		return false;
	count_received((size_t)len);
	r->arrived = true;
	r->bytes = (size_t)len;
	return true;
}

static int blocking_recv_describe(const struct wait *w, char *text, size_t len)
{
	const struct blocking_recv *r = w->what;
	int n = snprintf(text, len, "mrt_recv: ");

	describe_receive(r->peer, wire_tag(r->hdr), wire_context(r->hdr),
			 text + n, len - (size_t)n);
	return describe_needed(r->peer);
}

/* Waits: the message was not there at the first attempt. */
static __attribute__((noinline)) int wait_for(struct blocking_recv *r)
{
	WAIT(w, blocking_recv_describe, r);

	blocking_recv = r;
	while (blocking_recv == r) {
		int rc = wait_poll(&w);

		/* Check for a fault before taking the message: after one
		 * nothing moves any more, and a rank that always has messages
		 * at hand would never notice. */
		if (rc && blocking_recv == r) {
			blocking_recv = &blocking_recv_none;
			return rc;
		}
		for (int k = 0; k < TAKES && blocking_recv == r; k++)
			if (take_blocking_recv(r))
				blocking_recv = &blocking_recv_none;
	}
	return r->arrived ? 0 : blocking_recv_end(r, r->req);
}

int p2p_recv(struct blocking_recv *r)
{
	struct mrt_request storage; /* for blocking_recv_promote */
	int rc = 0;

	if (__builtin_expect(match_load.posted | match_load.kept, 0) ||
	    blocking_recv != &blocking_recv_none)
		return by_request(r);
	r->arrived = false;
	/* other peers must not starve if the message is always there */
	if (++taken % RECVS == 0 || !take_blocking_recv(r)) {
		r->req = &storage;
		rc = wait_for(r);
	}
	if (__builtin_expect(!rc && r->bytes > r->capacity, 0))
		rc = MRT_ERR_TRUNCATE;
	return rc;
}
