/* SPDX-License-Identifier: Apache-2.0 */
/* complete.c: tests, waits and cancel. */
#include "p2p/args.h"
#include "p2p/complete.h"
#include "p2p/describe.h"
#include "p2p/p2p.h"
#include "runtime/engine/progress.h"
#include "runtime/engine/wait.h"

/* Retires a generalized request: its callbacks set the status and free it. */
static __attribute__((noinline)) int retire_general(struct mrt_request **handle,
						    struct mrt_status *status)
{
	struct mrt_request *req = *handle;
	struct mrt_status here;
	int rc = req->ops->query(req, &here);
	int freed = req->ops->give_up(req);

	if (status)
		status_out(status, &here);
	*handle = MRT_REQUEST_NULL;
	return freed ? freed : rc;
}

/* The slow path of retire: a request that is persistent, failed, or not from
 * request_alloc. */
static __attribute__((noinline)) int retire_slow(struct mrt_request **handle,
						 struct mrt_status *status)
{
	struct mrt_request *req = *handle;
	int rc = req->status.error;

	if (rc && req->kind != REQ_GENERAL)
		p2p_report(req);
	if (req->kind == REQ_RECV) {
		status_localise(&req->status, req->comm);
		rc = receive_error(&req->status, req->bytes);
	} else if (req->kind == REQ_GENERAL) {
		return retire_general(handle, status);
	}
	if (rc)
		request_set_error_comm(req);
	if (status)
		status_out(status, &req->status);
	if (req->ops->start) {
		req->state = REQUEST_INACTIVE;
	} else {
		*handle = MRT_REQUEST_NULL;
		req->ops->release(req);
	}
	return rc;
}

/*
 * Ends a completed request: copies its status to the user. A persistent request
 * becomes inactive; others are released and the handle becomes null. Returns
 * the request's error.
 */
static inline int complete_retire(struct mrt_request **handle,
				  struct mrt_status *status)
{
	struct mrt_request *req = *handle;

	if (req != &request_sent) {
		if (__builtin_expect(
			req->ops != &request_pooled || req->status.error, 0))
			return retire_slow(handle, status);
		if (status && req->kind == REQ_RECV)
			status_localise(&req->status, req->comm);
	}
	if (status)
		status_out(status, &req->status);
	*handle = MRT_REQUEST_NULL;
	if (req != &request_sent)
		request_put(req);
	return 0;
}

/* Tells whether all of the requests that are under way wait in their own way,
 * in which progress of others is rare. */
static bool all_await(size_t n, struct mrt_request *const requests[])
{
	size_t i = 0;

	while (i < n &&
	       (request_is_over(requests[i]) || requests[i]->ops->await))
		i++;
	return i == n;
}

/* Waits for the first of the requests, which is under way, or for any progress.
 */
static int wait_turn(size_t n, struct mrt_request *const requests[],
		     struct wait *w)
{
	struct mrt_request *first = requests[0];
	int rc = all_await(n, requests) ? first->ops->await(first, w) : 0;

	return rc || first->complete ? rc : wait_poll(w);
}

/* ---- one ---- */

/* Whether the handle is of an active request and the call takes no lock: the
 * condition for the fast paths below. */
static inline bool is_fast(struct mrt_request *const *request)
{
	return __builtin_expect(proc.open && request &&
				    (uintptr_t)*request >= MRT_CONSTANTS_END &&
				    (*request)->state == REQUEST_ACTIVE,
				1);
}

/* Waits until req is complete. Returns 0 or a fault. */
static __attribute__((noinline)) int wait_for(struct mrt_request *req)
{
	WAIT(w, describe_wait, req);

	while (!req->complete) {
		int rc = wait_turn(1, &req, &w);

		if (rc && !req->complete)
			return rc;
	}
	return 0;
}

static int wait_one(struct mrt_request **request, struct mrt_status *status)
{
	struct mrt_request *req;
	int rc;

	if (!request_is_active(*request)) {
		if (status)
			status_empty(status, MRT_ANY_SOURCE);
		return 0;
	}
	req = *request;
	rc = wait_for(req);
	if (rc)
		return rc;
	if (*request != req || req->state != REQUEST_ACTIVE)
		return proc_fail(
		    MRT_ERR_REQUEST,
		    "request %p has been completed by another thread",
		    (void *)req);
	return complete_retire(request, status);
}

static __attribute__((noinline)) int wait_slow(struct mrt_request **request,
					       struct mrt_status *status)
{
	int rc = proc_enter("mrt_wait");

	if (!rc) {
		rc = request ? requests_check(1, request)
			     : proc_fail(MRT_ERR_ARG, "request is NULL");
		if (!rc)
			rc = wait_one(request, status);
		proc_leave();
	}
	return proc_result("mrt_wait", rc);
}

int mrt_wait(struct mrt_request **request, struct mrt_status *status)
{
	int rc = 0;

	if (!is_fast(request))
		return wait_slow(request, status);
	if (!(*request)->complete)
		rc = wait_for(*request);
	if (!rc)
		rc = complete_retire(request, status);
	return proc_result("mrt_wait", rc);
}

