/* SPDX-License-Identifier: Apache-2.0 */
/* describe.c: descriptions of requests. */
#include "p2p/describe.h"

#include <stdio.h>

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

void describe_wait(const struct wait *w, char *text, size_t len)
{
	int n = snprintf(text, len, "mrt_wait: ");

	describe_request(w->what, text + n, len - (size_t)n);
}

void describe_call(const struct wait *w, char *text, size_t len)
{
	const struct mrt_request *req = w->what;
	int n = snprintf(
	    text, len, "%s: ", req->kind == REQ_SEND ? "mrt_send" : "mrt_recv");

	describe_request(req, text + n, len - (size_t)n);
}

void describe_list(const struct wait *w, char *text, size_t len)
{
	const struct described_list *list = w->what;
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
	if (first)
		describe_request(first, text + n, len - (size_t)n);
}
