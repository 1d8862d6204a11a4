/* SPDX-License-Identifier: Apache-2.0 */
/*
 * eager.c: a short message travels with its header, and is kept on the other
 * side if no receive waits for it. One message; synchronous: and an ACK.
 */
#include <string.h>

#include "p2p/protocol.h"
#include "runtime/base/log.h"
#include "runtime/proc.h"

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
	req->status.error = eager_copy(req, peer, wire_tag(hdr),
				       (const char *)data + sizeof(from),
				       len - sizeof(from));
	req->stage = STAGE_ACK;
	req->peer = peer;
	req->remote_id = from.id;
	p2p_transmit(req);
}
