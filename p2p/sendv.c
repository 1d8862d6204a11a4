/* SPDX-License-Identifier: Apache-2.0 */
/* sendv.c: the public sends of messages in pieces. */
#include "p2p/args.h"
#include "p2p/p2p.h"
#include "p2p/types.h"

static int check_pieces(const struct iovec *iov, int n)
{
	size_t room = TYPE_COUNT_MAX;

	if (n < 0)
		return proc_fail(MRT_ERR_COUNT, "%d pieces", n);
	if (!iov && n)
		return proc_fail(MRT_ERR_BUFFER,
				 "the list of %d pieces is NULL", n);
	for (int i = 0; i < n; i++) {
		if (iov[i].iov_len > room)
			return proc_fail(MRT_ERR_COUNT,
					 "more than %zu bytes up to piece %d",
					 TYPE_COUNT_MAX, i);
		if (!iov[i].iov_base && iov[i].iov_len)
			return proc_fail(MRT_ERR_BUFFER,
					 "piece %d is NULL and has %zu bytes",
					 i, iov[i].iov_len);
		room -= iov[i].iov_len;
	}
	return 0;
}

static int sendv_check(struct args *a, const struct iovec *iov, int n, int dest,
		       int tag, struct mrt_comm *comm)
{
	int rc = args_send(a, NULL, 0, MRT_BYTE, dest, tag, comm);

	return rc ? rc : check_pieces(iov, n);
}

int mrt_sendv(const struct iovec *iov, int n, int dest, int tag,
	      struct mrt_comm *comm)
{
	struct mrt_request req;
	struct args a;
	int rc = proc_enter("mrt_sendv");

	if (!rc) {
		rc = sendv_check(&a, iov, n, dest, tag, comm);
		if (!rc && a.peer >= 0) {
			request_prepare(&req, REQ_SEND);
			if (env.check) /* pieces are bytes of no type */
				types_note_none(&req);
			p2p_isendv(&req, iov, n, a.peer, tag, a.comm->context);
			rc = p2p_wait(&req);
		}
		proc_leave();
	}
	return comm_result(comm, "mrt_sendv", rc);
}

static int sendv_start(const struct args *a, const struct iovec *iov, int n,
		       int tag, struct mrt_request **request)
{
	struct mrt_request *req = request_alloc(REQ_SEND, a->comm);

	if (!req)
		return MRT_ERR_NO_MEM;
	status_empty(&req->status, MRT_ANY_SOURCE);
	if (env.check)
		types_note_none(req);
	if (a->peer >= 0)
		p2p_isendv(req, iov, n, a->peer, tag, a->comm->context);
	else
		req->complete = true;
	if (req->complete && req->status.error)
		return request_release_failed(req);
	*request = req;
	return 0;
}

int mrt_isendv(const struct iovec *iov, int n, int dest, int tag,
	       struct mrt_comm *comm, struct mrt_request **request)
{
	struct args a;
	int rc = proc_enter("mrt_isendv");

	if (!rc) {
		rc = request ? sendv_check(&a, iov, n, dest, tag, comm)
			     : proc_fail(MRT_ERR_ARG, "request is NULL");
		if (!rc)
			rc = sendv_start(&a, iov, n, tag, request);
		proc_leave();
	}
	return comm_result(comm, "mrt_isendv", rc);
}

int mrt_set_gather_min(size_t bytes)
{
	int rc = proc_enter("mrt_set_gather_min");

	if (!rc) {
		p2p_set_gather_min(bytes);
		proc_leave();
	}
	return proc_result("mrt_set_gather_min", rc);
}
