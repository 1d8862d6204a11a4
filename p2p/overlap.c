/* SPDX-License-Identifier: Apache-2.0 */
/* overlap.c: MRT_CHECK's search for two receives under way whose buffers
 * overlap. */
#include "p2p/describe.h"
#include "p2p/start.h"
#include "runtime/engine/proc.h"

struct search {
	uintptr_t begin, end;
	const struct mrt_request *found;
};

static void look_at(void *block, void *context)
{
	const struct mrt_request *req = block;
	struct search *s = context;

	if (req->state == REQUEST_ACTIVE && !req->complete &&
	    req->kind == REQ_RECV && (uintptr_t)req->buf < s->end &&
	    (uintptr_t)req->buf + req->bytes > s->begin)
		s->found = req;
}

int start_check_overlap(const struct args *a, const void *buf)
{
	struct search s = {(uintptr_t)buf, (uintptr_t)buf + a->bytes, NULL};
	char text[160];

	/* an element with holes may hold another one */
	if (a->peer == MRT_PROC_NULL || !a->bytes || a->typed.type)
		return 0;
	pool_each(&request_pool, look_at, &s);
	pool_each(&request_persistent_pool, look_at, &s);
	if (!s.found)
		return 0;
	describe_request(s.found, text, sizeof(text));
	return proc_fail(MRT_ERR_BUFFER,
			 "the %zu bytes at %p overlap the buffer of another "
			 "receive, which is not over: %s",
			 a->bytes, buf, text);
}
