/* SPDX-License-Identifier: Apache-2.0 */
/* grequest.c: generalized requests, which the user completes. The callbacks run
 * without the lock of MRT_THREAD_MULTIPLE, so that they may call libmrt. Every
 * wait and test of the process drives the requests with a poll function. */
#include "p2p/args.h"
#include "p2p/request.h"
#include "runtime/base/list.h"
#include "runtime/engine/outer.h"
#include "runtime/engine/wait.h"

struct grequest {
	struct mrt_request req;
	mrt_grequest_query_fn query;
	mrt_grequest_free_fn free;
	mrt_grequest_cancel_fn cancel;
	mrt_grequest_poll_fn poll; /* NULL: none */
	void *context;
	struct list driven; /* with poll: until it is complete */
	bool given_up;	    /* the handle is gone */
};

struct pool request_general_pool = POOL_INIT(struct grequest, 16);

static int grequest_query(struct mrt_request *req, struct mrt_status *status)
{
	struct grequest *g = (struct grequest *)req;
	int rc = 0;

	status_empty(status, MRT_ANY_SOURCE);
	status->error = 0;
	if (g->query) {
		proc_leave();
		rc = g->query(g->context, status);
		(void)proc_enter("mrt_grequest");
	}
	return rc;
}

static int grequest_cancel(struct mrt_request *req)
{
	struct grequest *g = (struct grequest *)req;
	int rc = 0, complete = req->complete;

	if (g->cancel) {
		proc_leave();
		rc = g->cancel(g->context, complete);
		(void)proc_enter("mrt_grequest");
	}
	return rc;
}

/* Frees a request that is complete and whose handle is gone. */
static int grequest_end(struct grequest *g)
{
	int rc = 0;

	if (g->free) {
		proc_leave();
		rc = g->free(g->context);
		(void)proc_enter("mrt_grequest");
	}
	pool_put_last(&request_general_pool, g);
	return rc;
}

static int give_up(struct mrt_request *req)
{
	struct grequest *g = (struct grequest *)req;

	if (req->complete)
		return grequest_end(g);
	g->given_up = true; /* mrt_grequest_complete frees it */
	return 0;
}

static const struct request_ops general = {
    .query = grequest_query, .cancel = grequest_cancel, .give_up = give_up};

int mrt_grequest_start(mrt_grequest_query_fn query_fn,
		       mrt_grequest_free_fn free_fn,
		       mrt_grequest_cancel_fn cancel_fn, void *context,
		       struct mrt_request **request)
{
	struct grequest *g = NULL;
	int rc = proc_enter("mrt_grequest_start");

	if (!rc) {
		if (!request)
			rc = proc_fail(MRT_ERR_ARG, "request is NULL");
		else if (!(g = pool_get_zeroed(&request_general_pool)))
			rc = proc_fail(MRT_ERR_NO_MEM, "a request");
		if (g) {
			request_prepare(&g->req, REQ_GENERAL);
			g->req.state = REQUEST_ACTIVE;
			g->req.ops = &general;
			g->query = query_fn;
			g->free = free_fn;
			g->cancel = cancel_fn;
			g->context = context;
			*request = &g->req;
		}
		proc_leave();
	}
	return proc_result("mrt_grequest_start", rc);
}

/* Returns 0 if this is a generalized request that is not complete. */
static int grequest_check(const struct mrt_request *req)
{
	if (!request_is_known(req) || req->kind != REQ_GENERAL)
		return proc_fail(MRT_ERR_REQUEST,
				 "%p is none of mrt_grequest_start",
				 (const void *)req);
	if (req->complete)
		return proc_fail(MRT_ERR_REQUEST, "it is complete already");
	return 0;
}

static struct list polled = LIST_INIT(polled);
static size_t npolled;

/* Calls each poll function once. One that is called may complete its request
 * and others, and start more. It may also wait, which must not come back here.
 */
static void grequests_drive(void)
{
	const char *outer = outer_call;
	static bool driving;

	if (driving)
		return;
	driving = true;
	for (size_t n = npolled; n && !list_empty(&polled); n--) {
		struct list *first = list_pop(&polled);
		struct grequest *g = list_entry(first, struct grequest, driven);

		list_append(&polled, first);
		outer_call = NULL; /* the poll is no part of it */
		proc_leave();
		g->poll(g->context);
		(void)proc_enter("mrt_grequest");
		outer_call = outer;
	}
	driving = false;
}

static void grequest_rest(struct grequest *g)
{
	list_remove(&g->driven);
	if (!--npolled)
		wait_drive(NULL);
}

static int grequest_poll(struct mrt_request *req, mrt_grequest_poll_fn poll_fn)
{
	struct grequest *g = (struct grequest *)req;
	int rc = grequest_check(req);

	if (rc)
		return rc;
	if (!poll_fn || g->poll)
		return proc_fail(MRT_ERR_ARG, poll_fn ? "it has a poll_fn"
						      : "poll_fn is NULL");
	g->poll = poll_fn;
	list_append(&polled, &g->driven);
	npolled++;
	wait_drive(grequests_drive);
	return 0;
}

int mrt_grequest_poll(struct mrt_request *request, mrt_grequest_poll_fn poll_fn)
{
	return proc_result(
	    "mrt_grequest_poll",
	    proc_enter("mrt_grequest_poll")
		?: proc_leave_with(grequest_poll(request, poll_fn)));
}

static int grequest_complete(struct mrt_request *req)
{
	struct grequest *g = (struct grequest *)req;
	int rc = grequest_check(req);

	if (rc)
		return rc;
	if (g->poll)
		grequest_rest(g);
	request_complete(req, 0);
	return g->given_up ? grequest_end(g) : 0;
}

int mrt_grequest_complete(struct mrt_request *request)
{
	return proc_result("mrt_grequest_complete",
			   proc_enter("mrt_grequest_complete")
			       ?: proc_leave_with(grequest_complete(request)));
}
