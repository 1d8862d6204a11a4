/* SPDX-License-Identifier: Apache-2.0 */
/*
 * partitioned.c: partitioned communication (MPI 4.1, chapter 4).
 *
 * The two sides match by one message, the offer, which mrt_psend_init sends
 * with the user's tag in a context of its own: the sender's partitions, their
 * bytes, and a range of tags. Each of the sender's partitions is a message with
 * a tag of this range, in a second context, and leaves as soon as it is ready:
 * eager or by rendezvous, like any other message. The receiver posts a receive
 * for each of them, when it has started and has the offer. A partition of the
 * receiver has arrived when all of the sender's that overlap it have. The
 * sender waits for nothing and may be rounds ahead: messages of one tag arrive
 * in order.
 *
 * A request whose offer is under way when it is freed lives until the offer is
 * over, so that the offer of the next request does not match in its place.
 */
#include <stdio.h>
#include <stdlib.h>

#include "p2p/p2p.h"
#include "p2p/partitioned.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"

struct pool request_partitioned_pool = POOL_INIT(struct partitioned, 16);

/* ---- The end ------------------------------------------------------------- */

static void partitioned_destroy(struct partitioned *p)
{
	if (p->args.typed.type)
		type_release(p->args.typed.type);
	comm_release(p->req.comm);
	free(p->parts);
	free(p->packed);
	pool_put_last(&request_partitioned_pool, p);
}

static void partitioned_release(struct mrt_request *req)
{
	struct partitioned *p = (struct partitioned *)req;

	req->state = REQUEST_FREED;
	p->freed = true;
	if (p->offering.complete)
		partitioned_destroy(p);
}

/* Sets the status, which for a receive is that of a whole message. */
static void partitioned_complete(struct partitioned *p, int error)
{
	status_empty(&p->req.status, MRT_ANY_SOURCE);
	if (!p->sends) {
		p->req.status.source = p->req.peer;
		p->req.status.tag = p->req.tag;
		p->req.status.bytes =
		    (size_t)(p->offer.bytes * p->offer.partitions);
		status_localise(&p->req.status, p->req.comm);
	}
	request_complete(&p->req, error);
}

static void part_done(struct mrt_request *req)
{
	struct partition *part = (struct partition *)req;
	struct partitioned *p = part->whole;
	size_t at = (size_t)(part - p->parts) * p->offer.bytes;

	if (req->status.error)
		p->req.status.error = req->status.error;
	else if (p->packed)
		type_unpack(p->args.typed.type, p->buf, at, p->offer.bytes,
			    p->packed + at);
	if (!--p->left)
		partitioned_complete(p, p->req.status.error);
}

int partitioned_report(const struct mrt_request *req)
{
	const struct partitioned *p = (const struct partitioned *)req;
	int error = req->status.error;

	if (error == MRT_ERR_TRUNCATE)
		return proc_fail(error,
				 "%u partitions of %zu bytes from rank %d with "
				 "tag %d, a buffer of %zu bytes",
				 p->offer.partitions, (size_t)p->offer.bytes,
				 req->peer, req->tag, p->args.bytes);
	return proc_fail(
	    error, "a partitioned message %s rank %d with tag %d: %s",
	    p->sends ? "to" : "from", req->peer, req->tag, error_text(error));
}

static void partitioned_describe(const struct mrt_request *req, char *text,
				 size_t len)
{
	const struct partitioned *p = (const struct partitioned *)req;
	int k = 0;

	while (p->sends && k < p->partitions && p->parts[k].ready)
		k++;
	if (p->sends && k < p->partitions)
		snprintf(text, len,
			 "partition %d of %d for rank %d with tag %d to be "
			 "marked as ready",
			 k, p->partitions, req->peer, req->tag);
	else if (p->parts)
		snprintf(text, len,
			 "%u of %u partitions %s rank %d with tag %d", p->left,
			 p->offer.partitions, p->sends ? "to" : "from",
			 req->peer, req->tag);
	else
		snprintf(text, len,
			 "rank %d to begin a partitioned send with tag %d",
			 req->peer, req->tag);
}

/* ---- Moving -------------------------------------------------------------- */

/* Prepares the message of partition k of the sender. Returns its tag. */
static int partitioned_prepare(struct partitioned *p, uint32_t k,
			       enum request_kind kind)
{
	request_prepare(&p->parts[k].req, kind);
	p->parts[k].req.done = part_done;
	p->parts[k].whole = p;
	return (int)(p->offer.first + k);
}

static uint32_t data_context(const struct partitioned *p)
{
	return p->args.comm->context | CONTEXT_PARTITIONED | CONTEXT_COLL;
}

/* The elements that are partition k of the sender, none of which it divides. */
static struct typed_buffer partitioned_elements(const struct partitioned *p,
						uint32_t k)
{
	const struct mrt_type *type = p->args.typed.type;
	size_t n = p->offer.bytes / type->size;
	uintptr_t at = (uintptr_t)p->buf + k * n * (uintptr_t)type->extent;

	return (struct typed_buffer){(void *)at, n, type};
}

