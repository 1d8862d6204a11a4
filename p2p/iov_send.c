/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iov_send.c: sends one message of many pieces. A short one is gathered by the
 * fabric's send. A long one is gathered by the fabric while it is written
 * (rendezvous_write.c) if its pieces are large, since each piece costs the
 * fabric more than the CPU; otherwise it is packed here and read from there
 * (rendezvous.c). MRT_GATHER_MIN is the bound; docs/performance.md has the
 * figures.
 */
#include <stdlib.h>

#include "p2p/p2p.h"
#include "p2p/protocol.h"
#include "runtime/base/copy.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/engine/proc.h"

static size_t gather_min;

void p2p_set_gather_min(size_t bytes)
{
	gather_min = bytes;
}

size_t p2p_gather_min(void)
{
	return gather_min;
}

/* Completes a request that owns the memory at buf. */
static void iov_send_done(struct mrt_request *req)
{
	iov_send_release(req);
	req->done = req->then;
	if (req->done)
		req->done(req);
}

void iov_send_release(struct mrt_request *req)
{
	if (req->done != iov_send_done)
		return;
	free(req->buf);
	req->buf = NULL;
}

/* The sum of a list of pieces. */
struct sum {
	size_t bytes;
	int pieces; /* not counting empty ones */
	void *last; /* the last such piece */
};

static struct sum add_up(const struct iovec *iov, int n)
{
	struct sum sum = {0, 0, NULL};

	for (int i = 0; i < n; i++) {
		if (!iov[i].iov_len)
			continue;
		sum.bytes += iov[i].iov_len;
		sum.pieces++;
		sum.last = iov[i].iov_base;
	}
	return sum;
}

static struct iovec *list_pieces(const struct iovec *iov, struct sum sum)
{
	struct iovec *list = malloc((size_t)sum.pieces * sizeof(*list));

	for (int i = 0; list && i < sum.pieces; iov++)
		if (iov->iov_len)
			list[i++] = *iov;
	return list;
}

static void *iov_send_pack(const struct iovec *iov, struct sum sum)
{
	char *packed = malloc(sum.bytes), *to = packed;

	for (int i = 0; packed && i < sum.pieces; iov++) {
		if (!iov->iov_len)
			continue;
		copy_bytes(to, iov->iov_base, iov->iov_len);
		to += iov->iov_len;
		i++;
	}
	return packed;
}

static void iov_send_own(struct mrt_request *req)
{
	req->then = req->done;
	req->done = iov_send_done;
}

void p2p_isend_own(struct mrt_request *req, void *memory, size_t bytes,
		   int peer, int tag, uint32_t context)
{
	iov_send_own(req);
	p2p_isend(req, memory, bytes, peer, tag, context);
}

/* Sends with memory owned by the request: a copy of the list, or of the
 * message. */
static void send_own(struct mrt_request *req, const struct iovec *iov,
		     struct sum sum, int peer)
{
	const struct fab_ep *ep = proc_ep(peer);
	bool push = ep->ops->writev && sum.bytes > ep->eager_max &&
		    sum.bytes / (size_t)sum.pieces >= gather_min;
	void *copy =
	    push ? (void *)list_pieces(iov, sum) : iov_send_pack(iov, sum);

	if (!copy) {
		req->peer = peer;
		p2p_fail_send(req,
			      log_error(MRT_ERR_NO_MEM,
					"message of %zu bytes in %d pieces",
					sum.bytes, sum.pieces));
		return;
	}
	if (!push) {
		p2p_isend_own(req, copy, sum.bytes, peer, req->tag,
			      req->context);
		return;
	}
	iov_send_own(req);
	req->buf = copy;
	req->bytes = sum.bytes;
	req->iovcnt = sum.pieces;
	req->peer = peer;
	req->stage = STAGE_PUSH;
	if (request_take_id(req))
		p2p_fail_send(req, MRT_ERR_NO_MEM);
	else
		p2p_transmit(req);
}

void p2p_isendv(struct mrt_request *req, const struct iovec *iov, int n,
		int peer, int tag, uint32_t context)
{
	struct sum sum = add_up(iov, n);
	int rc = ERR_AGAIN;

	if (sum.pieces <= 1) {
		p2p_isend(req, sum.last, sum.bytes, peer, tag, context);
		return;
	}
	if (sum.bytes <= proc_ep(peer)->eager_max && !req->sync && !env.check)
		rc = p2p_send_now(peer, wire_pack(WIRE_EAGER, context, tag),
				  iov, n, sum.bytes);
	if (rc != ERR_AGAIN) {
		request_complete(req, rc);
		return;
	}
	req->tag = tag;
	req->context = context;
	send_own(req, iov, sum, peer);
}
