/* SPDX-License-Identifier: Apache-2.0 */
/* p2p.c: starts sends, holds back what a peer has no room for, and handles
 * failed sends. What arrives is in deliver.c. */
#include "p2p/p2p.h"

#include <stdlib.h>

#include "p2p/counts.h"
#include "p2p/describe.h"
#include "p2p/protocol.h"
#include "p2p/types.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/progress.h"
#include "runtime/engine/wait.h"

enum { TRIES = 16 }; /* peers without room that one poll tries again */

struct list p2p_blocked = LIST_INIT(p2p_blocked);

/* ---- sending, stage by stage; the connection has been made ---- */

static int send_ack(struct mrt_request *req)
{
	return p2p_send_end(req, WIRE_ACK);
}

static int send_fin(struct mrt_request *req)
{
	return p2p_send_end(req, WIRE_FIN);
}

static int send_withdraw(struct mrt_request *req)
{
	return p2p_send_end(req, WIRE_WITHDRAW);
}

static int send_gone(struct mrt_request *req)
{
	return p2p_send_end(req, WIRE_GONE);
}

static int send_failed(struct mrt_request *req)
{
	struct fab_ep *ep = proc.eps[req->peer];
	struct wire_end end = {0, req->status.error};
	struct iovec iov = {&end, sizeof(end)};

	return ep->ops->send(ep, wire_pack(WIRE_FAILED, req->context, req->tag),
			     &iov, 1);
}

int p2p_send_end(struct mrt_request *req, enum wire_kind kind)
{
	struct fab_ep *ep = proc.eps[req->peer];
	/* truncation is not an error for the sender */
	int error =
	    req->status.error == MRT_ERR_TRUNCATE ? 0 : req->status.error;
	struct wire_end end = {req->remote_id, error};
	struct iovec iov = {&end, sizeof(end)};

	return ep->ops->send(
	    ep,
	    wire_pack(kind, req->context, kind == WIRE_WITHDRAW ? req->tag : 0),
	    &iov, 1);
}

