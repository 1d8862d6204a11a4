/* SPDX-License-Identifier: Apache-2.0 */
/* types.c adds to messages what MRT_CHECK compares, and compares it. */
#include "p2p/types.h"

#include "p2p/describe.h"
#include "p2p/protocol.h"
#include "runtime/engine/proc.h"

int types_add(struct mrt_request *req, uint64_t *hdr, struct iovec *iov, int n)
{
	size_t bytes = sizeof(req->note.types);

	for (int i = 0; i < n; i++)
		bytes += iov[i].iov_len;
	if (context_is_internal(req->context) ||
	    bytes > proc.eps[req->peer]->send_max)
		return n;
	*hdr |= WIRE_TYPED;
	iov[n] = (struct iovec){&req->note.types, sizeof(req->note.types)};
	return n + 1;
}

int types_send_eager(struct mrt_request *req)
{
	struct fab_ep *ep = proc.eps[req->peer];
	struct wire_sync sync = {req->id, 0};
	struct iovec iov[3] = {{&sync, sizeof(sync)}, {req->buf, req->bytes}};
	uint64_t hdr = wire_pack(req->sync ? WIRE_EAGER_SYNC : WIRE_EAGER,
				 req->context, req->tag);
	int first = !req->sync;
	int n = types_add(req, &hdr, iov + first, 2 - first);

	return ep->ops->send(ep, hdr, iov + first, n);
}

void types_compare(struct mrt_request *req, const void *data)
{
	memcpy(&req->note.wrong, data, sizeof(req->note.wrong));
	if (type_sequence_fits(&req->note.wrong, &req->note.types))
		return;
	req->note.differs = true;
	req->bytes = req->into.count = 0;
}

bool types_report(struct mrt_request *req)
{
	char message[96], sent[64], here[64];
	struct type_sequence all;

	if (!env.check || req->kind != REQ_RECV ||
	    context_is_internal(req->context) ||
	    (req->status.error != MRT_ERR_TRUNCATE &&
	     req->status.error != MRT_ERR_TYPE) ||
	    !req->note.differs)
		return false;
	all = type_sequence_repeat(req->note.types, req->note.count);
	describe_receive(req->status.source, req->status.tag, req->context,
			 message, sizeof(message));
	type_sequence_name(&req->note.wrong, sent, sizeof(sent));
	type_sequence_name(&all, here, sizeof(here));
	req->status.error = MRT_ERR_TYPE;
	proc_fail(MRT_ERR_TYPE, "%s is of %s, its receive of %s", message, sent,
		  here);
	return true;
}
