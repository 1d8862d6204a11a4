/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm_free.c: the end of a communicator. Its memory and its id must outlive
 * what other ranks still do on it, so they are released after a barrier of all
 * ranks that free it. No rank waits for that in mrt_comm_free, since a program
 * may free a communicator on one rank long before it does on another; the
 * barrier goes on in progress, and mrt_finalize waits for it.
 */
#include "coll/run/coll.h"
#include "coll/comm/comm_create.h"
#include "coll/check/check.h"
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

static void over(struct mrt_request *barrier)
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
static const struct request_ops ops = {.release = over};

static int wait_for_others(void)
{
	WAIT(w, wait_text, "mrt_comm_free: other ranks to free theirs");
	int rc = 0;

	while (parting == MOST && !rc)
		rc = wait_poll(&w);
	return rc;
}

static int free_comm(struct mrt_comm *comm)
{
	/* the communicator of both groups, if it is between two */
	struct mrt_comm *all = comm->inter ? comm->inter->merged : comm;
	struct statement s = check_statement("mrt_comm_free");
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
		over(barrier);
	else
		request_free_later(barrier);
	return 0;
}

int mrt_comm_free(struct mrt_comm **comm)
{
	struct mrt_comm *c;
	int rc = proc_enter();

	if (!rc) {
		c = comm ? comm_get(*comm) : NULL;
		if (!c)
			rc = comm ? comm_unknown(*comm)
				  : proc_fail(MRT_ERR_ARG, "comm is NULL");
		else if (c == &comm_world || c == &comm_self)
			rc = proc_fail(MRT_ERR_COMM,
				       "world and self are never freed");
		else
			rc = free_comm(c);
		if (!rc)
			*comm = MRT_COMM_NULL;
		proc_leave();
	}
	return proc_result("mrt_comm_free", rc);
}
