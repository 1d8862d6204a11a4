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
#include "coll/args/coll_state.h"
#include "coll/direct/direct_persistent.h"
#include "coll/plan/rules.h"
#include "coll/run/node_board.h"
#include "coll/run/packing.h"
#include "coll/run/run.h"
#include "coll/plan/select.h"
#include "coll/run/comm_topology.h"
#include "coll/check/check.h"
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

/* Whether messages let ranks be further ahead than boards in calls without
 * results for them, so that they share their CPUs with fewer changes. */
static bool runs_ahead(const struct mrt_comm *comm, enum collective collective)
{
	const struct machine *m = &comm->coll->machine;

	return rules[collective].rooted && m->medium == MEDIUM_SOFT &&
	       m->cpus < comm->size;
}

/* Returns the bytes of boards that such a call may use, where there are boards.
 * Inside one node the direct path does better, unless a person has chosen the
 * algorithm. */
static size_t board_bytes(const struct mrt_comm *comm,
			  enum collective collective, const struct shape *shape)
{
	const struct topology *t = comm->coll->topo;
	int nodes = t ? t->nodes : 1, class;

	if (nodes > 1)
		return nodes < comm->size && !runs_ahead(comm, collective)
			   ? BOARD_BYTES
			   : 0;
	class = size_class(shape->count * shape->type_size);
	return select_forced(collective) ||
		       (rules[collective].lengths == LENGTHS_EQUAL &&
			!(select_free_sizes(collective, comm->size) >> class &
			  1))
		   ? BOARD_BYTES
		   : 0;
}

/* Gives the communicator boards if it has none, its ranks are on several nodes,
 * and the plan of this blocking call wants them; collective. All ranks must ask
 * at the same calls, so that it depends on nothing but the sequence of calls:
 * on no run that is kept, nor on lengths that a rank alone knows. Returns 0 or
 * the error of a fault. */
static int ask_for_board(struct mrt_comm *comm, const struct coll_call *call)
{
	struct coll_comm *c = comm->coll;
	struct shape shape = call->shape;
	uint64_t class = (uint64_t)1
			 << size_class(shape.count * shape.type_size);
	struct choice choice;
	int rc;

	if (c->board || c->boardless || shape.low ||
	    rules[call->collective].lengths != LENGTHS_EQUAL)
		return 0;
	if (c->asked_generation != select_generation())
		memset(c->asked, 0, sizeof(c->asked));
	c->asked_generation = select_generation();
	if (c->asked[call->collective] & class)
		return 0;
	c->asked[call->collective] |= class;
	shape.board = board_bytes(comm, call->collective, &shape);
	if (!shape.board)
		return 0;
	choice = select_algorithm(call->collective, &shape, &c->machine, false);
	if (!choice.algorithm ||
	    !(choice.algorithm->by_node || choice.algorithm->board))
		return 0;
	rc = node_board_create(comm, c->topo, &c->board);
	c->boardless = !c->board;
	return rc;
}

/* Sets what of the call's shape depends on the communicator, the operation and
 * the type. Only blocking calls may make boards. */
static int complete_shape(struct mrt_comm *comm, struct coll_call *call,
			  bool blocking)
{
	struct shape *s = &call->shape;
	bool boards = !s->no_cells;
	int rc = coll_find_topology(comm);

	if (rc)
		return rc;
	s->size = comm->size;
	s->topo = comm->coll->topo;
	s->type_size = call->type ? call->type->size : 1;
	s->commutative = !call->op || call->op->commutative;
	s->combine = call->op ? op_combine(call->op, call->type) : COMBINE_NONE;
	s->no_cells = s->no_cells || !comm->coll->cells;
	if (boards && blocking)
		rc = ask_for_board(comm, call);
	if (boards && comm->coll->board)
		s->board = board_bytes(comm, call->collective, s);
	return rc;
}

int coll_choice(struct mrt_comm *comm, enum collective collective, size_t bytes,
		struct choice *choice)
{
	struct shape shape = {.size = comm->size,
			      .count = bytes % 8 ? bytes : bytes / 8,
			      .type_size = bytes % 8 ? 1 : 8,
			      .commutative = true,
			      .combine = COMBINE_SWAP,
			      .no_cells = !comm->coll->cells};
	int rc = coll_find_topology(comm);

	if (rc)
		return rc;
	shape.topo = comm->coll->topo;
	if (!comm->coll->boardless)
		shape.board = board_bytes(comm, collective, &shape);
	*choice = (struct choice){NULL, 0};
	if (comm->size > 1 &&
	    !is_direct(&comm->coll->direct, collective, bytes) &&
	    !coll_may_widen(comm, collective, bytes))
		*choice = select_algorithm(collective, &shape,
					   &comm->coll->machine, false);
	return 0;
}

/* Sets *run to a run for the call, bound to its buffers. Owns call->packing,
 * also when it fails. */
static int take_run(struct mrt_comm *comm, struct coll_call *call,
		    bool blocking, struct run **run)
{
	int rc = complete_shape(comm, call, blocking);

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

/* ---- Requests ----------------------------------------------------------- */

void coll_release(struct mrt_request *req)
{
	give_run((struct run *)req);
}

static int coll_plan_restart(struct mrt_request *req)
{
	return run_start((struct run *)req, NULL);
}

static const struct request_ops nonblocking = {.release = coll_release,
					       .describe = run_describe};
static const struct request_ops persistent = {.start = coll_plan_restart,
					      .release = coll_release,
					      .describe = run_describe};

int coll_start(struct mrt_comm *comm, struct coll_call *call,
	       struct mrt_request **request)
{
	struct run *run;
	int rc = take_run(comm, call, false, &run);

	if (rc) {
		check_destroy(call->check);
		return rc;
	}
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
	struct direct_persistent *lines;
	struct direct_call direct;
	int32_t region = 0;
	struct coll_call tell = {.collective = COLL_BCAST,
				 .recv = &region,
				 .shape.count = sizeof(region),
				 .type = type_get(MRT_BYTE)};
	int rc;

	if (!coll_persists_direct(comm, call, &direct))
		return 0;
	if (comm->rank == 0)
		region = direct_persistent_take(comm, call->collective);
	rc = coll_run(comm, &tell);
	if (rc || !region)
		return rc;
	direct.done = run_lines_done;
	direct.owner = run;
	lines = direct_persistent_create(comm, region, &direct);
	if (!lines)
		return coll_cannot(
		    call->collective, comm,
		    proc_fail(MRT_ERR_NO_MEM, "lines of a persistent call"));
	run_set_lines(run, lines);
	return 0;
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
