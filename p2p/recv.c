/* SPDX-License-Identifier: Apache-2.0 */
/* recv.c: the public receives, and sendrecv. Blocking ones have a fast path for
 * dense types, one rank and one tag, and a slow path for all else. */
#include "p2p/args.h"
#include "p2p/match.h"
#include "p2p/p2p.h"
#include "p2p/start.h"
#include "p2p/wire.h"
#include "runtime/base/env.h"

int receive_finish(struct mrt_request *req, const struct args *a,
		   struct mrt_status *status)
{
	int rc = p2p_wait(req);

	if (__builtin_expect(!rc && !status, 1))
		return 0;
	if (!req->complete)
		return rc;
	status_localise(&req->status, a->comm);
	if (rc)
		rc = receive_error(&req->status, a->bytes);
	if (status)
		status_out(status, &req->status);
	return rc;
}

/* The slow path: receives with a request. */
static __attribute__((noinline)) int
recv_slow(void *buf, size_t count, struct mrt_type *type, int source, int tag,
	  struct mrt_comm *comm, struct mrt_status *status)
{
	struct mrt_request req;
	struct args a;
	int rc = enter_message("mrt_recv", count, type, source, tag, comm);

	if (!rc) {
		rc = args_recv(&a, buf, count, type, source, tag, comm);
		if (args_ok(rc) && a.peer != MRT_PROC_NULL) {
			request_prepare(&req, REQ_RECV);
			start_recv(&req, &a, buf, tag);
			rc = receive_finish(&req, &a, status);
		} else if (!rc && status) {
			status_empty(status, MRT_PROC_NULL);
		}
		proc_leave();
	}
	return comm_result(comm, "mrt_recv", rc);
}

/* Sets the status of a blocking receive. source: rank in the communicator. */
static void status_of(struct mrt_status *status, const struct blocking_recv *r,
		      int source)
{
	status->source = source;
	status->tag = wire_tag(r->hdr);
	status->cancelled = 0;
	status->bytes = r->bytes;
}

/* Ends a failed blocking receive. */
static __attribute__((noinline)) int failed(const struct blocking_recv *r,
					    int rc, const struct args *a,
					    int source,
					    struct mrt_status *status)
{
	struct mrt_status here = {.error = rc};

	proc_fail_comm(comm_handle(a->comm));
	if (!r->arrived)
		return rc;
	status_of(&here, r, source);
	if (status)
		status_out(status, &here);
	return receive_error(&here, r->capacity);
}

/* Receives with arguments that args_fast has set. */
static inline int recv_receive(const struct args *a, void *buf, int source,
			       int tag, struct mrt_status *status)
{
	struct blocking_recv r = {
	    .hdr = wire_pack(WIRE_EAGER, a->comm->context, tag),
	    .peer = a->peer,
	    .buf = buf,
	    .capacity = a->bytes};
	int rc = p2p_recv(&r);

	if (__builtin_expect(rc, 0))
		return failed(&r, rc, a, source, status);
	if (status)
		status_of(status, &r, source);
	return 0;
}

int mrt_recv(void *buf, size_t count, struct mrt_type *type, int source,
	     int tag, struct mrt_comm *comm, struct mrt_status *status)
{
	struct args a;

	if (__builtin_expect(
		!args_fast_unlocked(&a, buf, count, type, source, comm) ||
		    tag < 0,
		0))
		return recv_slow(buf, count, type, source, tag, comm, status);
	return proc_result("mrt_recv",
			   recv_receive(&a, buf, source, tag, status));
}

static int recv_start(const struct args *a, void *buf, int tag,
		      struct mrt_request **request)
{
	struct mrt_request *req;
	int rc = env.check ? start_check_overlap(a, buf) : 0;

	if (rc)
		return rc;
	req = request_alloc(REQ_RECV, a->comm);
	if (!req)
		return MRT_ERR_NO_MEM;
	if (a->peer != MRT_PROC_NULL) {
		start_recv(req, a, buf, tag);
	} else {
		status_empty(&req->status, MRT_PROC_NULL);
		req->complete = true;
	}
	*request = req;
	return 0;
}

