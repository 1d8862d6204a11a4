/* SPDX-License-Identifier: Apache-2.0 */
/*
 * p2p.c: starts sends and receives, holds back what a peer has no room for,
 * and hands what arrives to its protocol.
 */
#include "p2p/p2p.h"

#include <stdlib.h>
#include <string.h>

#include "p2p/await.h"
#include "p2p/counts.h"
#include "p2p/describe.h"
#include "p2p/protocol.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/proc.h"
#include "runtime/progress.h"
#include "runtime/wait.h"

/* Per peer: requests held back, oldest first; order per peer is a promise. */
struct outbox {
	struct list queue;
	struct list link; /* in p2p_blocked while the queue is not empty */
};

static struct outbox *outboxes; /* [job.size] */
struct list p2p_blocked = LIST_INIT(p2p_blocked);

/* ---- sending, stage by stage ---- */

static int send_ack(struct mrt_request *req)
{
	return p2p_send_end(req, WIRE_ACK);
}

static int send_fin(struct mrt_request *req)
{
	return p2p_send_end(req, WIRE_FIN);
}

int p2p_send_end(struct mrt_request *req, enum wire_kind kind)
{
	struct fab_ep *ep = proc.eps[req->peer];
	/* a truncated message has done its part for the sender */
	int error = req->status.error == MRT_ERR_TRUNCATE ? 0
							  : req->status.error;
	struct wire_end end = {req->remote_id, error};
	struct iovec iov = {&end, sizeof(end)};

	return ep->ops->send(ep, wire_pack(kind, req->context, 0), &iov, 1);
}

static const struct stage_row {
	int (*send)(struct mrt_request *req);
	bool last;    /* the request is complete when it is sent */
	bool message; /* the request is a message of the user's */
} stages[] = {
    [STAGE_EAGER] = {eager_send, true, true}, /* unless synchronous */
    [STAGE_RTS] = {rendezvous_send_rts, false, true},
    [STAGE_PUSH] = {push_send_rts, false, true},
    [STAGE_WRITE] = {push_write, false, false},
    [STAGE_READ] = {rendezvous_read, false, false},
    [STAGE_CTS] = {push_send_cts, false, false},
    [STAGE_ACK] = {send_ack, true, false},
    [STAGE_FIN] = {send_fin, true, false},
};

static void count_sent(const struct mrt_request *req)
{
	struct fab_sent *sent = &proc.eps[req->peer]->sent;
	enum fab_way way = req->stage == STAGE_RTS    ? WAY_RENDEZVOUS
			   : req->stage == STAGE_PUSH ? WAY_PUSH
			   : req->sync		      ? WAY_SYNC
						      : WAY_EAGER;

	sent->messages[way]++;
	sent->bytes[way] += req->bytes;
}

/* Sends what the stage says. Returns ERR_AGAIN when it is held back; else the
 * request has gone on, or failed and completed. */
static int advance(struct mrt_request *req)
{
	const struct stage_row *stage = &stages[req->stage];
	int rc = stage->send(req);

	if (rc == ERR_AGAIN)
		return rc;
	if (!rc && stage->message)
		count_sent(req);
	if (rc) {
		request_forget(req);
		request_complete(req, rc);
	} else if (stage->last && !req->sync) {
		request_complete(req, req->status.error);
	}
	return 0;
}

static int retry(struct progress_hook *hook);
static struct progress_hook retry_hook = {.poll = retry};

/* Sends what is held back for one peer until it is again. */
static int flush(struct outbox *out)
{
	int n = 0;

	while (!list_empty(&out->queue)) {
		struct mrt_request *req = list_entry(out->queue.next,
						     struct mrt_request, link);

		list_remove(&req->link);
		req->queued = false;
		if (advance(req) == ERR_AGAIN) {
			/* back to the front */
			list_append(out->queue.next, &req->link);
			req->queued = true;
			break;
		}
		n++;
	}
	if (list_empty(&out->queue))
		list_remove(&out->link);
	return n;
}

static int retry(struct progress_hook *hook)
{
	int n = 0;

	list_for_each_safe(it, &p2p_blocked)
		n += flush(list_entry(it, struct outbox, link));
	if (list_empty(&p2p_blocked))
		progress_remove(&retry_hook);
	return n;
}

