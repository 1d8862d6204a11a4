/* SPDX-License-Identifier: Apache-2.0 */
/*
 * typed.c: messages of elements that are not dense. A long one is packed and
 * unpacked in parts while it is read, by a fabric that offers it (struct
 * fab_packer). Else a send of few or of large pieces is a gathered send
 * (iov_send.c), and other messages are packed first.
 *
 * A receive unpacks an eager message from where the fabric has delivered it. It
 * reads a long one in parts, into a buffer that stays in the caches, and
 * unpacks each, unless the fabric does. If the sender writes, the buffer takes
 * the whole message. Parts of a long message for a REQ_RECV_PARTS go to its
 * owner's packer in the same way.
 *
 * Such a receive has 0 bytes as far as the fast path can see, so that any
 * message for it takes the slow path, and other receives need no check.
 */
#include <limits.h>
#include <stdlib.h>

#include "p2p/p2p.h"
#include "p2p/protocol.h"
#include "runtime/base/copy.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/engine/proc.h"

enum {
	LIST_MAX = 16,	    /* pieces to send without packing */
	SHORT_MAX = 2048,   /* bytes to pack on the stack */
	PART_MIN = 1 << 19, /* bytes per read, at least */
	PARTS_MAX = 64	    /* number of parts, at most */
};

/* Whether the data are contiguous. */
static bool one_run(const struct typed_buffer *e)
{
	return e->type->dense || (e->count == 1 && !e->type->region.layout);
}

static void *begin_of(const struct typed_buffer *e)
{
	return (void *)((uintptr_t)e->buf + (uintptr_t)e->type->region.at);
}

static void typed_done(struct mrt_request *req);

/* Makes req a typed send or receive, which holds the type. */
static void typed_prepare(struct mrt_request *req, const struct typed_buffer *e)
{
	req->into = *e;
	req->part = NULL;
	req->reads = false;
	type_hold(e->type);
	req->then = req->done;
	req->done = typed_done;
}

/* ---- Sending ------------------------------------------------------------- */

static void pack_part(struct fab_packer *packer, size_t at, size_t len,
		      void *out)
{
	const struct mrt_request *req =
	    list_entry(packer, struct mrt_request, packer);

	type_pack(req->into.type, req->into.buf, at, len, out);
}

/* Sends a long message that the fabric packs while it is read; returns false if
 * it does not. */
static bool send_in_parts(struct mrt_request *req, const struct typed_buffer *e,
			  int peer, int tag, uint32_t context)
{
	struct fab_ep *ep = proc_ep(peer);
	const struct fab_node *node = ep->fab->node;
	size_t bytes = e->count * e->type->size;

	if (!node || bytes <= ep->eager_max)
		return false;
	typed_prepare(req, e);
	req->packer.copy = pack_part;
	if (node->ops->pack_register(ep, &req->packer, bytes, &req->mem,
				     &req->key)) {
		typed_release(req);
		return false;
	}
	p2p_isend(req, NULL, bytes, peer, tag, context);
	return true;
}

static void send_packed(struct mrt_request *req, const struct typed_buffer *e,
			int peer, int tag, uint32_t context)
{
	size_t bytes = e->count * e->type->size;
	void *packed = malloc(bytes);

	if (!packed) {
		request_complete(req, log_error(MRT_ERR_NO_MEM,
						"no memory to pack %zu bytes",
						bytes));
		return;
	}
	type_pack(e->type, e->buf, 0, bytes, packed);
	p2p_isend_own(req, packed, bytes, peer, tag, context);
}

static void send_list(struct mrt_request *req, const struct typed_buffer *e,
		      int peer, int tag, uint32_t context)
{
	size_t n = type_iov_len(e->type, e->count);
	struct iovec few[LIST_MAX], *iov = few;

	if (n > LIST_MAX)
		iov = malloc(n * sizeof(*iov));
	if (!iov) {
		send_packed(req, e, peer, tag, context);
		return;
	}
	type_iov(e->type, e->buf, e->count, iov);
	p2p_isendv(req, iov, (int)n, peer, tag, context);
	if (iov != few)
		free(iov);
}

/* Packs a short message on the stack and sends it. ERR_AGAIN: the fabric has no
 * room. */
static int send_short(const struct typed_buffer *e, int peer, int tag,
		      uint32_t context)
{
	char packed[SHORT_MAX];
	size_t bytes = e->count * e->type->size;
	struct iovec iov = {packed, bytes};

	type_pack(e->type, e->buf, 0, bytes, packed);
	return p2p_send_now(peer, wire_pack(WIRE_EAGER, context, tag), &iov, 1,
			    bytes);
}

void p2p_isend_type(struct mrt_request *req, const struct typed_buffer *e,
		    int peer, int tag, uint32_t context)
{
	size_t bytes = e->count * e->type->size;
	size_t pieces = type_iov_len(e->type, e->count);
	int rc = ERR_AGAIN;

	if (!bytes || one_run(e)) {
		p2p_isend(req, begin_of(e), bytes, peer, tag, context);
		return;
	}
	/* with a bound of 0 the fabric always gathers */
	if (p2p_gather_min() && send_in_parts(req, e, peer, tag, context))
		return;
	if (pieces <= LIST_MAX ||
	    (bytes / pieces >= p2p_gather_min() && pieces <= INT_MAX)) {
		send_list(req, e, peer, tag, context);
		return;
	}
	if (bytes <= SHORT_MAX && bytes <= proc_ep(peer)->eager_max &&
	    !req->sync && !env.check)
		rc = send_short(e, peer, tag, context);
	if (rc != ERR_AGAIN)
		request_complete(req, rc);
	else
		send_packed(req, e, peer, tag, context);
}