static __attribute__((noinline)) int
irecv_slow(void *buf, size_t count, struct mrt_type *type, int source, int tag,
	   struct mrt_comm *comm, struct mrt_request **request)
{
	struct args a;
	int rc = enter_message("mrt_irecv", count, type, source, tag, comm);

	if (!rc) {
		rc = request
			 ? args_recv(&a, buf, count, type, source, tag, comm)
			 : proc_fail(MRT_ERR_ARG, "request is NULL");
		if (args_ok(rc))
			rc = recv_start(&a, buf, tag, request);
		proc_leave();
	}
	return comm_result(comm, "mrt_irecv", rc);
}

int mrt_irecv(void *buf, size_t count, struct mrt_type *type, int source,
	      int tag, struct mrt_comm *comm, struct mrt_request **request)
{
	struct mrt_request *req;
	struct args a;

	if (__builtin_expect(
		!args_fast_unlocked(&a, buf, count, type, source, comm) ||
		    tag < 0 || !request,
		0))
		return irecv_slow(buf, count, type, source, tag, comm, request);
	req = request_alloc(REQ_RECV, a.comm);
	if (__builtin_expect(!req, 0))
		return proc_result("mrt_irecv", MRT_ERR_NO_MEM);
	*request = req;
	if (match_load.kept) {
		p2p_irecv(req, buf, a.bytes, a.peer, tag, a.comm->context);
		return 0;
	}
	req->buf = buf;
	req->bytes = a.bytes;
	req->peer = a.peer;
	req->tag = tag;
	req->context = a.comm->context;
	match_post_exact(req);
	return 0;
}

/* The receive is posted first, so that a send to oneself finds it. */
int send_receive(const struct args *out, const void *sendbuf, int sendtag,
		 const struct args *in, void *recvbuf, int recvtag,
		 struct mrt_status *status)
{
	struct mrt_request send, recv;
	int rc = 0, recv_rc = 0;

	request_prepare(&recv, REQ_RECV);
	if (in->peer != MRT_PROC_NULL)
		start_recv(&recv, in, recvbuf, recvtag);
	else if (status)
		status_empty(status, MRT_PROC_NULL);
	if (out->peer >= 0) {
		request_prepare(&send, REQ_SEND);
		start_send(&send, out, sendbuf, sendtag);
		rc = p2p_wait(&send);
	}
	/* the message may be an answer to the send */
	if (rc && in->peer != MRT_PROC_NULL)
		p2p_cancel(&recv);
	if (in->peer != MRT_PROC_NULL)
		recv_rc = receive_finish(&recv, in, status);
	return rc ? rc : recv_rc;
}

int mrt_sendrecv(const void *sendbuf, size_t sendcount,
		 struct mrt_type *sendtype, int dest, int sendtag,
		 void *recvbuf, size_t recvcount, struct mrt_type *recvtype,
		 int source, int recvtag, struct mrt_comm *comm,
		 struct mrt_status *status)
{
	struct args out, in;
	int rc;

	/* an eager send that completes at once needs no request, and then the
	 * receive needs none */
	if (args_fast_unlocked(&out, sendbuf, sendcount, sendtype, dest,
			       comm) &&
	    sendtag >= 0 && recvtag >= 0 &&
	    args_fast(&in, recvbuf, recvcount, recvtype, source, comm) &&
	    !p2p_send_eager(sendbuf, out.bytes, out.peer, sendtag,
			    out.comm->context))
		return proc_result(
		    "mrt_sendrecv",
		    recv_receive(&in, recvbuf, source, recvtag, status));
	rc = enter_message("mrt_sendrecv", sendcount, sendtype, dest, sendtag,
			   comm);
	if (!rc) {
		rc = args_send(&out, sendbuf, sendcount, sendtype, dest,
			       sendtag, comm);
		if (args_ok(rc))
			rc = args_recv(&in, recvbuf, recvcount, recvtype,
				       source, recvtag, comm);
		if (args_ok(rc))
			rc = send_receive(&out, sendbuf, sendtag, &in, recvbuf,
					  recvtag, status);
		proc_leave();
	}
	return comm_result(comm, "mrt_sendrecv", rc);
}
