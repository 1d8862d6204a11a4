/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm_idup.c: nonblocking duplicates. The rounds of the search for an id
 * (comm_id.h) are starts of one persistent allreduce; it gets its sequence
 * number in the call, so that later collectives on the parent may come in
 * between. A progress hook starts the next round when one is complete.
 *
 * Such a communicator has no cells, which would take another collective.
 */
#include <stdlib.h>

#include "coll/comm/coll_comm.h"
#include "coll/run/coll.h"
#include "coll/comm/comm_create.h"
#include "coll/comm/comm_id.h"
#include "coll/call/check.h"
#include "p2p/args.h"
#include "runtime/base/env.h"
#include "runtime/base/list.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/progress.h"

struct idup {
	struct mrt_request req; /* first: release gets its address */
	struct mrt_comm *made;
	struct mrt_comm **newcomm;
	struct mrt_request *round;
	struct check *check; /* precedes the first round; NULL: over */
	struct id_search search;
	struct list link;
};

static struct list pending = LIST_INIT(pending);

static void drop_round(struct idup *d)
{
	if (d->round)
		d->round->ops->release(d->round);
	d->round = NULL;
}

static void comm_idup_discard(struct idup *d)
{
	struct mrt_comm *comm = d->made;

	if (comm && comm->coll)
		coll_comm_attach(comm, (int32_t)d->search.told);
	comm_discard(comm);
}

struct pool comm_idup_pool = POOL_INIT(struct idup, 4);

static void comm_idup_release(struct mrt_request *req)
{
	comm_release(req->comm);
	pool_put_last(&comm_idup_pool, req);
}

static const struct request_ops ops = {.release = comm_idup_release};

static int start_round(struct idup *d)
{
	int rc = d->round->ops->start(d->round);

	d->round->state = rc ? REQUEST_INACTIVE : REQUEST_ACTIVE;
	return rc;
}

static void comm_idup_finish(struct idup *d, int rc)
{
	id_search_end(&d->search, rc);
	drop_round(d);
	list_remove(&d->link);
	if (rc) {
		comm_idup_discard(d);
		*d->newcomm = MRT_COMM_NULL;
	} else {
		comm_take_id(d->made, d->search.id);
		coll_comm_attach(d->made, (int32_t)d->search.told);
	}
	request_complete(&d->req, rc);
}

/* Advances as far as possible without waiting. Returns the number of
 * completions. */
static int comm_idup_advance(struct idup *d)
{
	int n = 0, rc = 0;

	if (d->check && !check_over(d->check))
		return 0;
	if (d->check) {
		rc = check_result(d->check);
		check_destroy(d->check);
		d->check = NULL;
		n++;
		if (!rc)
			rc = start_round(d);
	}
	while (!rc && d->round->complete) {
		n++;
		d->round->state = REQUEST_INACTIVE;
		rc = d->round->status.error;
		if (!rc && id_search_next(&d->search, &rc)) {
			comm_idup_finish(d, rc);
			return n;
		}
		if (!rc)
			rc = start_round(d);
	}
	if (rc)
		comm_idup_finish(d, rc);
	return n;
}

static int advance_all(struct progress_hook *hook)
{
	struct list *l = pending.next, *next;
	int n = 0;

	for (; l != &pending; l = next) {
		next = l->next;
		n += comm_idup_advance(list_entry(l, struct idup, link));
	}
	if (list_empty(&pending))
		progress_remove(hook);
	return n;
}
static struct progress_hook hook = {.poll = advance_all};

/* Prepares the request: the part that may fail without telling the other
 * ranks. */
static int comm_idup_prepare(struct idup *d, struct mrt_comm *comm)
{
	struct coll_call call = {.collective = COLL_ALLREDUCE,
				 .recv = d->search.words,
				 .shape = {.in_place = true, .count = ID_FEW},
				 .type = type_get(MRT_UINT64),
				 .op = op_get(MRT_BOR)};

	request_prepare(&d->req, REQ_COLL);
	d->req.state = REQUEST_ACTIVE;
	d->req.ops = &ops;
	d->req.comm = comm;
	status_empty(&d->req.status, MRT_ANY_SOURCE);
	return coll_prepare(comm, &call, &d->round);
}

/* Starts the first round or, with MRT_CHECK, the check that precedes it. */
static int comm_idup_begin(struct idup *d, struct mrt_comm *comm)
{
	struct statement s = check_statement("mrt_comm_idup");
	int rc = 0;

	if (env.check)
		d->check = check_create(comm, &s, &rc);
	if (d->check)
		check_start(d->check, NULL, NULL);
	else if (!rc)
		rc = start_round(d);
	return rc;
}

static int comm_idup_start(struct idup *d, struct mrt_comm *comm)
{
	struct id_plan plan = {.most = ID_FEW,
			       .key = comm->context + comm->init_seq * 65536};
	int rc = comm_idup_prepare(d, comm);

	if (rc)
		return rc;
	d->made = comm_prepare_copy(comm);
	comm_share(d->made, comm->shared);
	if (d->made)
		comm_visible(d->made)->magic = COMM_UNNAMED;
	if (d->made)
		plan.told = (uint32_t)coll_comm_region(d->made);
	else
		plan.failed = proc_fail(MRT_ERR_NO_MEM, "a communicator of %d",
					comm->size);
	id_search_begin(&d->search, &plan);
	rc = comm_idup_begin(d, comm);
	if (!rc)
		return 0;
	id_search_end(&d->search, rc);
	drop_round(d);
	comm_idup_discard(d);
	return rc;
}

int comm_idup(struct mrt_comm *comm, struct mrt_comm **newcomm,
	      struct mrt_request **request)
{
	struct idup *d = pool_get_zeroed(&comm_idup_pool);
	int rc;

	if (comm->inter)
		comm = comm->inter->merged;
	rc = d ? comm_idup_start(d, comm)
	       : proc_fail(MRT_ERR_NO_MEM, "a nonblocking duplicate");
	if (comm_broken(comm->size, rc)) {
		if (d)
			pool_put_last(&comm_idup_pool, d);
		return rc;
	}
	comm_hold(comm);
	if (list_empty(&pending))
		progress_add(&hook);
	list_append(&pending, &d->link);
	d->newcomm = newcomm;
	*newcomm = d->made ? comm_visible(d->made) : MRT_COMM_NULL;
	*request = &d->req;
	return 0;
}
