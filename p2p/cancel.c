/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cancel.c: cancels sends and receives. A receive is cancelled while it is
 * posted, and a send while it is held back here: both are local. A message
 * that has left and waits for an answer is withdrawn: the receiver looks for it
 * among the unexpected ones, discards it and says GONE. If it is not there, it
 * has been matched, and the answer that the send waits for comes: the receiver
 * says nothing. Messages of a peer arrive in order, so a WITHDRAW finds either
 * the message that it names or none, though ids are used again.
 */
#include <string.h>

#include "p2p/p2p.h"
#include "p2p/protocol.h"
#include "runtime/base/fault.h"
#include "runtime/engine/proc.h"

static void cancel_cancelled(struct mrt_request *req)
{
	req->status.cancelled = 1;
	request_complete(req, 0);
}

static void cancel_recv(struct mrt_request *req)
{
	if (!req->posted)
		return;
	match_withdraw(req);
	req->status.source = MRT_ANY_SOURCE;
	req->status.tag = MRT_ANY_TAG;
	req->status.bytes = 0;
	cancel_cancelled(req);
}

/* ---- Notes: messages that belong to no request of the user --------------- */

static void note_sent(struct mrt_request *note)
{
	pool_put(&request_pool, note);
}

/* Sends a struct wire_end that names the peer's or this rank's request `id`, of
 * a message with a tag. Returns 0 or MRT_ERR_NO_MEM. */
static int send_note(enum stage stage, int peer, uint32_t context, int tag,
		     uint32_t id)
{
	struct mrt_request *note = pool_get(&request_pool);

	if (!note)
		return MRT_ERR_NO_MEM;
	request_prepare(note, REQ_SEND);
	note->state = REQUEST_FREED; /* it has no handle */
	note->done = note_sent;
	note->stage = (uint8_t)stage;
	note->peer = peer;
	note->context = context;
	note->tag = tag;
	note->remote_id = id;
	p2p_transmit(note);
	return 0;
}

/* ---- Sends --------------------------------------------------------------- */

/* Drops what the message would have needed. */
static void give_up(struct mrt_request *req)
{
	request_drop_id(req);
	rendezvous_release(req);
	cancel_cancelled(req);
}

/* Whether the receiver has not answered the message yet. */
static bool is_unanswered(const struct mrt_request *req)
{
	return req->stage == STAGE_EAGER || req->stage == STAGE_RTS ||
	       req->stage == STAGE_PUSH;
}

static int cancel_send(struct mrt_request *req)
{
	int rc;

	if (!is_unanswered(req))
		return 0;
	if (req->queued) {
		list_remove(&req->link);
		req->queued = false;
		give_up(req);
		return 0;
	}
	if (req->withdrawn)
		return 0;
	rc = send_note(STAGE_WITHDRAW, req->peer, req->context, req->tag,
		       req->id);
	if (rc)
		return proc_fail(rc, "no memory to cancel a send");
	req->withdrawn = true;
	return 0;
}

int p2p_cancel(struct mrt_request *req)
{
	if (req->complete)
		return 0;
	if (req->kind == REQ_SEND)
		return cancel_send(req);
	cancel_recv(req);
	return 0;
}

/* ---- Arrivals ------------------------------------------------------------ */

static bool read_end(const void *data, size_t len, struct wire_end *end)
{
	if (len != sizeof(*end))
		return false;
	memcpy(end, data, sizeof(*end));
	return end->id != 0;
}

bool p2p_withdraw(int peer, uint64_t hdr, const void *data, size_t len)
{
	struct unexpected *u;
	struct wire_end end;

	if (!read_end(data, len, &end))
		return false;
	u = match_find_id(peer, wire_tag(hdr), wire_context(hdr), end.id);
	if (!u)
		return true;
	if (send_note(STAGE_GONE, peer, u->context, u->tag, end.id)) {
		fault_raise_text(MRT_ERR_NO_MEM,
				 "no memory to answer rank %d, which cancels a "
				 "send",
				 peer);
		return true;
	}
	match_take(u);
	match_discard(u);
	return true;
}

bool p2p_gone(int peer, const void *data, size_t len)
{
	struct mrt_request *req;
	struct wire_end end;

	if (!read_end(data, len, &end))
		return false;
	req = request_by_id(end.id, peer);
	if (!req || req->kind != REQ_SEND || !req->withdrawn ||
	    !is_unanswered(req))
		return false;
	give_up(req);
	return true;
}