static __attribute__((noinline)) int
test_slow(struct mrt_request **request, int *flag, struct mrt_status *status)
{
	int rc = proc_enter("mrt_test");

	if (!rc) {
		rc = request && flag
			 ? requests_check(1, request)
			 : proc_fail(MRT_ERR_ARG, "request or flag is NULL");
		if (!rc && !request_is_over(*request))
			wait_test();
		if (!rc) {
			*flag = request_is_over(*request);
			rc = *flag ? wait_one(request, status)
				   : progress_fault();
		}
		proc_leave();
	}
	return proc_result("mrt_test", rc);
}

static __attribute__((noinline)) int test_over(struct mrt_request **request,
					       struct mrt_status *status)
{
	return proc_result("mrt_test", complete_retire(request, status));
}

int mrt_test(struct mrt_request **request, int *flag, struct mrt_status *status)
{
	if (!is_fast(request) || !flag)
		return test_slow(request, flag, status);
	if (!(*request)->complete)
		wait_test();
	*flag = (*request)->complete;
	return *flag ? test_over(request, status)
		     : proc_result("mrt_test", progress_fault());
}

/* ---- all ---- */

static bool all_complete(size_t n, struct mrt_request *requests[], size_t *at)
{
	while (*at < n && request_is_over(requests[*at]))
		++*at;
	return *at == n;
}

int requests_note(int rc, int error, size_t i, struct mrt_status statuses[],
		  size_t k)
{
	if (!rc && !error)
		return 0;
	for (size_t j = 0; j < k && statuses && !rc; j++)
		statuses[j].error = 0;
	if (statuses)
		statuses[k].error = error;
	if (!error)
		return rc;
	/* in the fatal mode nobody sees the status, but the exit code */
	return proc_fail(
	    proc.error_mode == MRT_ERRORS_FATAL ? error : MRT_ERR_IN_STATUS,
	    "request %zu: %s", i, mrt_error_string(error));
}

/* Handles an entry that is not active: null, inactive, or listed twice, so that
 * its request has been released. */
static __attribute__((noinline)) int skip(struct mrt_request **handle,
					  struct mrt_status *status)
{
	struct mrt_request *req = *handle;

	if (status)
		status_empty(status, MRT_ANY_SOURCE);
	if (req == MRT_REQUEST_NULL || request_is_known(req))
		return 0;
	*handle = MRT_REQUEST_NULL;
	return request_unknown(req);
}

/* Retires all requests, which are complete. */
static int retire_all(size_t n, struct mrt_request *requests[],
		      struct mrt_status statuses[])
{
	int rc = 0, one;

	for (size_t i = 0; i < n; i++) {
		struct mrt_status *status = statuses ? &statuses[i] : NULL;

		if (request_is_active(requests[i]))
			one = complete_retire(&requests[i], status);
		else
			one = skip(&requests[i], status);
		if (__builtin_expect(rc | one, 0))
			rc = requests_note(rc, one, i, statuses, i);
	}
	return rc;
}

static int complete_all(size_t n, struct mrt_request *requests[],
			struct mrt_status statuses[], bool *done)
{
	struct described_list list = {"mrt_waitall", n, requests};
	WAIT(w, describe_all, &list);
	size_t at = 0;
	bool blocking = *done;
	int rc = 0;

	while (!(*done = all_complete(n, requests, &at))) {
		if (blocking)
			rc = wait_turn(n - at, &requests[at], &w);
		else if (!wait_test())
			return progress_fault();
		if (rc && !all_complete(n, requests, &at))
			return rc;
		if (!blocking && !all_complete(n, requests, &at))
			return 0;
	}
	return retire_all(n, requests, statuses);
}

int mrt_waitall(size_t n, struct mrt_request *requests[],
		struct mrt_status statuses[])
{
	bool done = true;
	int rc = proc_enter("mrt_waitall");

	if (!rc) {
		rc = requests_check(n, requests)
			 ?: complete_all(n, requests, statuses, &done);
		proc_leave();
	}
	return proc_result("mrt_waitall", rc);
}

int mrt_testall(size_t n, struct mrt_request *requests[], int *flag,
		struct mrt_status statuses[])
{
	bool done = false;
	int rc = proc_enter("mrt_testall");

	if (!rc) {
		rc = flag ? requests_check(n, requests)
			  : proc_fail(MRT_ERR_ARG, "flag is NULL");
		if (!rc) {
			rc = complete_all(n, requests, statuses, &done);
			*flag = done;
		}
		proc_leave();
	}
	return proc_result("mrt_testall", rc);
}

/* ---- any and some ---- */

int requests_first(size_t n, struct mrt_request *const requests[], bool *active)
{
	*active = false;
	for (size_t i = 0; i < n; i++) {
		if (!request_is_active(requests[i]))
			continue;
		if (requests[i]->complete)
			return (int)i;
		*active = true;
	}
	return -1;
}

