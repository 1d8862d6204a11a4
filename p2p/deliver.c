/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deliver.c: receives, and the messages that fabrics deliver. A message is
 * matched with its receive or kept, and handled by its protocol; an ACK, FIN or
 * CTS goes to the request that it names. Every message is validated first. An
 * invalid one ends the job: since fabrics lose and damage nothing, no retry
 * would help.
 */
#include <string.h>

#include "p2p/blocking_recv.h"
#include "p2p/counts.h"
#include "p2p/p2p.h"
#include "p2p/protocol.h"
#include "p2p/types.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"

bool (*p2p_window_sink)(int peer, uint32_t context, const void *data,
			size_t len);

/* Handles the news that the message cannot be sent. */
static void receive_failed(struct mrt_request *req, int peer, uint64_t hdr,
			   const void *data)
{
	struct wire_end end;

	memcpy(&end, data, sizeof(end));
	receive_status(req, peer, wire_tag(hdr), 0);
	request_complete(req, end.status ? error_from_peer(end.status)
					 : MRT_ERR_PROTOCOL);
}

/* Passes a matched message to the protocol of its kind. */
static void deliver_receive(struct mrt_request *req, int peer, uint64_t hdr,
			    const void *data, size_t len)
{
	unsigned kind = wire_kind(hdr);

	if (__builtin_expect(kind & WIRE_TYPED, 0)) {
		len -= sizeof(struct type_sequence);
		kind &= ~(unsigned)WIRE_TYPED;
		types_compare(req, (const char *)data + len);
	}
	if (kind == WIRE_EAGER)
		eager_take(req, peer, wire_tag(hdr), data, len);
	else if (kind == WIRE_RTS)
		rendezvous_receive(req, peer, hdr, data, len);
	else if (kind == WIRE_EAGER_SYNC)
		eager_receive_sync(req, peer, hdr, data, len);
	else
		receive_failed(req, peer, hdr, data);
}

/* Receives a message that has been removed from the unexpected queue. */
static void receive_kept(struct mrt_request *req, struct unexpected *u)
{
	deliver_receive(req, u->source, wire_pack(u->kind, u->context, u->tag),
			u->data, u->len);
	match_discard(u);
}

void p2p_irecv(struct mrt_request *req, void *buf, size_t bytes, int source,
	       int tag, uint32_t context)
{
	struct unexpected *u =
	    match_load.kept ? match_find(context, source, tag) : NULL;

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

/* Returns the length of the user's message, or -1 if the payload is invalid for
 * its kind. */
static ssize_t message_bytes(uint64_t hdr, const void *data, size_t len)
{
	ssize_t types = types_bytes(wire_kind(hdr), wire_context(hdr));
	struct wire_rts rts;

	if (types < 0 || len < (size_t)types)
		return -1;
	len -= (size_t)types;
	switch (wire_kind(hdr) & ~(unsigned)WIRE_TYPED) {
	case WIRE_EAGER:
		return (ssize_t)len;
	case WIRE_EAGER_SYNC:
		return (ssize_t)len - (ssize_t)sizeof(struct wire_sync);
	case WIRE_RTS:
		if (len != sizeof(rts))
			return -1;
		memcpy(&rts, data, sizeof(rts));
		return (ssize_t)rts.len;
	case WIRE_FAILED:
		return len == sizeof(struct wire_end) &&
			       context_is_internal(wire_context(hdr))
			   ? 0
			   : -1;
	default:
		return -1;
	}
}

static void bad_message(int peer, uint64_t hdr, size_t len)
{
	fault_raise_text(MRT_ERR_PROTOCOL,
			 "rank %d sent a message that cannot be (kind %u, "
			 "context %u, tag %d, %zu bytes): do all ranks run the "
			 "same libmrt?",
			 peer, wire_kind(hdr), wire_context(hdr), wire_tag(hdr),
			 len);
}

static __attribute__((noinline)) void
keep(int peer, uint64_t hdr, const void *data, size_t len, size_t bytes)
{
	struct unexpected head; /* its links stay as they are */

	head.context = wire_context(hdr);
	head.source = peer;
	head.tag = wire_tag(hdr);
	head.kind = (uint16_t)wire_kind(hdr);
	head.indexed = false;
	head.len = len;
	head.bytes = bytes;
	/* A rank that enters mrt_finalize before this one has reported its
	 * counters must not be counted. */
	if (head.context == CONTEXT_END)
		uncount_received(bytes);
	else
		p2p_counts.unexpected++;
	if (!match_keep(&head, data))
		/* the message is lost: its receiver would wait for ever */
		fault_raise_text(MRT_ERR_NO_MEM,
				 "no memory for an unexpected message of %zu "
				 "bytes from rank %d",
				 len, peer);
}

/* Whether a request that has sent its stage expects this kind of answer. */
static bool deliver_expects(const struct mrt_request *req, unsigned kind)
{
	if (req->queued)
		return false;
	if (req->stage == STAGE_EAGER)
		return kind == WIRE_ACK;
	return kind == WIRE_FIN &&
	       (req->stage == STAGE_RTS || req->stage == STAGE_PUSH ||
		req->stage == STAGE_CTS);
}

/* Completes the request that an ACK or FIN names. */
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
	if (!req || !deliver_expects(req, wire_kind(hdr))) {
		bad_message(peer, hdr, len);
		return;
	}
	request_drop_id(req);
	rendezvous_arriving -= req->kind != REQ_SEND;
	rendezvous_release(req);
	request_complete(req, end.status ? error_from_peer(end.status)
					 : req->status.error);
}

