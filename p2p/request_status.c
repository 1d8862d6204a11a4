/* SPDX-License-Identifier: Apache-2.0 */
/* request_status.c: mrt_request_get_status and its kin: the results of tests,
 * without completing the requests. */
#include "p2p/args.h"
#include "p2p/complete.h"
#include "p2p/types.h"
#include "runtime/engine/progress.h"
#include "runtime/engine/wait.h"

/* Returns what a test of a complete request would; status may be NULL. */
static int read_status(struct mrt_request *req, struct mrt_status *status)
{
	struct mrt_status here;
	int rc;

	if (!request_is_active(req)) {
		if (status)
			status_empty(status, MRT_ANY_SOURCE);
		return 0;
	}
	types_report(req);
	here = req->status;
	rc = here.error;
	if (req->kind == REQ_RECV) {
		status_localise(&here, req->comm);
		rc = receive_error(&here, req->bytes);
	} else if (req->kind == REQ_GENERAL) {
		rc = req->ops->query(req, &here);
	}
	if (rc)
		request_set_error_comm(req);
	if (status)
		status_out(status, &here);
	return rc;
}

static bool all_over(size_t n, struct mrt_request *const requests[])
{
	for (size_t i = 0; i < n; i++)
		if (!request_is_over(requests[i]))
			return false;
	return true;
}

int mrt_request_get_status(struct mrt_request *request, int *flag,
			   struct mrt_status *status)
{
	int rc = proc_enter("mrt_request_get_status");

	if (!rc) {
		rc = flag ? requests_check(1, &request)
			  : proc_fail(MRT_ERR_ARG, "flag is NULL");
		if (!rc && !request_is_over(request))
			wait_test();
		if (!rc) {
			*flag = request_is_over(request);
			rc = *flag ? read_status(request, status)
				   : progress_fault();
		}
		proc_leave();
	}
	return proc_result("mrt_request_get_status", rc);
}

static int get_all(size_t n, struct mrt_request *const requests[], int *flag,
		   struct mrt_status statuses[])
{
	int rc = 0, one;

	if (!all_over(n, requests))
		wait_test();
	*flag = all_over(n, requests);
	if (!*flag)
		return progress_fault();
	for (size_t i = 0; i < n; i++) {
		one = read_status(requests[i], statuses ? &statuses[i] : NULL);
		rc = requests_note(rc, one, i, statuses, i);
	}
	return rc;
}

int mrt_request_get_status_all(size_t n, struct mrt_request *const requests[],
			       int *flag, struct mrt_status statuses[])
{
	int rc = proc_enter("mrt_request_get_status_all");

	if (!rc) {
		rc = flag ? requests_check(n, requests)
			  : proc_fail(MRT_ERR_ARG, "flag is NULL");
		if (!rc)
			rc = get_all(n, requests, flag, statuses);
		proc_leave();
	}
	return proc_result("mrt_request_get_status_all", rc);
}

/* Returns the first complete request, after progress if there is none; else
 * -1. */
static int request_status_find(size_t n, struct mrt_request *const requests[],
			       bool *active)
{
	int k = requests_first(n, requests, active);

	if (k < 0 && *active) {
		wait_test();
		k = requests_first(n, requests, active);
	}
	return k;
}

static int get_any(size_t n, struct mrt_request *const requests[], int *index,
		   int *flag, struct mrt_status *status)
{
	bool active;
	int k = request_status_find(n, requests, &active);

	*flag = k >= 0 || !active;
	*index = k >= 0 ? k : MRT_UNDEFINED;
	if (!*flag)
		return progress_fault();
	return read_status(k >= 0 ? requests[k] : MRT_REQUEST_NULL, status);
}

int mrt_request_get_status_any(size_t n, struct mrt_request *const requests[],
			       int *index, int *flag, struct mrt_status *status)
{
	int rc = proc_enter("mrt_request_get_status_any");

	if (!rc) {
		rc = index && flag
			 ? requests_check(n, requests)
			 : proc_fail(MRT_ERR_ARG, "index or flag is NULL");
		if (!rc)
			rc = get_any(n, requests, index, flag, status);
		proc_leave();
	}
	return proc_result("mrt_request_get_status_any", rc);
}

static int get_some(size_t n, struct mrt_request *const requests[],
		    int *outcount, int indices[], struct mrt_status statuses[])
{
	bool active;
	int k, rc = 0, one;
	size_t found = 0;

	/* complete requests stay in the list and must not hide the others */
	if (!all_over(n, requests))
		wait_test();
	k = requests_first(n, requests, &active);
	if (k < 0) {
		*outcount = active ? 0 : MRT_UNDEFINED;
		return progress_fault();
	}
	for (size_t i = (size_t)k; i < n; i++) {
		if (!request_is_active(requests[i]) || !requests[i]->complete)
			continue;
		one = read_status(requests[i],
				  statuses ? &statuses[found] : NULL);
		rc = requests_note(rc, one, i, statuses, found);
		indices[found++] = (int)i;
	}
	*outcount = (int)found;
	return rc;
}

int mrt_request_get_status_some(size_t n, struct mrt_request *const requests[],
				int *outcount, int indices[],
				struct mrt_status statuses[])
{
	int rc = proc_enter("mrt_request_get_status_some");

	if (!rc) {
		rc =
		    outcount && (indices || !n)
			? requests_check(n, requests)
			: proc_fail(MRT_ERR_ARG, "outcount or indices is NULL");
		if (!rc)
			rc = get_some(n, requests, outcount, indices, statuses);
		proc_leave();
	}
	return proc_result("mrt_request_get_status_some", rc);
}