static void hold_back(struct mrt_request *req)
{
	struct outbox *out = &outboxes[req->peer];

	p2p_counts.held_back++;
	if (list_empty(&p2p_blocked))
		progress_add(&retry_hook);
	if (list_empty(&out->link))
		list_append(&p2p_blocked, &out->link);
	list_append(&out->queue, &req->link);
	req->queued = true;
}

void p2p_transmit(struct mrt_request *req)
{
	if (!list_empty(&outboxes[req->peer].queue) ||
	    advance(req) == ERR_AGAIN)
		hold_back(req);
}

void p2p_isend(struct mrt_request *req, const void *buf, size_t bytes,
	       int peer, int tag, uint32_t context)
{
	const struct fab_ep *ep = proc.eps[peer];
	size_t most = req->sync && ep->send_max < ep->eager_max + 8
			  ? ep->send_max - sizeof(struct wire_sync)
			  : ep->eager_max;

	req->buf = (void *)(uintptr_t)buf;
	req->bytes = bytes;
	req->peer = peer;
	req->tag = tag;
	req->context = context;
	req->stage = bytes <= most ? STAGE_EAGER : STAGE_RTS;
	if ((req->sync || req->stage == STAGE_RTS) && request_name(req)) {
		request_complete(req, MRT_ERR_NO_MEM);
		return;
	}
	p2p_transmit(req);
}

/* ---- receiving ---- */

/* What the receiving part of each message kind does. */
static void receive(struct mrt_request *req, int peer, uint64_t hdr,
		    const void *data, size_t len)
{
	if (wire_kind(hdr) == WIRE_RTS)
		rendezvous_receive(req, peer, hdr, data, len);
	else if (wire_kind(hdr) == WIRE_EAGER_SYNC)
		eager_receive_sync(req, peer, hdr, data, len);
	else
		eager_take(req, peer, wire_tag(hdr), data, len);
}

/* A message that has been taken out of the queue. */
static void receive_kept(struct mrt_request *req, struct unexpected *u)
{
	receive(req, u->source, wire_pack(u->kind, u->context, u->tag),
		u->data, u->len);
	match_discard(u);
}

void p2p_irecv(struct mrt_request *req, void *buf, size_t bytes, int source,
	       int tag, uint32_t context)
{
	struct unexpected *u = match_load.kept
				   ? match_find(context, source, tag)
				   : NULL;

	req->buf = buf;
	req->bytes = bytes;
	req->peer = source;
	req->tag = tag;
	req->context = context;
	if (!u) {
		match_post(req);
		return;
	}
	match_take(u);
	receive_kept(req, u);
}

void p2p_irecv_taken(struct mrt_request *req, void *buf, size_t bytes,
		     struct unexpected *u)
{
	req->buf = buf;
	req->bytes = bytes;
	req->peer = u->source;
	req->tag = u->tag;
	req->context = u->context;
	receive_kept(req, u);
}

/* Length of the user's message, or -1 if the payload is too short for its
 * kind. */
static ssize_t message_bytes(uint64_t hdr, const void *data, size_t len)
{
	struct wire_rts rts;

	switch (wire_kind(hdr)) {
	case WIRE_EAGER:
		return (ssize_t)len;
	case WIRE_EAGER_SYNC:
		return (ssize_t)len - (ssize_t)sizeof(struct wire_sync);
	case WIRE_RTS:
		if (len != sizeof(rts))
			return -1;
		memcpy(&rts, data, sizeof(rts));
		return (ssize_t)rts.len;
	default:
		return -1;
	}
}

static void bad_message(int peer, uint64_t hdr, size_t len)
{
	log_line(LOG_ERROR, MRT_ERR_PROTOCOL,
		 "dropped a message of rank %d: kind %u, %zu bytes", peer,
		 wire_kind(hdr), len);
}

static __attribute__((noinline)) void
keep(int peer, uint64_t hdr, const void *data, size_t len, size_t bytes)
{
	struct unexpected head = {.context = wire_context(hdr),
				  .source = peer,
				  .tag = wire_tag(hdr),
				  .kind = wire_kind(hdr),
				  .len = len,
				  .bytes = bytes};

	p2p_counts.unexpected++;
	if (!match_keep(&head, data))
		/* the message is lost: going on would be a wrong answer */
		proc_result("receive", log_error(MRT_ERR_NO_MEM,
						 "no memory for an unexpected "
						 "message of %zu bytes from "
						 "rank %d", len, peer));
}

