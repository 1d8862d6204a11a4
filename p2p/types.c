/* SPDX-License-Identifier: Apache-2.0 */
/* types.c adds to messages what MRT_CHECK compares, and compares it. */
#include "p2p/types.h"

#include <search.h>
#include <stdlib.h>

#include "p2p/describe.h"
#include "p2p/protocol.h"
#include "runtime/engine/proc.h"

/* A note keeps the types of a request for MRT_CHECK. */
struct note {
	const struct mrt_request *req; /* the key */
	struct type_sequence one;
	size_t count;
	bool differs; /* a receive has got `sent`, of other types */
	struct type_sequence sent;
};

/* A tree (tsearch) by the address of the request. A note outlives its request,
 * and the next request at that address takes it over. */
static void *notes;

static int note_compare(const void *a, const void *b)
{
	const struct note *x = a, *y = b;

	return (x->req > y->req) - (x->req < y->req);
}

/* Returns NULL if there is none. */
static struct note *note_find(const struct mrt_request *req)
{
	struct note **found =
	    tfind(&(struct note){.req = req}, &notes, note_compare);

	return found ? *found : NULL;
}

static struct note *note_add(const struct mrt_request *req)
{
	struct note *note = malloc(sizeof(*note));

	if (!note)
		return NULL;
	note->req = req;
	if (tsearch(note, &notes, note_compare))
		return note;
	free(note);
	return NULL;
}

void types_note(const struct mrt_request *req, const struct type_sequence *one,
		size_t count)
{
	struct note *note = note_find(req);

	if (!note)
		note = note_add(req);
	if (note)
		*note = (struct note){.req = req, .one = *one, .count = count};
}

void types_note_none(const struct mrt_request *req)
{
	struct note *note = note_find(req);

	if (!note)
		return;
	tdelete(note, &notes, note_compare);
	free(note);
}

void types_copy(const struct mrt_request *from, const struct mrt_request *to)
{
	const struct note *note = note_find(from);
	struct note *copy;

	if (!note)
		return;
	types_note(to, &note->one, note->count);
	copy = note_find(to);
	if (!copy)
		return;
	copy->differs = note->differs;
	copy->sent = note->sent;
}

void types_fini(void)
{
	tdestroy(notes, free);
	notes = NULL;
}

int types_add(const struct mrt_request *req, uint64_t *hdr,
	      struct type_sequence *types, struct iovec *iov, int n)
{
	const struct note *note = note_find(req);
	size_t bytes = sizeof(*types);

	for (int i = 0; i < n; i++)
		bytes += iov[i].iov_len;
	if (context_is_internal(req->context) || !note ||
	    bytes > proc_ep(req->peer)->send_max)
		return n;
	*types = type_sequence_repeat(note->one, note->count);
	*hdr |= WIRE_TYPED;
	iov[n] = (struct iovec){types, sizeof(*types)};
	return n + 1;
}

int types_send_eager(struct mrt_request *req)
{
	struct fab_ep *ep = proc_ep(req->peer);
	struct wire_sync sync = {req->id, 0};
	struct type_sequence types;
	struct iovec iov[3] = {{&sync, sizeof(sync)}, {req->buf, req->bytes}};
	uint64_t hdr = wire_pack(req->sync ? WIRE_EAGER_SYNC : WIRE_EAGER,
				 req->context, req->tag);
	int first = !req->sync;
	int n = types_add(req, &hdr, &types, iov + first, 2 - first);

	return ep->ops->send(ep, hdr, iov + first, n);
}

void types_compare(struct mrt_request *req, const void *data)
{
	struct note *note = note_find(req);

	if (!note)
		return;
	memcpy(&note->sent, data, sizeof(note->sent));
	note->differs = !type_sequence_fits(&note->sent, &note->one);
	if (note->differs)
		req->bytes = req->into.count = 0;
}

bool types_report(struct mrt_request *req)
{
	char message[96], sent[64], here[64];
	const struct note *note;
	struct type_sequence all;

	if (!env.check || req->kind != REQ_RECV ||
	    context_is_internal(req->context) ||
	    (req->status.error != MRT_ERR_TRUNCATE &&
	     req->status.error != MRT_ERR_TYPE))
		return false;
	note = note_find(req);
	if (!note || !note->differs)
		return false;
	all = type_sequence_repeat(note->one, note->count);
	describe_receive(req->status.source, req->status.tag, req->context,
			 message, sizeof(message));
	type_sequence_name(&note->sent, sent, sizeof(sent));
	type_sequence_name(&all, here, sizeof(here));
	req->status.error = MRT_ERR_TYPE;
	proc_fail(MRT_ERR_TYPE, "%s is of %s, its receive of %s", message, sent,
		  here);
	return true;
}
