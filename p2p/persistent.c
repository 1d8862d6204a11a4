/* SPDX-License-Identifier: Apache-2.0 */
/*
 * persistent.c: starts persistent requests and frees requests. A request that
 * is freed while it is active is in one list until it is complete and then in
 * another, whose requests progress releases.
 */
#include "p2p/complete.h"
#include "p2p/describe.h"
#include "p2p/request.h"
#include "runtime/base/log.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/progress.h"
#include "runtime/engine/wait.h"

/* ---- Orphans ------------------------------------------------------------ */

static struct list freed_active = LIST_INIT(freed_active);
static struct list freed_complete = LIST_INIT(freed_complete);

static bool has_orphans(void)
{
	return !list_empty(&freed_active) || !list_empty(&freed_complete);
}

static int release_complete(struct progress_hook *hook)
{
	struct list *it;
	int n = 0;

	while ((it = list_pop(&freed_complete))) {
		struct mrt_request *req =
		    list_entry(it, struct mrt_request, freed);

		req->ops->release(req);
		n++;
	}
	if (!has_orphans())
		progress_remove(hook);
	return n;
}
static struct progress_hook freed_hook = {.poll = release_complete};

/* Notes that a freed request is complete. Progress releases it later, since who
 * has completed it may still use it. */
static void orphan_done(struct mrt_request *req)
{
	req->done = NULL;
	list_remove(&req->freed);
	list_append(&freed_complete, &req->freed);
}

void request_free_later(struct mrt_request *req)
{
	progress_add(&freed_hook);
	req->state = REQUEST_FREED;
	/* the done of a public request is NULL or one that calls `then` */
	*(req->done ? &req->then : &req->done) = orphan_done;
	list_append(&freed_active, &req->freed);
}

void requests_each_freed(void (*visit)(void *req, void *context), void *context)
{
	list_for_each (it, &freed_active)
		visit(list_entry(it, struct mrt_request, freed), context);
}

static void warn_unfinished(void)
{
	char text[160];

	describe_request(
	    list_entry(freed_active.next, struct mrt_request, freed), text,
	    sizeof(text));
	log_warn("mrt_finalize: requests that were freed are not over, one for "
		 "%s: nobody waits for them any more",
		 text);
}

int requests_drain(struct idle_timeout *limit)
{
	WAIT(w, wait_text,
	     "mrt_finalize: requests that were "
	     "freed before they were over");
	int rc = 0;

	while (has_orphans() && !rc) {
		rc = wait_poll(&w);
		if (!rc && !list_empty(&freed_active) &&
		    idle_timeout_over(limit, &w)) {
			warn_unfinished();
			break;
		}
	}
	return rc;
}

/* ---- Calls -------------------------------------------------------------- */

static int persistent_check(struct mrt_request **request)
{
	if (!request)
		return proc_fail(MRT_ERR_ARG, "request is NULL");
	if (!request_is_valid(*request))
		return request_unknown(*request);
	return 0;
}

static int check_start(struct mrt_request **request)
{
	int rc = persistent_check(request);

	if (rc)
		return rc;
	if (!(*request)->ops->start)
		return proc_fail(MRT_ERR_REQUEST,
				 "the request is not persistent");
	if ((*request)->state != REQUEST_INACTIVE)
		return proc_fail(MRT_ERR_REQUEST,
				 "the request has been started, and not "
				 "completed by a test or wait");
	return 0;
}

static int persistent_start(struct mrt_request **request)
{
	int rc = check_start(request);

	if (rc)
		return rc;
	rc = (*request)->ops->start(*request);
	if (rc)
		request_set_error_comm(*request);
	else
		(*request)->state = REQUEST_ACTIVE;
	return rc;
}

int mrt_start(struct mrt_request **request)
{
	return proc_result("mrt_start",
			   proc_enter("mrt_start")
			       ?: proc_leave_with(persistent_start(request)));
}

int mrt_startall(size_t n, struct mrt_request *requests[])
{
	int rc = proc_enter("mrt_startall");

	if (!rc) {
		/* none is started if one of them cannot be */
		rc = requests_check(n, requests);
		for (size_t i = 0; i < n && !rc; i++)
			rc = check_start(&requests[i]);
		for (size_t i = 0; i < n && !rc; i++)
			rc = persistent_start(&requests[i]);
		proc_leave();
	}
	return proc_result("mrt_startall", rc);
}

static int give_up(struct mrt_request **request)
{
	struct mrt_request *req;
	int rc = persistent_check(request);

	if (rc)
		return rc;
	req = *request;
	if (req->kind == REQ_PARTITIONED && !req->complete)
		return proc_fail(MRT_ERR_REQUEST,
				 "a partitioned operation is freed before a "
				 "test or wait has completed it");
	*request = MRT_REQUEST_NULL;
	if (req->kind == REQ_GENERAL)
		return req->ops->give_up(req);
	if (req->complete)
		req->ops->release(req);
	else
		request_free_later(req);
	return 0;
}

int mrt_request_free(struct mrt_request **request)
{
	return proc_result("mrt_request_free",
			   proc_enter("mrt_request_free")
			       ?: proc_leave_with(give_up(request)));
}
