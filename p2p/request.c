/* SPDX-License-Identifier: Apache-2.0 */
/* request.c: the pool of requests, and the ids by which peers name them. An id
 * from the wire is an index that is validated, never an address. */
#include "p2p/request.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "p2p/comm.h"
#include "p2p/p2p.h"
#include "runtime/base/log.h"
#include "runtime/base/page.h"
#include "runtime/base/pool.h"
#include "runtime/engine/proc.h"

struct pool request_pool;

static struct {
	struct mrt_request **at; /* [size]; at[0] is unused */
	uint32_t *next_free;	 /* [size] */
	uint32_t size, free;	 /* free: head of the list, 0: none */
} ids;

void requests_init(void)
{
	/* whole cache lines, see struct mrt_request */
	size_t size = (sizeof(struct mrt_request) + 63) & ~(size_t)63;

	pool_init(&request_pool, size, 64);
}

void requests_fini(void)
{
	pool_fini(&request_pool);
	free(ids.at);
	free(ids.next_free);
	ids.at = NULL;
	ids.next_free = NULL;
	ids.size = ids.free = 0;
}

static void request_keep(struct mrt_request *req)
{
	(void)req;
}

static const struct request_ops of_sent = {.release = request_keep};
struct mrt_request request_sent = {
    .state = REQUEST_ACTIVE,
    .complete = true,
    .kind = REQ_SEND,
    .ops = &of_sent,
    .status = {.source = MRT_ANY_SOURCE, .tag = MRT_ANY_TAG}};

const struct request_ops request_pooled = {.release = request_put};

struct mrt_request *request_no_memory(struct mrt_comm *comm)
{
	proc_fail(MRT_ERR_NO_MEM, "no memory for a request");
	proc_fail_comm(comm_handle(comm));
	return NULL;
}

bool request_is_mapped(const struct mrt_request *req)
{
	uintptr_t page = (uintptr_t)req & ~(page_size() - 1);

	return !msync((void *)page, page_size(), MS_ASYNC) || errno != ENOMEM;
}

int request_unknown(const struct mrt_request *handle)
{
	return proc_fail_handle(MRT_ERR_REQUEST, handle,
				"a request: it is complete already");
}

int request_release_failed(struct mrt_request *req)
{
	int rc = p2p_report(req);

	req->ops->release(req);
	return rc;
}

void request_set_error_comm(const struct mrt_request *req)
{
	struct mrt_comm *comm = req->comm;
	struct mrt_comm *outer = comm ? comm->outer : NULL;

	if (outer && outer->coll && outer->magic == COMM_MAGIC)
		proc_fail_comm(outer);
	else if (comm && !outer && comm->refs > 1 && comm->magic == COMM_MAGIC)
		proc_fail_comm(comm_handle(comm));
}

static int grow_ids(void)
{
	uint32_t size = ids.size ? ids.size * 2 : 64;
	struct mrt_request **at = realloc(ids.at, size * sizeof(*at));
	uint32_t *next;

	if (!at)
		return MRT_ERR_NO_MEM;
	ids.at = at;
	next = realloc(ids.next_free, size * sizeof(*next));
	if (!next)
		return MRT_ERR_NO_MEM;
	ids.next_free = next;
	for (uint32_t k = size; k-- > (ids.size ? ids.size : 1);) {
		at[k] = NULL;
		next[k] = ids.free;
		ids.free = k;
	}
	ids.size = size;
	return 0;
}

int request_take_id(struct mrt_request *req)
{
	if (!ids.free && grow_ids())
		return log_error(MRT_ERR_NO_MEM, "ids of requests");
	req->id = ids.free;
	ids.free = ids.next_free[req->id];
	ids.at[req->id] = req;
	req->withdrawn = false;
	return 0;
}

void request_drop_id(struct mrt_request *req)
{
	if (!req->id)
		return;
	ids.at[req->id] = NULL;
	ids.next_free[req->id] = ids.free;
	ids.free = req->id;
	req->id = 0;
}

struct mrt_request *request_by_id(uint32_t id, int peer)
{
	struct mrt_request *req = id && id < ids.size ? ids.at[id] : NULL;

	return req && req->peer == peer ? req : NULL;
}

int requests_check(size_t n, struct mrt_request *const requests[])
{
	if (n && !requests)
		return proc_fail(MRT_ERR_ARG,
				 "the array of %zu requests is NULL", n);
	if (n > INT_MAX)
		return proc_fail(MRT_ERR_COUNT, "%td requests", (ptrdiff_t)n);
	for (size_t i = 0; i < n; i++)
		if (requests[i] != MRT_REQUEST_NULL &&
		    !request_is_valid(requests[i]))
			return request_unknown(requests[i]);
	return 0;
}
