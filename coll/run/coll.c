/* SPDX-License-Identifier: Apache-2.0 */
/* coll.c: the choice of the way that a call takes: by shared memory (direct.h),
 * or by a plan, with boards or without. */
#include <string.h>

#include "coll/run/coll.h"
#include "coll/call/check.h"
#include "coll/call/coll_state.h"
#include "coll/cells/cells.h"
#include "coll/node/direct.h"
#include "coll/node/node_board.h"
#include "coll/plan/algorithm.h"
#include "coll/plan/rules.h"
#include "coll/plan/topology.h"
#include "runtime/base/fault.h"

/* ---- Running a call ----------------------------------------------------- */

int coll_cannot(enum collective collective, const struct mrt_comm *comm,
		int error)
{
	if (error == MRT_ERR_NO_MEM && comm->size > 1)
		fault_raise_text(error, "no memory to take part in %s",
				 coll_tables[collective].name);
	return error;
}

/* Runs a call in a communicator of one rank: copies its own block. */
static int run_alone(const struct coll_call *call)
{
	const struct rule *rule = &rules[call->collective];
	struct block from = shape_send(&call->shape, 0);
	struct block to = shape_recv(&call->shape, 0);
	size_t size = call->type ? call->type->size : 1;

	if (rule->reduces)
		from = to = (struct block){0, to.count};
	if (call->send && call->recv && to.count && !rule->skips_first)
		memcpy((char *)call->recv + to.at * size,
		       (const char *)call->send + from.at * size,
		       to.count * size);
	return 0;
}

/* Tells whether no rank has anything to move and all ranks know it. Then they
 * all skip the call, and the next call takes its number. */
static bool is_empty(const struct coll_call *call)
{
	return !call->shape.count &&
	       rules[call->collective].lengths == LENGTHS_EQUAL;
}

size_t coll_list_total(const struct mrt_comm *comm,
		       const struct coll_call *call)
{
	const struct block *last = &call->shape.recv[comm->size - 1];

	return last->at + last->count;
}

/* Tells whether a call of so many bytes goes the direct way once the
 * communicator, which has no buffers yet, has them. */
static bool may_widen(const struct mrt_comm *comm, enum collective collective,
		      size_t bytes)
{
	const struct direct *d = &comm->coll->direct;
	size_t most = direct_widest(comm, collective);

	return d->may_widen && !d->broken && most && bytes <= most &&
	       select_free_sizes(collective, comm->size) >> size_class(bytes) &
		   1;
}

/* Returns the bytes that decide which way a call goes, which are the same on
 * all ranks. */
static size_t deciding_bytes(const struct mrt_comm *comm,
			     const struct coll_call *call)
{
	switch (call->collective) {
	case COLL_BARRIER:
		return 0;
	case COLL_GATHERV:
		return SELECT_UNKNOWN_BYTES;
	case COLL_ALLGATHERV:
		return direct_longest(comm, call->shape.recv);
	case COLL_REDUCE_SCATTER:
		return coll_list_total(comm, call) * call->type->size;
	default:
		return call->shape.count * call->type->size;
	}
}

/* Tells whether a call goes the direct way, now or once the communicator has
 * buffers: it is small enough; so are its elements, of which one for each rank
 * must fit the buffers; and, if the order of ranks matters, few enough ranks go
 * the flat way, which keeps the order. */
static bool goes_direct(const struct mrt_comm *comm,
			const struct coll_call *call, bool widened)
{
	size_t bytes = deciding_bytes(comm, call);

	/* then buffers may be NULL */
	if (!bytes && call->type)
		return false;
	return (widened ? may_widen(comm, call->collective, bytes)
			: is_direct(&comm->coll->direct, call->collective,
				    bytes)) &&
	       (!call->op ||
		((call->op->commutative || comm->size <= DIRECT_FLAT) &&
		 call->type->size <= DIRECT_LONG / (size_t)comm->size));
}

