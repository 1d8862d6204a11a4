/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rendezvous_write.c: the rendezvous protocol by RDMA WRITE, for a long message
 * of many pieces, which the fabric gathers: RTS without an address -> CTS with
 * the receiver's address and key -> WRITE from the pieces -> FIN from the
 * sender. No copy and no buffer; one message more than by READ, since a READ
 * cannot gather at its remote end.
 */
#include <string.h>

#include "p2p/protocol.h"
#include "p2p/types.h"
#include "runtime/base/error.h"
#include "runtime/base/trace.h"
#include "runtime/engine/proc.h"

/* ---- the receiver ---- */

/* Assigns an id and registers the memory, once. */
static int open_buffer(struct mrt_request *req)
{
	struct fab *fab = proc_ep(req->peer)->fab;
	int rc;

	if (req->mem)
		return 0;
	rc = request_take_id(req);
	if (rc)
		return rc;
	rc = fab->ops->mem_register(fab, req->buf, req->bytes, FAB_WRITTEN_ONCE,
				    &req->mem, &req->key);
	if (rc)
		request_drop_id(req);
	return rc;
}

int rendezvous_write_cts(struct mrt_request *req)
{
	struct fab_ep *ep = proc_ep(req->peer);
	int rc = req->bytes ? open_buffer(req) : 0;
	struct wire_cts cts = {(uintptr_t)req->buf, req->bytes, req->key,
			       req->remote_id, req->id};
	struct iovec iov = {&cts, sizeof(cts)};

	if (rc || !req->bytes) {
		/* nothing is wanted, or an error: the sender is done */
		rendezvous_end(req, rc);
		return 0;
	}
	rc = ep->ops->send(ep, wire_pack(WIRE_CTS, req->context, 0), &iov, 1);
	if (rc && rc != ERR_AGAIN)
		rendezvous_release(req);
	return rc;
}

/* ---- the sender ---- */

int rendezvous_write_rts(struct mrt_request *req)
{
	struct fab_ep *ep = proc_ep(req->peer);
	struct wire_rts rts = {.len = req->bytes, .id = req->id, .push = true};
	struct type_sequence types;
	struct iovec iov[2] = {{&rts, sizeof(rts)}};
	uint64_t hdr = wire_pack(WIRE_RTS, req->context, req->tag);
	int rc, n = 1;

	if (__builtin_expect(env.check, 0))
		n = types_add(req, &hdr, &types, iov, n);
	rc = ep->ops->send(ep, hdr, iov, n);
	if (!rc)
		trace_write(TRACE_OFFER, req->peer, req->bytes, 0);
	return rc;
}

/* Shortens the list if the receiver takes less. */
static void rendezvous_write_shorten(struct mrt_request *req, size_t bytes)
{
	struct iovec *iov = req->buf;

	req->bytes = bytes;
	req->iovcnt = 0;
	while (bytes) {
		struct iovec *piece = &iov[req->iovcnt++];

		if (piece->iov_len > bytes)
			piece->iov_len = bytes;
		bytes -= piece->iov_len;
	}
}

static void write_done(struct fab_op *op, int status)
{
	rendezvous_end(list_entry(op, struct mrt_request, op), status);
}

bool rendezvous_write_cleared(int peer, const void *data, size_t len)
{
	struct mrt_request *req;
	struct wire_cts cts;

	if (len != sizeof(cts))
		return false;
	memcpy(&cts, data, sizeof(cts));
	req = request_by_id(cts.id, peer);
	if (!req || req->stage != STAGE_PUSH || req->queued || !cts.len ||
	    cts.len > req->bytes)
		return false;
	request_drop_id(req);
	rendezvous_write_shorten(req, cts.len);
	req->remote_id = cts.to;
	req->remote_addr = cts.addr;
	req->key = cts.key;
	req->op.done = write_done;
	req->sync = false; /* the receive has been matched */
	req->stage = STAGE_WRITE;
	p2p_transmit(req);
	return true;
}

int rendezvous_write_data(struct mrt_request *req)
{
	struct fab_ep *ep = proc_ep(req->peer);
	int rc = ep->ops->writev(ep, req->buf, req->iovcnt, req->remote_addr,
				 req->key, &req->op);

	if (!rc || rc == ERR_AGAIN)
		return rc;
	rendezvous_end(req, rc); /* the receiver waits for the FIN */
	return 0;
}
