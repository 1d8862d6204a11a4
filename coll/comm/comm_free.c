/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm_free.c: the end of a communicator. Its memory and its id must outlive
 * what other ranks still do on it, so they are released after a barrier of all
 * ranks that free it. No rank waits for that in mrt_comm_free, since a program
 * may free a communicator on one rank long before it does on another; the
 * barrier goes on in progress, and mrt_finalize waits for it.
 * mrt_comm_disconnect first waits for the requests on the communicator.
 */
#include "coll/run/coll.h"
#include "coll/comm/comm_create.h"
#include "coll/call/check.h"
#include "coll/run/run.h"
#include "p2p/bsend.h"
#include "p2p/comm.h"
#include "p2p/request.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/wait.h"

/* The most communicators that some but not all ranks have freed, so that memory
 * and ids are bounded. */
enum { MOST = 4096 };
static int parting;

bool comm_parting(void)
{
	return parting;
}

static void comm_free_over(struct mrt_request *barrier)
{
	struct mrt_comm *all = barrier->comm;
	int rc = barrier->status.error;

	/* others still use it */
	if (rc)
		log_line(LOG_ERROR, rc, "mrt_comm_free: %s",
			 mrt_error_detail());
	coll_release(barrier);
	if (!rc)
		comm_discard(all);
	parting--;
}
static const struct request_ops ops = {.release = comm_free_over};

static int wait_for_others(void)
{
	WAIT(w, wait_text, "mrt_comm_free: other ranks to free theirs");
	int rc = 0;

	while (parting == MOST && !rc)
		rc = wait_poll(&w);
	return rc;
}

/* ---- What is under way ----------------------------------------------------
 */

void comm_each_request(void (*visit)(void *block, void *context), void *context)
{
	const struct pool *const pools[] = {&request_pool,
					    &request_persistent_pool,
					    &request_pair_pool,
					    &request_general_pool,
					    &request_partitioned_pool,
					    &run_pool,
					    &comm_idup_pool};

	for (size_t i = 0; i < sizeof(pools) / sizeof(pools[0]); i++)
		pool_each(pools[i], visit, context);
}

struct search {
	uint32_t context; /* an intercommunicator's collectives are on another
			     object, with the same context */
	bool found;
};

static void look_at_freed(void *request, void *context)
{
	const struct mrt_request *req = request;
	struct search *s = context;

	if (!req->complete && req->comm && req->comm->context == s->context)
		s->found = true;
}

static void look_at(void *block, void *context)
{
	const struct mrt_request *req = block;

	if (req->state == REQUEST_ACTIVE)
		look_at_freed(block, context);
}

/* Whether something may be under way there: requests and buffered sends hold
 * their communicator. */
static bool is_held(const struct mrt_comm *comm)
{
	return comm->refs > 1 || (comm->inter && comm->inter->merged->refs > 1);
}

static bool is_under_way(const struct mrt_comm *comm)
{
	struct search s = {comm->context, false};

	if (!is_held(comm))
		return false;
	s.found = bsend_pending(comm);
	comm_each_request(look_at, &s);
	requests_each_freed(look_at_freed, &s);
	return s.found;
}

static int wait_for_requests(const struct mrt_comm *comm)
{
	WAIT(w, wait_text, "mrt_comm_disconnect: messages on it to be over");
	int rc = 0;

	while (!rc && is_under_way(comm))
		rc = wait_poll(&w);
	return rc;
}

/* ---- Calls --------------------------------------------------------------- */

static int free_comm(struct mrt_comm *comm, const char *call)
{
	/* the communicator of both groups, if it is between two */
	struct mrt_comm *all = comm->inter ? comm->inter->merged : comm;
	struct statement s = check_statement(call);
	struct mrt_request *barrier;
	struct check *v;
	int rc;

	if (all->size == 1) {
		comm->magic = COMM_FREED;
		comm_discard(all);
		return 0;
	}
	rc = wait_for_others();
	v = rc || !env.check ? NULL : check_create(all, &s, &rc);
	if (!rc)
		rc = coll_quiesce_start(all, v, &barrier);
	if (rc)
		return rc;
	comm->magic = COMM_FREED;
	barrier->ops = &ops;
	parting++;
	if (barrier->complete)
		comm_free_over(barrier);
	else
		request_free_later(barrier);
	return 0;
}

static int comm_free_end(struct mrt_comm **comm, const char *call,
			 int (*prepare)(const struct mrt_comm *comm))
{
	struct mrt_comm *c;
	int rc = proc_enter(call);

	if (!rc) {
		c = comm ? comm_get(*comm) : NULL;
		if (!c)
			rc = comm ? comm_unknown(*comm)
				  : proc_fail(MRT_ERR_ARG, "comm is NULL");
		else if (c == &comm_world || c == &comm_self)
			rc = proc_fail(MRT_ERR_COMM,
				       "world and self are never freed");
		else
			rc = (prepare ? prepare(c) : 0) ?: free_comm(c, call);
		if (!rc)
			*comm = MRT_COMM_NULL;
		proc_leave();
	}
	return proc_result(call, rc);
}

int mrt_comm_free(struct mrt_comm **comm)
{
	return comm_free_end(comm, "mrt_comm_free", NULL);
}

int mrt_comm_disconnect(struct mrt_comm **comm)
{
	return comm_free_end(comm, "mrt_comm_disconnect", wait_for_requests);
}
