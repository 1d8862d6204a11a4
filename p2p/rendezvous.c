/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rendezvous.c: the rendezvous protocol by RDMA READ: a long message stays
 * where it is until its receive is posted, and the receiver reads it: RTS with
 * address and key -> READ -> FIN. One copy, no buffering; the sender's memory
 * stays registered meanwhile.
 */
#include <string.h>

#include "p2p/protocol.h"
#include "p2p/types.h"
#include "runtime/base/error.h"
#include "runtime/base/trace.h"
#include "runtime/engine/proc.h"

uint32_t rendezvous_arriving;

int rendezvous_send_rts(struct mrt_request *req)
{
	struct fab_ep *ep = proc_ep(req->peer);
	struct wire_rts rts = {(uintptr_t)req->buf, req->bytes, req->key,
			       req->id, false};
	struct type_sequence types;
	struct iovec iov[2] = {{&rts, sizeof(rts)}};
	uint64_t hdr = wire_pack(WIRE_RTS, req->context, req->tag);
	int rc, n = 1;

	if (!req->mem) {
		rc = ep->ops->mem_register(ep->fab, req->buf, req->bytes,
					   FAB_READ_ONCE, &req->mem, &req->key);
		if (rc)
			return rc;
		rts.key = req->key;
	}
	if (__builtin_expect(env.check, 0))
		n = types_add(req, &hdr, &types, iov, n);
	rc = ep->ops->send(ep, hdr, iov, n);
	if (rc && rc != ERR_AGAIN)
		rendezvous_release(req);
	if (!rc)
		trace_write(TRACE_OFFER, req->peer, req->bytes, 0);
	return rc;
}

void rendezvous_release(struct mrt_request *req)
{
	struct fab *fab;

	if (!req->mem)
		return;
	fab = proc_ep(req->peer)->fab;
	fab->ops->mem_deregister(fab, req->mem);
	req->mem = NULL;
	trace_write(TRACE_MOVED, req->peer, req->bytes, req->kind != REQ_SEND);
}

void rendezvous_end(struct mrt_request *req, int error)
{
	rendezvous_arriving -= req->kind != REQ_SEND;
	trace_write(TRACE_MOVED, req->peer, req->bytes, req->kind != REQ_SEND);
	if (error)
		req->status.error = error;
	req->stage = STAGE_FIN;
	p2p_transmit(req);
}

static void read_done(struct fab_op *op, int status)
{
	rendezvous_end(list_entry(op, struct mrt_request, op), status);
}

void rendezvous_receive(struct mrt_request *req, int peer, uint64_t hdr,
			const void *data, size_t len)
{
	struct wire_rts rts;
	size_t bytes;

	int error;

	memcpy(&rts, data, sizeof(rts));
	typed_set_bytes(req);
	req->status.error = receive_status(req, peer, wire_tag(hdr), rts.len);
	bytes = req->status.error ? req->bytes : rts.len;
	req->peer = peer;
	req->remote_id = rts.id;
	req->remote_addr = rts.addr;
	req->key = rts.key;
	req->bytes = bytes;
	trace_write(TRACE_MATCH, peer, bytes, 1);
	rendezvous_arriving++;
	req->op.done = read_done;
	req->stage = rts.push ? STAGE_CTS : STAGE_READ;
	error = typed_begin_rendezvous(req, rts.push);
	if (error)
		rendezvous_end(req, error);
	else
		p2p_transmit(req);
}

static int start_read(struct mrt_request *req)
{
	struct fab_ep *ep = proc_ep(req->peer);

	if (req->op.done != read_done)
		return typed_read(req);
	return ep->ops->read(ep, req->buf, req->remote_addr, req->key,
			     req->bytes, &req->op);
}

int rendezvous_read(struct mrt_request *req)
{
	int rc = req->bytes ? start_read(req) : 0;

	if (rc == ERR_AGAIN)
		return rc;
	if (rc || !req->bytes)
		rendezvous_end(req, rc); /* the sender waits for the FIN */
	return 0;
}