/* ---- Receiving ----------------------------------------------------------- */

static bool is_typed(const struct mrt_request *req)
{
	return req->done == typed_done;
}

void typed_release(struct mrt_request *req)
{
	if (!is_typed(req))
		return;
	free(req->part);
	type_release(req->into.type);
	req->done = req->then;
}

/* Completes a typed send or receive. Data that was read has been unpacked; data
 * that was written still has to be. */
static void typed_done(struct mrt_request *req)
{
	if (req->part && !req->reads &&
	    (!req->status.error || req->status.error == MRT_ERR_TRUNCATE))
		type_unpack(req->into.type, req->into.buf, 0, req->bytes,
			    req->part);
	typed_release(req);
	if (req->done)
		req->done(req);
}

void p2p_irecv_type(struct mrt_request *req, const struct typed_buffer *e,
		    int source, int tag, uint32_t context)
{
	size_t bytes = e->count * e->type->size;

	if (!bytes || one_run(e)) {
		p2p_irecv(req, begin_of(e), bytes, source, tag, context);
		return;
	}
	typed_prepare(req, e);
	p2p_irecv(req, NULL, 0, source, tag, context);
}

void p2p_irecv_taken_type(struct mrt_request *req, const struct typed_buffer *e,
			  struct unexpected *u)
{
	size_t bytes = e->count * e->type->size;

	if (!bytes || one_run(e)) {
		p2p_irecv_taken(req, begin_of(e), bytes, u);
		return;
	}
	typed_prepare(req, e);
	p2p_irecv_taken(req, NULL, 0, u);
}

int eager_copy_longer(struct mrt_request *req, const void *data, size_t len)
{
	size_t room = req->bytes;

	if (!is_typed(req)) {
		if (room)
			copy_bytes(req->buf, data, room);
		return MRT_ERR_TRUNCATE;
	}
	typed_set_bytes(req);
	room = req->bytes;
	type_unpack(req->into.type, req->into.buf, 0, len < room ? len : room,
		    data);
	return len > room ? MRT_ERR_TRUNCATE : 0;
}

void typed_set_bytes(struct mrt_request *req)
{
	if (is_typed(req))
		req->bytes = req->into.count * req->into.type->size;
}

/* ---- Reading in parts ---------------------------------------------------- */

static size_t part_size(size_t bytes)
{
	size_t part = bytes / PARTS_MAX + 1;

	if (part < PART_MIN)
		part = PART_MIN;
	return part < bytes ? part : bytes;
}

static void part_done(struct fab_op *op, int status)
{
	struct mrt_request *req = list_entry(op, struct mrt_request, op);
	size_t left = req->bytes - req->moved;
	size_t n = left < req->part_size ? left : req->part_size;

	if (!status) {
		type_unpack(req->into.type, req->into.buf, req->moved, n,
			    req->part);
		req->moved += n;
	}
	if (status || req->moved == req->bytes)
		rendezvous_end(req, status);
	else
		p2p_transmit(req);
}

static void unpack_part(struct fab_packer *packer, size_t at, size_t len,
			void *in)
{
	const struct mrt_request *req =
	    list_entry(packer, struct mrt_request, packer);

	type_unpack(req->into.type, req->into.buf, at, len, in);
}

static void unpack_done(struct fab_op *op, int status)
{
	rendezvous_end(list_entry(op, struct mrt_request, op), status);
}

int typed_begin_rendezvous(struct mrt_request *req, bool push)
{
	bool typed = is_typed(req);
	bool unpacks = !push && proc_ep(req->peer)->fab->node;

	if (!req->bytes || (!typed && req->kind != REQ_RECV_PARTS))
		return 0;
	req->reads = typed ? !push : unpacks;
	if (unpacks) {
		if (typed)
			req->packer.copy = unpack_part;
		req->part = NULL;
		req->op.done = unpack_done;
	}
	if (unpacks || !typed)
		return 0;
	req->moved = 0;
	req->part_size = push ? req->bytes : part_size(req->bytes);
	req->part = malloc(req->part_size);
	if (!req->part)
		return log_error(MRT_ERR_NO_MEM,
				 "no memory to unpack a message of %zu bytes",
				 req->bytes);
	req->buf = req->part;
	req->op.done = part_done;
	return 0;
}

int typed_read(struct mrt_request *req)
{
	struct fab_ep *ep = proc_ep(req->peer);
	size_t left = req->bytes - req->moved;

	if (!req->part)
		return ep->fab->node->ops->read_unpack(
		    ep, &req->packer, req->remote_addr, req->key, req->bytes,
		    &req->op);
	return ep->ops->read(
	    ep, req->part, req->remote_addr + req->moved, req->key,
	    left < req->part_size ? left : req->part_size, &req->op);
}
