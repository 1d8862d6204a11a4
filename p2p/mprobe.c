/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mprobe.c: matched probe: finds a message and removes it from the unexpected
 * queue at once, so that no other receive or probe of any thread can get it. A
 * struct mrt_message keeps it until it is received.
 */
#include "p2p/start.h"

struct mrt_message {
	uint64_t magic; /* MESSAGE_MAGIC while alive */
	struct mrt_comm *comm;
	struct unexpected *kept;
};
struct pool message_pool = POOL_INIT(struct mrt_message, 32);

/* ---- Probing ------------------------------------------------------------ */

/* Sets *found, and if it is true *message and *status. */
static int mprobe_probe(const struct args *a, int tag, bool blocking,
			int *found, struct mrt_message **message,
			struct mrt_status *status)
{
	struct mrt_message *m;
	struct mrt_status here;
	int rc;

	*found = a->peer == MRT_PROC_NULL;
	if (*found) {
		*message = MRT_MESSAGE_NO_PROC;
		if (status)
			status_empty(status, MRT_PROC_NULL);
		return 0;
	}
	rc = probe_find(a, tag, blocking, found, &here);
	if (!*found)
		return rc;
	m = pool_get(&message_pool);
	if (!m)
		return proc_fail(MRT_ERR_NO_MEM, "a message");
	m->magic = MESSAGE_MAGIC;
	m->comm = a->comm;
	m->kept = p2p_take(a->peer, tag, a->comm->context);
	comm_hold(m->comm);
	*message = m;
	if (status) {
		status_localise(&here, a->comm);
		status_out(status, &here);
	}
	return 0;
}

int mrt_mprobe(int source, int tag, struct mrt_comm *comm,
	       struct mrt_message **message, struct mrt_status *status)
{
	struct args a;
	int found, rc = proc_enter("mrt_mprobe");

	if (!rc) {
		rc = message
			 ? args_recv(&a, NULL, 0, MRT_BYTE, source, tag, comm)
			 : proc_fail(MRT_ERR_ARG, "message is NULL");
		if (!rc)
			rc = mprobe_probe(&a, tag, true, &found, message,
					  status);
		proc_leave();
	}
	return comm_result(comm, "mrt_mprobe", rc);
}

int mrt_improbe(int source, int tag, struct mrt_comm *comm, int *flag,
		struct mrt_message **message, struct mrt_status *status)
{
	struct args a;
	int rc = proc_enter("mrt_improbe");

	if (!rc) {
		rc = message && flag
			 ? args_recv(&a, NULL, 0, MRT_BYTE, source, tag, comm)
			 : proc_fail(MRT_ERR_ARG, "message or flag is NULL");
		if (!rc)
			rc =
			    mprobe_probe(&a, tag, false, flag, message, status);
		proc_leave();
	}
	return comm_result(comm, "mrt_improbe", rc);
}

/* ---- Receiving ---------------------------------------------------------- */

/* Checks the arguments of a receive of *message. a->peer becomes MRT_PROC_NULL
 * for MRT_MESSAGE_NO_PROC; a->comm is NULL if *message is invalid. */
static int mprobe_check(struct args *a, void *buf, size_t count,
			struct mrt_type *type, struct mrt_message **message)
{
	a->comm = NULL;
	a->typed.type = NULL;
	if (!message)
		return proc_fail(MRT_ERR_ARG, "message is NULL");
	if (*message == MRT_MESSAGE_NO_PROC)
		return args_recv(a, buf, count, type, MRT_PROC_NULL, 0,
				 MRT_COMM_SELF);
	if ((uintptr_t)*message < MRT_CONSTANTS_END ||
	    (*message)->magic != MESSAGE_MAGIC)
		return proc_fail_handle(MRT_ERR_REQUEST, *message,
					"a message of mrt_mprobe");
	/* the user may have freed it since the probe */
	a->comm = (*message)->comm;
	a->peer = MRT_ANY_SOURCE;
	args_note_types(a, count, type);
	return args_slow(a, buf, count, type, 0, NULL);
}

/* Starts the receive and sets the handle to null. */
static void mprobe_start(struct mrt_request *req, void *buf,
			 const struct args *a, struct mrt_message **message)
{
	struct mrt_message *m = *message;

	*message = MRT_MESSAGE_NULL;
	if (a->peer == MRT_PROC_NULL) {
		status_empty(&req->status, MRT_PROC_NULL);
		req->complete = true;
		return;
	}
	start_note_types(req, a);
	if (a->typed.type)
		p2p_irecv_taken_type(req, &a->typed, m->kept);
	else
		p2p_irecv_taken(req, buf, a->bytes, m->kept);
	pool_put_last(&message_pool, m);
}

static int mprobe_receive(const struct args *a, void *buf,
			  struct mrt_message **message,
			  struct mrt_status *status)
{
	struct mrt_request req;
	int rc;

	request_prepare(&req, REQ_RECV);
	mprobe_start(&req, buf, a, message);
	rc = receive_finish(&req, a, status);
	if (a->peer != MRT_PROC_NULL)
		comm_release(a->comm);
	return rc;
}

/* Like comm_result, with the message's communicator. */
static int mprobe_result(const char *call, const struct args *a, int rc)
{
	struct mrt_comm *comm = a->comm ? comm_handle(a->comm) : MRT_COMM_NULL;

	return comm_result(comm, call, rc);
}

int mrt_mrecv(void *buf, size_t count, struct mrt_type *type,
	      struct mrt_message **message, struct mrt_status *status)
{
	struct args a = {.comm = NULL};
	int rc = proc_enter("mrt_mrecv");

	if (!rc) {
		rc = mprobe_check(&a, buf, count, type, message);
		if (args_ok(rc))
			rc = mprobe_receive(&a, buf, message, status);
		proc_leave();
	}
	return mprobe_result("mrt_mrecv", &a, rc);
}

static int mprobe_ireceive(const struct args *a, void *buf,
			   struct mrt_message **message,
			   struct mrt_request **request)
{
	struct mrt_request *req = request_alloc(REQ_RECV, a->comm);

	if (!req)
		return proc_fail(MRT_ERR_NO_MEM, "a request");
	mprobe_start(req, buf, a, message);
	if (a->peer != MRT_PROC_NULL)
		comm_release(a->comm); /* the message's reference */
	*request = req;
	return 0;
}

int mrt_imrecv(void *buf, size_t count, struct mrt_type *type,
	       struct mrt_message **message, struct mrt_request **request)
{
	struct args a = {.comm = NULL};
	int rc = proc_enter("mrt_imrecv");

	if (!rc) {
		rc = mprobe_check(&a, buf, count, type, message);
		if (args_ok(rc) && !request)
			rc = proc_fail(MRT_ERR_ARG, "request is NULL");
		if (args_ok(rc))
			rc = mprobe_ireceive(&a, buf, message, request);
		proc_leave();
	}
	return mprobe_result("mrt_imrecv", &a, rc);
}