/* What a request waits for, having sent its stage. */
static bool awaits(const struct mrt_request *req, unsigned kind)
{
	if (req->queued)
		return false;
	if (req->stage == STAGE_EAGER)
		return kind == WIRE_ACK;
	return kind == WIRE_FIN &&
	       (req->stage == STAGE_RTS || req->stage == STAGE_PUSH ||
		req->stage == STAGE_CTS);
}

/* The waiting end of an ACK or FIN. */
static void take_end(int peer, uint64_t hdr, const void *data, size_t len)
{
	struct mrt_request *req;
	struct wire_end end;

	if (len != sizeof(end)) {
		bad_message(peer, hdr, len);
		return;
	}
	memcpy(&end, data, sizeof(end));
	req = request_by_id(end.id, peer);
	if (!req || !awaits(req, wire_kind(hdr))) {
		bad_message(peer, hdr, len);
		return;
	}
	request_forget(req);
	rendezvous_release(req);
	request_complete(req, end.status ? end.status : req->status.error);
}

/* All but eager messages: checked before they are believed. */
static __attribute__((noinline)) void
deliver_unusual(int peer, uint64_t hdr, const void *data, size_t len)
{
	struct mrt_request *req;
	ssize_t bytes;

	if (wire_kind(hdr) == WIRE_ACK || wire_kind(hdr) == WIRE_FIN) {
		take_end(peer, hdr, data, len);
		return;
	}
	if (wire_kind(hdr) == WIRE_CTS) {
		if (!push_cleared(peer, data, len))
			bad_message(peer, hdr, len);
		return;
	}
	bytes = message_bytes(hdr, data, len);
	if (bytes < 0) {
		bad_message(peer, hdr, len);
		return;
	}
	count_received((size_t)bytes);
	req = await_promote(peer, hdr);
	if (!req)
		req = match_arrived(wire_context(hdr), peer, wire_tag(hdr));
	if (req)
		receive(req, peer, hdr, data, len);
	else
		keep(peer, hdr, data, len, (size_t)bytes);
}

void p2p_deliver(int peer, uint64_t hdr, const void *data, size_t len)
{
	struct mrt_request *req;

	if (await_is(peer, hdr)) {
		await_take(data, len);
		return;
	}
	if (__builtin_expect(wire_kind(hdr) != WIRE_EAGER, 0)) {
		deliver_unusual(peer, hdr, data, len);
		return;
	}
	count_received(len);
	req = match_arrived(wire_context(hdr), peer, wire_tag(hdr));
	if (__builtin_expect(req != NULL, 1))
		eager_take(req, peer, wire_tag(hdr), data, len);
	else
		keep(peer, hdr, data, len, len);
}

/* ---- waiting ---- */

void p2p_cancel(struct mrt_request *req)
{
	if (!req->posted)
		return;
	match_withdraw(req);
	req->status.source = MRT_ANY_SOURCE;
	req->status.tag = MRT_ANY_TAG;
	req->status.bytes = 0;
	req->status.cancelled = 1;
	request_complete(req, 0);
}

/* Nothing moves any more (progress.h), so being out of the queues is enough
 * for a request to go away. */
void p2p_abandon(struct mrt_request *req)
{
	if (req->posted)
		match_withdraw(req);
	if (req->queued)
		list_remove(&req->link);
	request_forget(req);
	rendezvous_release(req);
	gather_release(req);
	typed_release(req);
}

int p2p_wait(struct mrt_request *req)
{
	struct wait w = WAIT_FOR(describe_call, req);

	while (!req->complete) {
		int rc = wait_poll(&w);

		if (rc && !req->complete) {
			p2p_abandon(req);
			return rc;
		}
	}
	return req->status.error;
}

/* ---- start and end ---- */

int p2p_init(void)
{
	outboxes = malloc((size_t)proc.job.size * sizeof(*outboxes));
	if (!outboxes)
		return log_error(MRT_ERR_NO_MEM, "outboxes of %d peers",
				 proc.job.size);
	for (int r = 0; r < proc.job.size; r++) {
		list_init(&outboxes[r].queue);
		list_init(&outboxes[r].link);
	}
	p2p_set_gather_min(env.gather_min);
	requests_init();
	match_init();
	return 0;
}

void p2p_fini(void)
{
	match_fini();
	requests_fini();
	free(outboxes);
	outboxes = NULL;
}