/* ---- Boards -------------------------------------------------------------- */

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
	rc = node_board_create(comm, coll_combine_words, c->topo, &c->board);
	c->boardless = !c->board;
	return rc;
}

int coll_complete_shape(struct mrt_comm *comm, struct coll_call *call,
			bool blocking)
{
	struct shape *s = &call->shape;
	bool boards = !s->no_cells;
	int rc = coll_find_topology(comm);

	if (rc)
		return rc;
	s->size = comm->size;
	s->type_size = call->type ? call->type->size : 1;
	s->commutative = !call->op || call->op->commutative;
	shape_place(s, call->collective, comm->coll->topo);
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
	shape_place(&shape, collective, comm->coll->topo);
	if (!comm->coll->boardless)
		shape.board = board_bytes(comm, collective, &shape);
	*choice = (struct choice){NULL, 0};
	if (comm->size > 1 &&
	    !is_direct(&comm->coll->direct, collective, bytes) &&
	    !may_widen(comm, collective, bytes))
		*choice = select_algorithm(collective, &shape,
					   &comm->coll->machine, false);
	return 0;
}

/* ---- Calls --------------------------------------------------------------- */

int coll_run(struct mrt_comm *comm, struct coll_call *call)
{
	int rc;

	if (call->shape.low)
		return coll_run_plan(comm, call);
	if (is_empty(call))
		return 0;
	if (comm->size == 1 && !call->shape.neighbors)
		return run_alone(call);
	if (goes_direct(comm, call, false))
		return coll_run_direct(comm, call);
	if (comm->coll->direct.may_widen && goes_direct(comm, call, true)) {
		rc = direct_widen(comm, &comm->coll->direct);
		if (rc)
			return rc;
		direct_set_limits(comm, &comm->coll->direct);
		return coll_run(comm, call);
	}
	if (comm->coll->direct.broken)
		return direct_is_broken();
	return coll_run_plan(comm, call);
}

uint64_t coll_calls(const struct mrt_comm *comm)
{
	const struct direct *d = &comm->coll->direct;

	return comm->coll_seq + comm->init_seq + (d->broken ? 0 : d->epoch);
}

int coll_barrier(struct mrt_comm *comm)
{
	struct coll_call call = {.collective = COLL_BARRIER};

	return coll_run(comm, &call);
}

int coll_allreduce_words(struct mrt_comm *comm, uint64_t *words, size_t n,
			 struct mrt_op *op)
{
	struct coll_call call = {.collective = COLL_ALLREDUCE,
				 .recv = words,
				 .shape = {.in_place = true, .count = n},
				 .type = type_get(MRT_UINT64),
				 .op = op_get(op)};

	return coll_run(comm, &call);
}

int coll_allgather_words(struct mrt_comm *comm, uint64_t *words)
{
	struct coll_call call = {
	    .collective = COLL_ALLGATHER,
	    .recv = words,
	    .shape = {.in_place = true, .count = sizeof(*words)},
	    .type = type_get(MRT_BYTE)};

	return coll_run(comm, &call);
}

/* A barrier neither by the direct way nor by cells: a rank that has begun it
 * has finished all that it did before on the memory of others. */
static const struct coll_call quiesce = {.collective = COLL_BARRIER,
					 .shape.no_cells = true};

/* Waits for this rank's calls on cells and boards. */
static int coll_drain(const struct coll_comm *c)
{
	int rc = cells_drain(c->cells);

	return rc ? rc : node_board_drain(c->board, NULL);
}

int coll_quiesce(struct mrt_comm *comm)
{
	struct coll_call call = quiesce;
	int rc = coll_drain(comm->coll);

	return rc || comm->size == 1 ? rc : coll_run_plan(comm, &call);
}

int coll_quiesce_start(struct mrt_comm *comm, struct check *check,
		       struct mrt_request **request)
{
	struct coll_call call = quiesce;
	int rc = coll_drain(comm->coll);

	call.check = check;
	if (rc) {
		check_destroy(check);
		return rc;
	}
	return coll_start(comm, &call, request);
}
