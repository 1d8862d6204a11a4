/* SPDX-License-Identifier: Apache-2.0 */
/*
 * eager.c: the eager protocol: a short message travels with its header, and is
 * buffered by the receiver if no receive is posted. It takes one message, and
 * an ACK if synchronous. A message for which the fabric has room is complete
 * once sent and needs no request.
 */
#include <string.h>

#include "p2p/p2p.h"
#include "p2p/protocol.h"
#include "p2p/types.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/engine/proc.h"

int eager_send(struct mrt_request *req)
{
	struct fab_ep *ep = proc.eps[req->peer];
	struct wire_sync sync = {req->id, 0};
	struct iovec iov[2] = {{&sync, sizeof(sync)}, {req->buf, req->bytes}};
	uint64_t hdr;

	if (req->sync) {
		hdr = wire_pack(WIRE_EAGER_SYNC, req->context, req->tag);
		return ep->ops->send(ep, hdr, iov, 2);
	}
	hdr = wire_pack(WIRE_EAGER, req->context, req->tag);
	return ep->ops->send(ep, hdr, &iov[1], 1);
}

void eager_receive_sync(struct mrt_request *req, int peer, uint64_t hdr,
			const void *data, size_t len)
{
	struct wire_sync from;

	memcpy(&from, data, sizeof(from));
	req->status.error =
	    eager_copy(req, peer, wire_tag(hdr),
		       (const char *)data + sizeof(from), len - sizeof(from));
	req->stage = STAGE_ACK;
	req->peer = peer;
	req->remote_id = from.id;
	p2p_transmit(req);
}

/* ---- without a request ---- */

static inline void eager_count(struct fab_ep *ep, size_t bytes)
{
	ep->sent.messages[WAY_EAGER]++;
	ep->sent.bytes[WAY_EAGER] += bytes;
}

int p2p_send_now(int peer, uint64_t hdr, const struct iovec *iov, int n,
		 size_t bytes)
{
	struct fab_ep *ep = proc_ep(peer);
	int rc = ERR_AGAIN;

	if (list_empty(&p2p_blocked))
		rc = ep->ops->send(ep, hdr, iov, n);
	if (!rc)
		eager_count(ep, bytes);
	return rc;
}

/* The arguments of an attempt to send an eager message. All are in memory, as
 * iov must be anyway, so that the fast path saves no registers. */
struct attempt {
	struct iovec iov;
	uint64_t hdr;
	int peer;
};

static __attribute__((noinline)) int refused(const struct attempt *a, int rc)
{
	struct fab_sent *sent = &proc.eps[a->peer]->sent;

	sent->messages[WAY_EAGER]--;
	sent->bytes[WAY_EAGER] -= a->iov.iov_len;
	return rc;
}

/* Returns 0, ERR_AGAIN or MRT_ERR_*. */
static inline int eager_attempt(struct attempt *a)
{
	struct fab_ep *ep = proc.eps[a->peer];
	int rc;

	if (a->iov.iov_len > ep->eager_max || !list_empty(&p2p_blocked))
		return ERR_AGAIN;
	/* counted before the send, so that ep need not be kept: every
	 * instruction counts */
	eager_count(ep, a->iov.iov_len);
	rc = ep->ops->send(ep, a->hdr, &a->iov, 1);
	return __builtin_expect(!rc, 1) ? 0 : refused(a, rc);
}

static __attribute__((noinline)) int by_request(const struct attempt *a)
{
	struct mrt_request req;

	request_prepare(&req, REQ_SEND);
	if (env.check) /* it is no user's */
		types_note_none(&req);
	p2p_isend(&req, a->iov.iov_base, a->iov.iov_len, a->peer,
		  wire_tag(a->hdr), wire_context(a->hdr));
	return p2p_wait(&req);
}

int p2p_send(const void *buf, size_t bytes, int peer, int tag, uint32_t context)
{
	struct attempt a = {{(void *)(uintptr_t)buf, bytes},
			    wire_pack(WIRE_EAGER, context, tag),
			    peer};

	/* after a failure a request retries, and handles errors */
	return __builtin_expect(!eager_attempt(&a), 1) ? 0 : by_request(&a);
}

int p2p_send_eager(const void *buf, size_t bytes, int peer, int tag,
		   uint32_t context)
{
	struct attempt a = {{(void *)(uintptr_t)buf, bytes},
			    wire_pack(WIRE_EAGER, context, tag),
			    peer};

	return eager_attempt(&a);
}