static struct stage_row {
	int (*send)(struct mrt_request *req);
	bool last;    /* complete once sent */
	bool message; /* sends a message of the user */
} stages[] = {
    [STAGE_EAGER] = {eager_send, true, true}, /* last unless synchronous */
    [STAGE_RTS] = {rendezvous_send_rts, false, true},
    [STAGE_PUSH] = {rendezvous_write_rts, false, true},
    [STAGE_WRITE] = {rendezvous_write_data, false, false},
    [STAGE_READ] = {rendezvous_read, false, false},
    [STAGE_CTS] = {rendezvous_write_cts, false, false},
    [STAGE_ACK] = {send_ack, true, false},
    [STAGE_FIN] = {send_fin, true, false},
    [STAGE_FAILED] = {send_failed, true, false},
    [STAGE_WITHDRAW] = {send_withdraw, true, false},
    [STAGE_GONE] = {send_gone, true, false},
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

static int p2p_advance(struct mrt_request *req);

/* Handles a stage that cannot be sent. If it is not the user's own message, the
 * peer would wait for ever: it is told, or the job ends. */
static __attribute__((noinline)) int fail(struct mrt_request *req, int error)
{
	request_drop_id(req);
	rendezvous_release(req);
	if (!stages[req->stage].message) {
		fault_raise_text(error, "rank %d cannot be answered: %s",
				 req->peer, error_text(error));
	} else if (context_is_internal(req->context)) {
		req->sync = false;
		req->status.error = error;
		req->stage = STAGE_FAILED;
		return p2p_advance(req);
	}
	request_complete(req, error);
	return error;
}

void p2p_send_fault(int error, int peer)
{
	fault_raise_text(error,
			 "a message to rank %d, which may wait for it, "
			 "cannot be sent: %s",
			 peer, error_text(error));
}

/* Sends what the stage says. Returns ERR_AGAIN if the request has to be held
 * back; else the request has advanced, or it has failed with the error returned
 * and is complete. */
static int p2p_advance(struct mrt_request *req)
{
	const struct stage_row *stage = &stages[req->stage];
	int rc = stage->send(req);

	if (rc == ERR_AGAIN)
		return rc;
	if (!rc && stage->message)
		count_sent(req);
	if (rc)
		return fail(req, rc);
	if (stage->last && !req->sync)
		request_complete(req, req->status.error);
	return 0;
}

static int p2p_retry(struct progress_hook *hook);
static struct progress_hook retry_hook = {.poll = p2p_retry};

/* Sends what is held back for one peer until the fabric has no more room. */
static int p2p_flush(struct fab_ep *ep)
{
	int n = 0;

	while (!list_empty(&ep->held)) {
		struct mrt_request *req =
		    list_entry(ep->held.next, struct mrt_request, link);
		int peer = req->peer, rc;

		list_remove(&req->link);
		req->queued = false;
		rc = p2p_advance(req);
		if (rc == ERR_AGAIN) {
			/* back to the front */
			list_append(ep->held.next, &req->link);
			req->queued = true;
			break;
		}
		/* the call that started it has returned success */
		if (rc)
			p2p_send_fault(rc, peer);
		n++;
	}
	if (list_empty(&ep->held))
		list_remove(&ep->blocked);
	return n;
}

/* Tries a few peers at each poll, in turn, so that a poll costs the same
 * however many peers have no room. */
static int p2p_retry(struct progress_hook *hook)
{
	int n = 0, left = progress_thorough ? proc.job.size : TRIES;
	const struct list *last = p2p_blocked.prev, *tried = NULL;

	while (left-- && tried != last && !list_empty(&p2p_blocked)) {
		struct fab_ep *ep =
		    list_entry(p2p_blocked.next, struct fab_ep, blocked);

		tried = &ep->blocked;
		n += p2p_flush(ep);
		if (!list_empty(&ep->held)) {
			list_remove(&ep->blocked);
			list_append(&p2p_blocked, &ep->blocked);
		}
	}
	if (list_empty(&p2p_blocked))
		progress_remove(&retry_hook);
	return n;
}

static void hold_back(struct mrt_request *req)
{
	struct fab_ep *ep = proc.eps[req->peer];

	p2p_counts.held_back++;
	if (list_empty(&p2p_blocked))
		progress_add(&retry_hook);
	if (list_empty(&ep->blocked))
		list_append(&p2p_blocked, &ep->blocked);
	list_append(&ep->held, &req->link);
	req->queued = true;
}

static inline void transmit_by(const struct fab_ep *ep, struct mrt_request *req)
{
	if (!list_empty(&ep->held) || p2p_advance(req) == ERR_AGAIN)
		hold_back(req);
}

void p2p_transmit(struct mrt_request *req)
{
	transmit_by(proc_ep(req->peer), req);
}

void p2p_isend(struct mrt_request *req, const void *buf, size_t bytes, int peer,
	       int tag, uint32_t context)
{
	const struct fab_ep *ep = proc_ep(peer);
	size_t most = req->sync && ep->send_max < ep->eager_max + 8
			  ? ep->send_max - sizeof(struct wire_sync)
			  : ep->eager_max;

	req->buf = (void *)(uintptr_t)buf;
	req->bytes = bytes;
	req->peer = peer;
	req->tag = tag;
	req->context = context;
	req->stage = bytes <= most ? STAGE_EAGER : STAGE_RTS;
	if ((req->sync || req->stage == STAGE_RTS) && request_take_id(req)) {
		p2p_fail_send(req, MRT_ERR_NO_MEM);
		return;
	}
	transmit_by(ep, req);
}

void p2p_isend_failed(struct mrt_request *req, int error, int peer, int tag,
		      uint32_t context)
{
	req->peer = peer;
	req->tag = tag;
	req->context = context;
	req->bytes = 0;
	req->status.error = error;
	req->stage = STAGE_FAILED;
	p2p_transmit(req);
}

void p2p_fail_send(struct mrt_request *req, int error)
{
	rendezvous_release(req);
	if (context_is_internal(req->context))
		p2p_isend_failed(req, error, req->peer, req->tag, req->context);
	else
		request_complete(req, error);
}

/* ---- waiting ---- */

/* After a fault nothing moves any more (progress.h), so a request may go away
 * once it is out of the queues. */
void p2p_abandon(struct mrt_request *req)
{
	if (req->posted)
		match_withdraw(req);
	if (req->queued)
		list_remove(&req->link);
	request_drop_id(req);
	rendezvous_release(req);
	iov_send_release(req);
	typed_release(req);
}

__attribute__((noinline)) int p2p_report(struct mrt_request *req)
{
	int error = req->status.error;
	bool sends = req->kind == REQ_SEND;

	if (types_report(req))
		return MRT_ERR_TYPE;

	/* the run has already reported wrong lengths and mismatched calls */
	if (req->kind == REQ_COLL &&
	    (error == MRT_ERR_ARG || error == MRT_ERR_TRUNCATE ||
	     error == MRT_ERR_COLLECTIVE))
		return error;
	if (req->kind == REQ_COLL)
		return proc_fail(error,
				 "a message between rank %d and this "
				 "rank %d failed, or one before it: %s",
				 req->peer, proc.job.rank, error_text(error));
	if (req->kind == REQ_PARTITIONED)
		return partitioned_report(req);
	return proc_fail(error, "%s of %zu bytes %s rank %d with tag %d: %s",
			 sends ? "send" : "receive", req->bytes,
			 sends ? "to" : "from",
			 sends ? req->peer : req->status.source,
			 sends ? req->tag : req->status.tag, error_text(error));
}

int p2p_wait(struct mrt_request *req)
{
	WAIT(w, describe_call, req);

	while (!req->complete) {
		int rc = wait_poll(&w);

		if (rc && !req->complete) {
			p2p_abandon(req);
			return rc;
		}
	}
	return __builtin_expect(req->status.error, 0) ? p2p_report(req) : 0;
}

/* ---- start and end ---- */

int p2p_init(void)
{
	stages[STAGE_EAGER].send = env.check ? types_send_eager : eager_send;
	requests_init();
	match_init();
	p2p_set_gather_min(env.gather_min);
	return 0;
}

void p2p_fini(void)
{
	match_fini();
	requests_fini();
	types_fini();
}
