/* SPDX-License-Identifier: Apache-2.0 */
/* send.c: the public sends. Each has a fast path for a dense type and a rank,
 * and a slow path for any arguments. */
#include "p2p/args.h"
#include "p2p/p2p.h"
#include "p2p/start.h"

/* Sends with a request. */
static int send_request(const struct args *a, const void *buf, int tag,
			bool sync)
{
	struct mrt_request req;

	request_prepare(&req, REQ_SEND);
	req.sync = sync;
	start_send(&req, a, buf, tag);
	return p2p_wait(&req);
}

static __attribute__((noinline)) int send_slow(const void *buf, size_t count,
					       struct mrt_type *type, int dest,
					       int tag, struct mrt_comm *comm)
{
	struct args a;
	int rc = enter_message("mrt_send", count, type, dest, tag, comm);

	if (!rc) {
		rc = args_send(&a, buf, count, type, dest, tag, comm);
		if (!rc && a.peer >= 0 && !env.check)
			rc = p2p_send(buf, a.bytes, a.peer, tag,
				      a.comm->context);
		else if (rc == ARGS_TYPED || (!rc && a.peer >= 0))
			rc = send_request(&a, buf, tag, false);
		proc_leave();
	}
	return comm_result(comm, "mrt_send", rc);
}

int mrt_send(const void *buf, size_t count, struct mrt_type *type, int dest,
	     int tag, struct mrt_comm *comm)
{
	struct args a;

	if (__builtin_expect(
		!args_fast_unlocked(&a, buf, count, type, dest, comm) ||
		    tag < 0,
		0))
		return send_slow(buf, count, type, dest, tag, comm);
	return proc_result(
	    "mrt_send", p2p_send(buf, a.bytes, a.peer, tag, a.comm->context));
}

int mrt_ssend(const void *buf, size_t count, struct mrt_type *type, int dest,
	      int tag, struct mrt_comm *comm)
{
	struct args a;
	int rc = enter_message("mrt_ssend", count, type, dest, tag, comm);

	if (!rc) {
		rc = args_send(&a, buf, count, type, dest, tag, comm);
		if (args_ok(rc) && a.peer >= 0)
			rc = send_request(&a, buf, tag, true);
		proc_leave();
	}
	return comm_result(comm, "mrt_ssend", rc);
}

static int send_start(const struct args *a, const void *buf, int tag, bool sync,
		      struct mrt_request **request)
{
	struct mrt_request *req = request_alloc(REQ_SEND, a->comm);

	if (!req)
		return MRT_ERR_NO_MEM;
	req->sync = sync;
	status_empty(&req->status, MRT_ANY_SOURCE);
	if (a->peer >= 0)
		start_send(req, a, buf, tag);
	else
		req->complete = true;
	if (req->complete && req->status.error)
		return request_release_failed(req);
	*request = req;
	return 0;
}

static int send_isend(const void *buf, size_t count, struct mrt_type *type,
		      const int dest_tag[2], struct mrt_comm *comm, bool sync,
		      struct mrt_request **request)
{
	struct args a;
	int rc = enter_message(sync ? "mrt_issend" : "mrt_isend", count, type,
			       dest_tag[0], dest_tag[1], comm);

	if (rc)
		return rc;
	rc = request ? args_send(&a, buf, count, type, dest_tag[0], dest_tag[1],
				 comm)
		     : proc_fail(MRT_ERR_ARG, "request is NULL");
	if (args_ok(rc))
		rc = send_start(&a, buf, dest_tag[1], sync, request);
	proc_leave();
	return rc;
}

static __attribute__((noinline)) int isend_slow(const void *buf, size_t count,
						struct mrt_type *type, int dest,
						int tag, struct mrt_comm *comm,
						struct mrt_request **request)
{
	const int dest_tag[2] = {dest, tag};

	return comm_result(
	    comm, "mrt_isend",
	    send_isend(buf, count, type, dest_tag, comm, false, request));
}

int mrt_isend(const void *buf, size_t count, struct mrt_type *type, int dest,
	      int tag, struct mrt_comm *comm, struct mrt_request **request)
{
	struct args a;

	if (__builtin_expect(
		!args_fast_unlocked(&a, buf, count, type, dest, comm) ||
		    tag < 0 || !request,
		0) ||
	    p2p_send_eager(buf, a.bytes, a.peer, tag, a.comm->context))
		return isend_slow(buf, count, type, dest, tag, comm, request);
	*request = &request_sent;
	return 0;
}

int mrt_issend(const void *buf, size_t count, struct mrt_type *type, int dest,
	       int tag, struct mrt_comm *comm, struct mrt_request **request)
{
	const int dest_tag[2] = {dest, tag};

	return comm_result(
	    comm, "mrt_issend",
	    send_isend(buf, count, type, dest_tag, comm, true, request));
}
