/* SPDX-License-Identifier: Apache-2.0 */
/* sendrecv.c: a send and a receive from one buffer (replace), and in one
 * request. The replacing calls first pack what they send. */
#include <stdlib.h>

#include "p2p/start.h"
#include "p2p/types.h"

/* Copies what a replacing call sends, packed: *out is then of bytes. *copy: to
 * be freed; NULL if nothing is sent. */
static int copy_out(struct args *out, const void *buf, struct mrt_type *type,
		    void **copy)
{
	*copy = NULL;
	out->typed.type = NULL;
	if (!out->bytes || out->peer < 0)
		return 0;
	*copy = malloc(out->bytes);
	if (!*copy)
		return proc_fail(MRT_ERR_NO_MEM, "a copy of %zu bytes",
				 out->bytes);
	type_pack(type_get(type), buf, 0, out->bytes, *copy);
	return 0;
}

static int sendrecv_replace(struct args *out, int sendtag,
			    const struct args *in, int recvtag, void *buf,
			    struct mrt_type *type, struct mrt_status *status)
{
	void *copy;
	int rc = copy_out(out, buf, type, &copy);

	if (!rc)
		rc = send_receive(out, copy, sendtag, in, buf, recvtag, status);
	free(copy);
	return rc;
}

int mrt_sendrecv_replace(void *buf, size_t count, struct mrt_type *type,
			 int dest, int sendtag, int source, int recvtag,
			 struct mrt_comm *comm, struct mrt_status *status)
{
	struct args out, in;
	int rc = enter_message("mrt_sendrecv_replace", count, type, dest,
			       sendtag, comm);

	if (!rc) {
		rc = args_send(&out, buf, count, type, dest, sendtag, comm);
		if (args_ok(rc))
			rc = args_recv(&in, buf, count, type, source, recvtag,
				       comm);
		if (args_ok(rc))
			rc = sendrecv_replace(&out, sendtag, &in, recvtag, buf,
					      type, status);
		proc_leave();
	}
	return comm_result(comm, "mrt_sendrecv_replace", rc);
}

/* ---- In one request ----------------------------------------------------- */

/* The user's request is a receive, as its status is the receive's. */
struct pair;
struct half {
	struct mrt_request req; /* first: done() gets its address */
	struct pair *pair;
};
struct pair {
	struct mrt_request req;
	struct half send, recv;
	int left;   /* halves under way, plus one until all are started */
	void *copy; /* of the data sent, or NULL */
};

struct pool request_pair_pool = POOL_INIT(struct pair, 16);

static void sendrecv_release(struct mrt_request *req)
{
	struct pair *pair = (struct pair *)req;

	comm_release(req->comm);
	free(pair->copy);
	pool_put_last(&request_pair_pool, pair);
}

static const struct request_ops ops = {.release = sendrecv_release};

static void half_done(struct mrt_request *req)
{
	struct pair *pair = ((struct half *)req)->pair;
	int send_error = pair->send.req.status.error;

	if (--pair->left)
		return;
	pair->req.status = pair->recv.req.status;
	if (pair->req.status.error) {
		pair->req.context = pair->recv.req.context;
		types_copy(&pair->recv.req, &pair->req);
	}
	request_complete(&pair->req,
			 send_error ? send_error : pair->req.status.error);
}

static void prepare_half(struct pair *pair, struct half *half,
			 enum request_kind kind)
{
	request_prepare(&half->req, kind);
	half->req.done = half_done;
	half->pair = pair;
}

static struct pair *make_pair(const struct args *in, void *copy)
{
	struct pair *pair = pool_get_zeroed(&request_pair_pool);

	if (!pair)
		return NULL;
	request_prepare(&pair->req, REQ_RECV);
	pair->req.state = REQUEST_ACTIVE;
	pair->req.ops = &ops;
	pair->req.comm = in->comm;
	pair->req.bytes = in->bytes;
	pair->copy = copy;
	pair->left = 3;
	comm_hold(in->comm);
	prepare_half(pair, &pair->send, REQ_SEND);
	prepare_half(pair, &pair->recv, REQ_RECV);
	return pair;
}

