/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_plan.c: runs calls by plans. The plans used last are kept with their
 * executors (runs) while they are not under way, up to a number and a size
 * (coll_state.h), so that a repeated call builds and allocates nothing. This
 * holds for nonblocking calls, too, as long as no more of them are under way at
 * once than runs are kept.
 */
#include <stdlib.h>
#include <string.h>

#include "coll/run/coll.h"
#include "coll/call/coll_state.h"
#include "coll/node/direct_started.h"
#include "coll/node/node_board.h"
#include "coll/call/packing.h"
#include "coll/run/run.h"
#include "coll/run/comm_topology.h"
#include "coll/call/check.h"
#include "runtime/base/hash.h"
#include "runtime/engine/proc.h"

static struct {
	uint64_t built, reused;
} plans;

void coll_stats(struct counters *t)
{
	counters_add(t, "coll", "plans built", plans.built);
	counters_add(t, "coll", "plans used again", plans.reused);
	node_board_stats(t);
}

/* ---- Runs --------------------------------------------------------------- */

static struct run *take_idle(struct coll_comm *c, int k)
{
	struct run *run = c->idle[k];

	c->nidle--;
	c->idle_bytes -= run_bytes(run);
	memmove(&c->idle[k], &c->idle[k + 1],
		(size_t)(c->nidle - k) * sizeof(run));
	return run;
}

/* Tells whether a run of this shape has been made before, as far as is known,
 * and remembers that one is made now. */
static bool has_met(struct coll_comm *c, const struct coll_call *call)
{
	uint64_t h = hash_bytes(shape_hash(&call->shape), &call->collective,
				sizeof(call->collective));
	uint32_t *met = &c->met[h % RUNS_MET], tag = (uint32_t)(h >> 32) | 1;
	bool before = *met == tag;

	*met = tag;
	return before;
}

/* Returns the idle run to give up for another one: the oldest, or the oldest of
 * those whose shape has come once only if there are many of these. So calls
 * whose shape changes each time do not displace those that repeat. (This is 2Q,
 * Johnson and Shasha, VLDB 1994; `met` is its queue A1out.) */
static int find_victim(const struct coll_comm *c)
{
	int once = 0, oldest = 0;

	for (int k = c->nidle - 1; k >= 0; k--) {
		if (run_has_repeated(c->idle[k]))
			continue;
		oldest = k;
		once++;
	}
	return once < RUNS_ONCE ? 0 : oldest;
}

static void keep_idle(struct coll_comm *c, struct run *run)
{
	size_t bytes = run_bytes(run);

	while (c->nidle == RUNS ||
	       (c->nidle && c->idle_bytes + bytes > RUNS_BYTES))
		run_destroy(take_idle(c, find_victim(c)));
	c->idle[c->nidle++] = run;
	c->idle_bytes += bytes;
}

/* Takes an idle run of this shape out of the list. Returns NULL if there is
 * none. */
static struct run *find_run(struct coll_comm *c, const struct coll_call *call)
{
	int k = c->nidle;

	while (--k >= 0 && !run_is_for(c->idle[k], call))
		;
	return k < 0 ? NULL : take_idle(c, k);
}

int coll_find_topology(struct mrt_comm *comm)
{
	struct coll_comm *c = comm->coll;
	int rc = 0;

	if (c->placed || comm->size == 1)
		return 0;
	if (c->machine.medium >= MEDIUM_NET)
		rc = machine_of_ranks(comm->world, comm->size, &c->machine);
	if (!rc)
		rc = topology_of_ranks(comm->world, comm->size, &c->topo);
	c->placed = !rc;
	return rc;
}

/* Sets *run to a run for the call, bound to its buffers. Owns call->packing,
 * also when it fails. */
static int take_run(struct mrt_comm *comm, struct coll_call *call,
		    bool blocking, struct run **run)
{
	int rc = coll_complete_shape(comm, call, blocking);

	*run = rc ? NULL : find_run(comm->coll, call);
	if (*run) {
		plans.reused++;
	} else {
		rc = rc ? rc : run_create(comm, call, run);
		if (rc) {
			packing_destroy(call->packing);
			return coll_cannot(call->collective, comm, rc);
		}
		if (has_met(comm->coll, call))
			run_set_repeated(*run);
		plans.built++;
	}
	run_bind(*run, call);
	return 0;
}

/* Takes a run back after its use: keeps it, or destroys it if the communicator
 * has been freed meanwhile. */
static void give_run(struct run *run)
{
	struct mrt_comm *comm = ((struct mrt_request *)run)->comm;
	struct coll_comm *c = comm->coll;

	((struct mrt_request *)run)->state = REQUEST_FREED;
	run_unbind(run);
	if (c)
		keep_idle(c, run);
	else
		run_destroy(run);
	comm_release(comm);
}

int coll_run_plan(struct mrt_comm *comm, struct coll_call *call)
{
	struct run *run;
	int rc = take_run(comm, call, true, &run);

	if (rc)
		return rc;
	rc = run_start(run, NULL);
	if (!rc)
		rc = run_wait(run);
	else
		rc = coll_cannot(call->collective, comm, rc);
	give_run(run);
	return rc;
}