/* The slow path of p2p_deliver: validates and handles all kinds but eager. */
static __attribute__((noinline)) void deliver_slow(int peer, uint64_t hdr,
						   const void *data, size_t len)
{
	struct mrt_request *req;
	ssize_t bytes;

	if (wire_kind(hdr) == WIRE_ACK || wire_kind(hdr) == WIRE_FIN) {
		take_end(peer, hdr, data, len);
		return;
	}
	if (wire_kind(hdr) == WIRE_CTS) {
		if (!rendezvous_write_cleared(peer, data, len))
			bad_message(peer, hdr, len);
		return;
	}
	if (wire_kind(hdr) == WIRE_WITHDRAW || wire_kind(hdr) == WIRE_GONE) {
		if (!(wire_kind(hdr) == WIRE_GONE
			  ? p2p_gone(peer, data, len)
			  : p2p_withdraw(peer, hdr, data, len)))
			bad_message(peer, hdr, len);
		return;
	}
	if (wire_kind(hdr) == WIRE_WINDOW) {
		if (!p2p_window_sink ||
		    !p2p_window_sink(peer, wire_context(hdr), data, len))
			bad_message(peer, hdr, len);
		return;
	}
	bytes = message_bytes(hdr, data, len);
	if (bytes < 0) {
		bad_message(peer, hdr, len);
		return;
	}
	count_received((size_t)bytes);
	req = blocking_recv_promote(peer, hdr);
	if (!req)
		req = match_arrived(wire_context(hdr), peer, wire_tag(hdr));
	if (req)
		deliver_receive(req, peer, hdr, data, len);
	else
		keep(peer, hdr, data, len, (size_t)bytes);
}

void p2p_deliver(int peer, uint64_t hdr, const void *data, size_t len)
{
	struct mrt_request *req;

	if (blocking_recv_is(peer, hdr)) {
		blocking_recv_take(data, len);
		return;
	}
	if (__builtin_expect(wire_kind(hdr) != WIRE_EAGER, 0)) {
		deliver_slow(peer, hdr, data, len);
		return;
	}
	count_received(len);
	req = match_arrived(wire_context(hdr), peer, wire_tag(hdr));
	if (__builtin_expect(req != NULL, 1))
		eager_take(req, peer, wire_tag(hdr), data, len);
	else
		keep(peer, hdr, data, len, len);
}
