/* SPDX-License-Identifier: Apache-2.0 */
/* send_init.c: persistent sends and receives. Their arguments are checked once
 * and kept with the request, which each start prepares anew. */
#include "p2p/bsend.h"
#include "p2p/start.h"
#include "runtime/base/env.h"

enum mode { STANDARD, SYNCHRONOUS, BUFFERED, RECEIVE };

struct persistent {
	struct mrt_request req;
	struct args args;
	enum mode mode;
	int tag;
	void *buf; /* for a send: only read */
};

struct pool request_persistent_pool = POOL_INIT(struct persistent, 16);

static void send_init_release(struct mrt_request *req)
{
	const struct mrt_type *type =
	    ((struct persistent *)req)->args.typed.type;

	if (type)
		type_release(type);
	comm_release(req->comm);
	pool_put_last(&request_persistent_pool, req);
}

static int send_init_start(struct mrt_request *req)
{
	struct persistent *p = (struct persistent *)req;
	const struct args *a = &p->args;
	int rc = env.check && p->mode == RECEIVE
		     ? start_check_overlap(a, p->buf)
		     : 0;

	if (rc)
		return rc;
	request_prepare(req, p->mode == RECEIVE ? REQ_RECV : REQ_SEND);
	req->sync = p->mode == SYNCHRONOUS;
	if (a->peer == MRT_PROC_NULL || p->mode == BUFFERED) {
		if (p->mode == BUFFERED)
			rc = bsend(a, p->buf, p->tag);
		status_empty(&req->status, p->mode == RECEIVE ? MRT_PROC_NULL
							      : MRT_ANY_SOURCE);
		req->complete = true;
	} else if (p->mode == RECEIVE) {
		start_recv(req, a, p->buf, p->tag);
	} else {
		status_empty(&req->status, MRT_ANY_SOURCE);
		start_send_or_fault(req, a, p->buf, p->tag);
	}
	return rc;
}

static const struct request_ops ops = {.start = send_init_start,
				       .release = send_init_release};

static int send_init_make(const struct args *a, const void *buf, int tag,
			  enum mode mode, struct mrt_request **request)
{
	struct persistent *p = pool_get_zeroed(&request_persistent_pool);

	if (!p)
		return proc_fail(MRT_ERR_NO_MEM, "a persistent request");
	request_prepare(&p->req, mode == RECEIVE ? REQ_RECV : REQ_SEND);
	p->req.state = REQUEST_INACTIVE;
	p->req.complete = true;
	p->req.ops = &ops;
	p->req.comm = a->comm;
	comm_hold(a->comm);
	if (a->typed.type)
		type_hold(a->typed.type);
	p->args = *a;
	p->mode = mode;
	p->tag = tag;
	p->buf = (void *)(uintptr_t)buf;
	*request = &p->req;
	return 0;
}

static int send_init(const void *buf, size_t count, struct mrt_type *type,
		     const int dest_tag_mode[3], struct mrt_comm *comm,
		     struct mrt_request **request)
{
	static const char *const calls[] = {[STANDARD] = "mrt_send_init",
					    [SYNCHRONOUS] = "mrt_ssend_init",
					    [BUFFERED] = "mrt_bsend_init"};
	struct args a;
	int rc = proc_enter(calls[dest_tag_mode[2]]);

	if (rc)
		return rc;
	rc = request ? args_send(&a, buf, count, type, dest_tag_mode[0],
				 dest_tag_mode[1], comm)
		     : proc_fail(MRT_ERR_ARG, "request is NULL");
	if (args_ok(rc))
		rc = send_init_make(&a, buf, dest_tag_mode[1],
				    (enum mode)dest_tag_mode[2], request);
	proc_leave();
	return rc;
}

int mrt_send_init(const void *buf, size_t count, struct mrt_type *type,
		  int dest, int tag, struct mrt_comm *comm,
		  struct mrt_request **request)
{
	const int dest_tag_mode[3] = {dest, tag, STANDARD};

	return comm_result(
	    comm, "mrt_send_init",
	    send_init(buf, count, type, dest_tag_mode, comm, request));
}

int mrt_ssend_init(const void *buf, size_t count, struct mrt_type *type,
		   int dest, int tag, struct mrt_comm *comm,
		   struct mrt_request **request)
{
	const int dest_tag_mode[3] = {dest, tag, SYNCHRONOUS};

	return comm_result(
	    comm, "mrt_ssend_init",
	    send_init(buf, count, type, dest_tag_mode, comm, request));
}

int mrt_bsend_init(const void *buf, size_t count, struct mrt_type *type,
		   int dest, int tag, struct mrt_comm *comm,
		   struct mrt_request **request)
{
	const int dest_tag_mode[3] = {dest, tag, BUFFERED};

	return comm_result(
	    comm, "mrt_bsend_init",
	    send_init(buf, count, type, dest_tag_mode, comm, request));
}

int mrt_recv_init(void *buf, size_t count, struct mrt_type *type, int source,
		  int tag, struct mrt_comm *comm, struct mrt_request **request)
{
	struct args a;
	int rc = proc_enter("mrt_recv_init");

	if (!rc) {
		rc = request
			 ? args_recv(&a, buf, count, type, source, tag, comm)
			 : proc_fail(MRT_ERR_ARG, "request is NULL");
		if (args_ok(rc))
			rc = send_init_make(&a, buf, tag, RECEIVE, request);
		proc_leave();
	}
	return comm_result(comm, "mrt_recv_init", rc);
}