/* The receive is posted first, so that a send to oneself finds it. */
static void start_pair(struct pair *pair, const struct args *out,
		       const void *sendbuf, int sendtag, const struct args *in,
		       void *recvbuf, int recvtag)
{
	if (in->peer != MRT_PROC_NULL) {
		start_recv(&pair->recv.req, in, recvbuf, recvtag);
	} else {
		status_empty(&pair->recv.req.status, MRT_PROC_NULL);
		half_done(&pair->recv.req);
	}
	if (out->peer >= 0)
		start_send_or_fault(&pair->send.req, out, sendbuf, sendtag);
	else
		half_done(&pair->send.req);
	half_done(&pair->recv.req);
}

static int sendrecv_isendrecv(const struct args *out, const void *sendbuf,
			      int sendtag, const struct args *in, void *recvbuf,
			      int recvtag, struct mrt_request **request)
{
	struct pair *pair = make_pair(in, NULL);

	if (!pair)
		return proc_fail(MRT_ERR_NO_MEM, "a request");
	start_pair(pair, out, sendbuf, sendtag, in, recvbuf, recvtag);
	*request = &pair->req;
	return 0;
}

int mrt_isendrecv(const void *sendbuf, size_t sendcount,
		  struct mrt_type *sendtype, int dest, int sendtag,
		  void *recvbuf, size_t recvcount, struct mrt_type *recvtype,
		  int source, int recvtag, struct mrt_comm *comm,
		  struct mrt_request **request)
{
	struct args out, in;
	int rc = enter_message("mrt_isendrecv", sendcount, sendtype, dest,
			       sendtag, comm);

	if (!rc) {
		rc = request ? args_send(&out, sendbuf, sendcount, sendtype,
					 dest, sendtag, comm)
			     : proc_fail(MRT_ERR_ARG, "request is NULL");
		if (args_ok(rc))
			rc = args_recv(&in, recvbuf, recvcount, recvtype,
				       source, recvtag, comm);
		if (args_ok(rc))
			rc = sendrecv_isendrecv(&out, sendbuf, sendtag, &in,
						recvbuf, recvtag, request);
		proc_leave();
	}
	return comm_result(comm, "mrt_isendrecv", rc);
}

static int sendrecv_ireplace(struct args *out, int sendtag,
			     const struct args *in, int recvtag, void *buf,
			     struct mrt_type *type,
			     struct mrt_request **request)
{
	struct pair *pair;
	void *copy;
	int rc = copy_out(out, buf, type, &copy);

	if (rc)
		return rc;
	pair = make_pair(in, copy);
	if (!pair) {
		free(copy);
		return proc_fail(MRT_ERR_NO_MEM, "a request");
	}
	start_pair(pair, out, copy, sendtag, in, buf, recvtag);
	*request = &pair->req;
	return 0;
}

int mrt_isendrecv_replace(void *buf, size_t count, struct mrt_type *type,
			  int dest, int sendtag, int source, int recvtag,
			  struct mrt_comm *comm, struct mrt_request **request)
{
	struct args out, in;
	int rc = enter_message("mrt_isendrecv_replace", count, type, dest,
			       sendtag, comm);

	if (!rc) {
		rc = request ? args_send(&out, buf, count, type, dest, sendtag,
					 comm)
			     : proc_fail(MRT_ERR_ARG, "request is NULL");
		if (args_ok(rc))
			rc = args_recv(&in, buf, count, type, source, recvtag,
				       comm);
		if (args_ok(rc))
			rc = sendrecv_ireplace(&out, sendtag, &in, recvtag, buf,
					       type, request);
		proc_leave();
	}
	return comm_result(comm, "mrt_isendrecv_replace", rc);
}