void partitioned_send(struct partitioned *p, uint32_t k)
{
	int tag = partitioned_prepare(p, k, REQ_SEND);
	struct mrt_request *req = &p->parts[k].req;
	struct typed_buffer e;

	if (p->req.peer == MRT_PROC_NULL) {
		request_complete(req, 0);
	} else if (p->args.typed.type && p->offer.bytes) {
		e = partitioned_elements(p, k);
		p2p_isend_type(req, &e, p->req.peer, tag, data_context(p));
	} else {
		p2p_isend(req, (char *)p->buf + k * p->offer.bytes,
			  p->offer.bytes, p->req.peer, tag, data_context(p));
	}
}

static void receive_part(struct partitioned *p, uint32_t k)
{
	int tag = partitioned_prepare(p, k, REQ_RECV), source = p->req.peer;
	struct mrt_request *req = &p->parts[k].req;
	size_t bytes = p->offer.bytes;
	struct typed_buffer e;

	if (!partitioned_sizes_agree(p)) {
		p2p_irecv(req, NULL, 0, source, tag, data_context(p));
	} else if (p->args.typed.type && bytes && !p->packed) {
		e = partitioned_elements(p, k);
		p2p_irecv_type(req, &e, source, tag, data_context(p));
	} else {
		p2p_irecv(req, (p->packed ?: (char *)p->buf) + k * bytes, bytes,
			  source, tag, data_context(p));
	}
}

static void receive_all(struct partitioned *p)
{
	if (!partitioned_sizes_agree(p))
		p->req.status.error = MRT_ERR_TRUNCATE;
	for (uint32_t k = 0; k < p->offer.partitions; k++)
		receive_part(p, k);
}

/* ---- The offer ----------------------------------------------------------- */

/* Allocates what the offer asks for. Returns 0 or MRT_ERR_*. */
static int accept_offer(struct partitioned *p)
{
	const struct mrt_type *type = p->args.typed.type;

	if (p->offering.status.bytes != sizeof(p->offer) ||
	    !p->offer.partitions || p->offer.first > MRT_TAG_MAX ||
	    p->offer.partitions > MRT_TAG_MAX - p->offer.first + 1u ||
	    p->offer.bytes > SIZE_MAX / p->offer.partitions)
		return MRT_ERR_PROTOCOL;
	if (type && type->size && p->offer.bytes % type->size &&
	    partitioned_sizes_agree(p)) {
		p->packed = malloc(p->args.bytes);
		if (!p->packed)
			return MRT_ERR_NO_MEM;
	}
	p->parts = calloc(p->offer.partitions, sizeof(*p->parts));
	return p->parts ? 0 : MRT_ERR_NO_MEM;
}

static void partitioned_offered(struct mrt_request *req)
{
	struct partitioned *p = list_entry(req, struct partitioned, offering);
	int rc = req->status.error;

	if (p->freed) {
		partitioned_destroy(p);
		return;
	}
	if (!rc && !p->sends) {
		rc = accept_offer(p);
		/* the sender's messages would wait for ever */
		if (rc)
			fault_raise_text(rc,
					 "a partitioned message from rank %d "
					 "cannot be received: %s",
					 p->req.peer, error_text(rc));
	}
	req->status.error = rc;
	if (p->sends || p->req.state != REQUEST_ACTIVE)
		return;
	if (rc) {
		partitioned_complete(p, rc);
		return;
	}
	p->left = p->offer.partitions;
	receive_all(p);
}

void partitioned_offer(struct partitioned *p)
{
	uint32_t context = p->args.comm->context | CONTEXT_PARTITIONED;
	struct mrt_request *req = &p->offering;

	request_prepare(req, p->sends ? REQ_SEND : REQ_RECV);
	req->done = partitioned_offered;
	if (p->req.peer == MRT_PROC_NULL)
		req->complete = true;
	else if (p->sends)
		p2p_isend(req, &p->offer, sizeof(p->offer), p->req.peer,
			  p->req.tag, context);
	else
		p2p_irecv(req, &p->offer, sizeof(p->offer), p->req.peer,
			  p->req.tag, context);
}

/* ---- Requests ------------------------------------------------------------ */

static int partitioned_start(struct mrt_request *req)
{
	struct partitioned *p = (struct partitioned *)req;

	request_prepare(req, REQ_PARTITIONED);
	if (p->offering.complete && p->offering.status.error) {
		req->complete = true;
		req->status.error = p->offering.status.error;
		return partitioned_report(req);
	}
	p->left = p->offer.partitions;
	if (p->sends)
		for (uint32_t k = 0; k < p->left; k++)
			p->parts[k].ready = false;
	else if (p->req.peer == MRT_PROC_NULL)
		partitioned_complete(p, 0);
	else if (p->parts)
		receive_all(p);
	return 0;
}

const struct request_ops partitioned_ops = {.start = partitioned_start,
					    .release = partitioned_release,
					    .describe = partitioned_describe};