int coll_combine_words(struct mrt_comm *comm, uint64_t *words, size_t n)
{
	struct coll_call call = {
	    .collective = COLL_ALLREDUCE,
	    .recv = words,
	    .shape = {.in_place = true, .no_cells = true, .count = n},
	    .type = type_get(MRT_UINT64),
	    .op = op_get(MRT_BOR)};

	return coll_run_plan(comm, &call);
}

/* ---- Requests ----------------------------------------------------------- */

void coll_release(struct mrt_request *req)
{
	give_run((struct run *)req);
}

static int coll_plan_restart(struct mrt_request *req)
{
	return run_start((struct run *)req, NULL);
}

static const struct request_ops nonblocking = {
    .await = run_await, .release = coll_release, .describe = run_describe};
static const struct request_ops persistent = {.start = coll_plan_restart,
					      .await = run_await,
					      .release = coll_release,
					      .describe = run_describe};

/* Lets a run go the direct way in these lines; NULL: there was no memory. */
static int use_lines(struct mrt_comm *comm, struct direct_lines *lines,
		     struct direct_call *direct, struct run *run)
{
	struct direct_started *started = NULL;

	direct->done = run_started_done;
	direct->owner = run;
	if (lines)
		started = direct_started_create(comm, lines, direct);
	if (!started)
		return coll_cannot(direct->collective, comm, MRT_ERR_NO_MEM);
	run_set_started(run, started);
	return 0;
}

/* Tells whether a nonblocking call goes the direct way. */
static bool may_use_lines(const struct mrt_comm *comm,
			  const struct coll_call *call, struct direct_call *c)
{
	return !call->check && !call->shape.no_cells &&
	       direct_started_region(comm, &comm->coll->direct) &&
	       coll_starts_direct(comm, call, c);
}

/* Returns the lines of nonblocking calls, with room for wide payloads if the
 * communicator has buffers, or NULL if there is no memory. */
static struct direct_lines *lines_of(struct mrt_comm *comm)
{
	struct coll_comm *c = comm->coll;
	const struct direct_lines_place place = {
	    .region = direct_started_region(comm, &c->direct)};

	if (!c->lines)
		c->lines = direct_lines_open(comm, &place);
	return c->lines && !direct_lines_widen(c->lines, comm, &c->direct)
		   ? c->lines
		   : NULL;
}

int coll_start(struct mrt_comm *comm, struct coll_call *call,
	       struct mrt_request **request)
{
	struct direct_call direct;
	bool lines = may_use_lines(comm, call, &direct);
	struct run *run;
	int rc = take_run(comm, call, false, &run);

	if (rc) {
		check_destroy(call->check);
		return rc;
	}
	if (lines)
		rc = use_lines(comm, lines_of(comm), &direct, run);
	if (!rc)
		rc = run_start(run, call->check);
	if (rc) {
		give_run(run);
		return coll_cannot(call->collective, comm, rc);
	}
	*request = (struct mrt_request *)run;
	(*request)->ops = &nonblocking;
	(*request)->state = REQUEST_ACTIVE;
	return 0;
}

int coll_prepare(struct mrt_comm *comm, struct coll_call *call,
		 struct mrt_request **request)
{
	struct run *run;
	int rc;

	/* ranks may start persistent calls in different orders, but turns on
	 * cells must come in one order on all ranks */
	call->shape.no_cells = true;
	rc = take_run(comm, call, false, &run);
	if (rc)
		return rc;
	rc = run_persist(run);
	if (rc) {
		give_run(run);
		return rc;
	}
	*request = (struct mrt_request *)run;
	(*request)->ops = &persistent;
	(*request)->kind = REQ_COLL;
	(*request)->state = REQUEST_INACTIVE;
	(*request)->complete = true;
	return 0;
}

/* Gives a persistent run lines of its own where it may go the direct way and
 * rank 0 finds room for them. */
static int give_lines(struct mrt_comm *comm, const struct coll_call *call,
		      struct run *run)
{
	struct direct_lines *lines;
	struct direct_call direct;
	struct direct_lines_place place = {0};
	struct coll_call tell = {.collective = COLL_BCAST,
				 .recv = &place,
				 .shape.count = sizeof(place),
				 .type = type_get(MRT_BYTE)};
	int rc;

	if (!coll_starts_direct(comm, call, &direct))
		return 0;
	if (comm->rank == 0)
		place = direct_lines_take(comm, &direct);
	rc = coll_run(comm, &tell);
	if (rc || !place.region)
		return rc;
	lines = direct_lines_open(comm, &place);
	rc = use_lines(comm, lines, &direct, run);
	direct_lines_close(lines);
	return rc;
}

int coll_persist(struct mrt_comm *comm, struct coll_call *call,
		 struct mrt_request **request)
{
	int rc = coll_prepare(comm, call, request);

	if (rc)
		return rc;
	rc = give_lines(comm, call, (struct run *)*request);
	if (rc) {
		coll_release(*request);
		*request = MRT_REQUEST_NULL;
	}
	return rc;
}