/* Finds a completed request: sets *index to it, to MRT_UNDEFINED if no request
 * is active, or to -1 if not blocking and none is complete. */
static int find_any(size_t n, struct mrt_request *requests[], bool blocking,
		    int *index)
{
	struct described_list list = {"mrt_waitany or mrt_waitsome", n,
				      requests};
	WAIT(w, describe_any, &list);
	bool active, polled = false;
	int first, rc = requests_check(n, requests);

	while (!rc) {
		first = requests_first(n, requests, &active);
		if (first >= 0 || !active) {
			*index = first >= 0 ? first : MRT_UNDEFINED;
			return 0;
		}
		if (!blocking && polled) {
			*index = -1;
			return progress_fault();
		}
		if (blocking)
			rc = wait_poll(&w);
		else
			wait_test();
		polled = true;
	}
	return rc;
}

static int retire_any(struct mrt_request *requests[], int index,
		      struct mrt_status *status)
{
	if (index >= 0)
		return complete_retire(&requests[index], status);
	if (index == MRT_UNDEFINED && status)
		status_empty(status, MRT_ANY_SOURCE);
	return 0;
}

int mrt_waitany(size_t n, struct mrt_request *requests[], int *index,
		struct mrt_status *status)
{
	int rc = proc_enter("mrt_waitany");

	if (!rc) {
		rc = index ? find_any(n, requests, true, index)
			   : proc_fail(MRT_ERR_ARG, "index is NULL");
		if (!rc)
			rc = retire_any(requests, *index, status);
		proc_leave();
	}
	return proc_result("mrt_waitany", rc);
}

int mrt_testany(size_t n, struct mrt_request *requests[], int *index, int *flag,
		struct mrt_status *status)
{
	int rc = proc_enter("mrt_testany");

	if (!rc) {
		rc = index && flag
			 ? find_any(n, requests, false, index)
			 : proc_fail(MRT_ERR_ARG, "index or flag is NULL");
		if (!rc) {
			*flag = *index != -1;
			rc = retire_any(requests, *index, status);
			if (!*flag)
				*index = MRT_UNDEFINED;
		}
		proc_leave();
	}
	return proc_result("mrt_testany", rc);
}

/* Retires every completed request. */
static int retire_some(size_t n, struct mrt_request *requests[], int *outcount,
		       int indices[], struct mrt_status statuses[])
{
	int rc = 0, one;

	*outcount = 0;
	for (size_t i = 0; i < n; i++) {
		int k = *outcount;

		if (!request_is_active(requests[i]) || !requests[i]->complete)
			continue;
		one = complete_retire(&requests[i],
				      statuses ? &statuses[k] : NULL);
		rc = requests_note(rc, one, i, statuses, (size_t)k);
		indices[k] = (int)i;
		++*outcount;
	}
	return rc;
}

static int complete_some(size_t n, struct mrt_request *requests[],
			 int *outcount, int indices[],
			 struct mrt_status statuses[], bool blocking)
{
	int index, rc = proc_enter(blocking ? "mrt_waitsome" : "mrt_testsome");

	if (rc)
		return rc;
	rc = outcount && (indices || !n)
		 ? find_any(n, requests, blocking, &index)
		 : proc_fail(MRT_ERR_ARG, "outcount or indices is NULL");
	if (!rc && index == MRT_UNDEFINED)
		*outcount = MRT_UNDEFINED;
	else if (!rc)
		rc = retire_some(n, requests, outcount, indices, statuses);
	proc_leave();
	return rc;
}

int mrt_waitsome(size_t n, struct mrt_request *requests[], int *outcount,
		 int indices[], struct mrt_status statuses[])
{
	return proc_result(
	    "mrt_waitsome",
	    complete_some(n, requests, outcount, indices, statuses, true));
}

int mrt_testsome(size_t n, struct mrt_request *requests[], int *outcount,
		 int indices[], struct mrt_status statuses[])
{
	return proc_result(
	    "mrt_testsome",
	    complete_some(n, requests, outcount, indices, statuses, false));
}

/* ---- cancel ---- */

static int complete_cancel(struct mrt_request **request)
{
	if (!request)
		return proc_fail(MRT_ERR_ARG, "request is NULL");
	if (!request_is_valid(*request))
		return request_unknown(*request);
	if ((*request)->kind == REQ_COLL ||
	    (*request)->kind == REQ_PARTITIONED || !request_is_active(*request))
		return proc_fail(MRT_ERR_REQUEST,
				 "a collective, a partitioned operation, or a "
				 "request not started, cannot be cancelled");
	if ((*request)->kind == REQ_GENERAL)
		return (*request)->ops->cancel(*request);
	return p2p_cancel(*request);
}

int mrt_cancel(struct mrt_request **request)
{
	return proc_result("mrt_cancel",
			   proc_enter("mrt_cancel")
			       ?: proc_leave_with(complete_cancel(request)));
}
