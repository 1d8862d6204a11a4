/* SPDX-License-Identifier: Apache-2.0 */
/* describe.c: descriptions of requests. */
#include "p2p/describe.h"

#include <stdio.h>

#include "p2p/protocol.h"
#include "runtime/engine/proc.h"

void describe_receive(int peer, int tag, uint32_t context, char *text,
		      size_t len)
{
	char from[32] = "any rank", with[32] = "any tag", on[32] = "";

	if (peer != MRT_ANY_SOURCE)
		snprintf(from, sizeof(from), "rank %d", peer);
	if (tag != MRT_ANY_TAG)
		snprintf(with, sizeof(with), "tag %d", tag);
	if (context != comm_world.context)
		snprintf(on, sizeof(on), " on communicator %u",
			 context_id(context));
	snprintf(text, len, "a message from %s with %s%s", from, with, on);
}

void describe_request(const struct mrt_request *req, char *text, size_t len)
{
	switch (req->kind) {
	case REQ_RECV:
	case REQ_RECV_PARTS:
		describe_receive(req->peer, req->tag, req->context, text, len);
		break;
	case REQ_SEND:
		snprintf(text, len, "rank %d to receive %zu bytes with tag %d",
			 req->peer, req->bytes, req->tag);
		break;
	case REQ_COLL:
	case REQ_PARTITIONED:
		if (req->ops && req->ops->describe)
			req->ops->describe(req, text, len);
		else
			snprintf(text, len, "a collective");
		break;
	default:
		snprintf(text, len, "a request of the application");
	}
}

/* A message that has been matched and not arrived moves without further calls
 * of this rank, for which its sender waits. So meanwhile this rank names
 * nobody: a circle through it need not be a deadlock. Nor does it where another
 * thread may send or receive what a peer needs. */
int describe_needed(int peer)
{
	bool known =
	    !rendezvous_arriving && proc.thread_level != MRT_THREAD_MULTIPLE;

	return known && peer >= 0 ? peer : -1;
}

static int request_needed(const struct mrt_request *req)
{
	return req->kind <= REQ_RECV_PARTS ? describe_needed(req->peer) : -1;
}

int describe_wait(const struct wait *w, char *text, size_t len)
{
	int n = snprintf(text, len, "mrt_wait: ");

	describe_request(w->what, text + n, len - (size_t)n);
	return request_needed(w->what);
}

int describe_call(const struct wait *w, char *text, size_t len)
{
	const struct mrt_request *req = w->what;
	int n = snprintf(
	    text, len, "%s: ", req->kind == REQ_SEND ? "mrt_send" : "mrt_recv");

	describe_request(req, text + n, len - (size_t)n);
	return request_needed(req);
}

static int list_describe(const struct described_list *list, char *text,
			 size_t len)
{
	const struct mrt_request *first = NULL;
	size_t left = 0;
	int n;

	for (size_t i = 0; i < list->n; i++) {
		if (!request_is_active(list->requests[i]) ||
		    request_is_over(list->requests[i]))
			continue;
		if (!left++)
			first = list->requests[i];
	}
	n = snprintf(text, len, "%s: %zu of %zu requests, the first ",
		     list->call, left, list->n);
	if (!first)
		return -1;
	describe_request(first, text + n, len - (size_t)n);
	return request_needed(first);
}

int describe_all(const struct wait *w, char *text, size_t len)
{
	return list_describe(w->what, text, len);
}

int describe_any(const struct wait *w, char *text, size_t len)
{
	list_describe(w->what, text, len);
	return -1;
}
