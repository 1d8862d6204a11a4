/* SPDX-License-Identifier: Apache-2.0 */
/* coll.c: the state of collectives per communicator, and the choice of the way
 * that a call takes. */
#include <stdlib.h>
#include <string.h>

#include "coll/run/coll.h"
#include "coll/run/same_choice.h"
#include "coll/cells/cells.h"
#include "coll/args/coll_state.h"
#include "coll/direct/direct.h"
#include "coll/direct/direct_persistent.h"
#include "coll/plan/rules.h"
#include "coll/run/node_board.h"
#include "coll/run/run.h"
#include "coll/run/scratch.h"
#include "coll/run/comm_topology.h"
#include "coll/check/check.h"
#include "runtime/base/env.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/engine/proc.h"

static struct list all = LIST_INIT(all);

/* ---- State per communicator --------------------------------------------- */

/* Sets the machine of a communicator whose ranks share memory, and their CPUs
 * with the node's other ranks; of others it is known with their places
 * (coll_plan.c). */
static void set_machine(struct coll_comm *c)
{
	const struct fab *fab = proc.fab;
	double cpus =
	    (double)fab->node_cpus * c->comm->size / proc.job.node_size;

	c->machine = (struct machine){.medium = MEDIUM_NET};
	if (!c->comm->one_node || !fab->ops->node_only)
		return;
	c->machine.medium = MEDIUM_SM;
	if (fab->node_cpus >= proc.job.node_size)
		return;
	c->machine.medium = MEDIUM_BUSY;
	c->machine.cpus = cpus > 1 ? cpus : 1;
}

const struct machine *coll_machine(const struct mrt_comm *comm)
{
	return &comm->coll->machine;
}

static struct coll_comm *coll_comm_add(struct mrt_comm *comm)
{
	struct coll_comm *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->comm = comm;
	comm->coll = c;
	list_init(&c->checks);
	set_machine(c);
	list_append(&all, &c->link);
	return c;
}

static void set_limits(struct coll_comm *c)
{
	struct direct *d = &c->direct;

	for (int k = 0; k < COLLECTIVES; k++) {
		d->max[k] = direct_max(c->comm, d, k);
		d->sizes[k] =
		    d->max[k] ? select_free_sizes(k, c->comm->size) : 0;
		d->short_max[k] = 0;
		while (d->short_max[k] < DIRECT_LINE &&
		       is_direct(d, k, d->short_max[k] + 1))
			d->short_max[k]++;
	}
	d->short_max[COLL_BARRIER] = is_direct(d, COLL_BARRIER, 0);
	d->busy = c->machine.medium == MEDIUM_BUSY;
	/* the short cuts do not compare calls, as MRT_CHECK demands */
	if (env.check)
		memset(d->short_max, 0, sizeof(d->short_max));
}

static int combine_words(struct mrt_comm *comm, uint64_t *words, size_t n)
{
	struct coll_call call = {
	    .collective = COLL_ALLREDUCE,
	    .recv = words,
	    .shape = {.in_place = true, .no_cells = true, .count = n},
	    .type = type_get(MRT_UINT64),
	    .op = op_get(MRT_BOR)};

	return coll_run_plan(comm, &call);
}

/* Creates the cells if a plan may need them and there are none; collective. */
static int make_cells(struct coll_comm *c)
{
	if (c->cells || !select_uses_cells() || c->comm->size == 1)
		return 0;
	return cells_create(c->comm, combine_words, &c->cells);
}

int coll_comm_prepare(struct mrt_comm *comm)
{
	return coll_comm_add(comm)
		   ? 0
		   : proc_fail(MRT_ERR_NO_MEM, "state of collectives");
}

int32_t coll_comm_region(const struct mrt_comm *comm)
{
	return comm->rank == 0 ? direct_take_some(comm) : 0;
}

void coll_comm_attach(struct mrt_comm *comm, int32_t region)
{
	if (comm->size == 1)
		return;
	direct_attach(comm, &comm->coll->direct, region);
	set_limits(comm->coll);
}

int coll_comm_create(struct mrt_comm *comm)
{
	int32_t region = 0;
	struct coll_call call = {
	    .collective = COLL_BCAST,
	    .recv = &region,
	    .shape = {.count = sizeof(region), .no_cells = true},
	    .type = type_get(MRT_BYTE)};
	int rc = comm->coll ? 0 : coll_comm_prepare(comm);

	if (rc || comm->size == 1 || comm->inter)
		return rc;
	region = coll_comm_region(comm);
	rc = coll_run_plan(comm, &call);
	if (rc)
		return rc;
	coll_comm_attach(comm, region);
	return make_cells(comm->coll);
}

static void coll_comm_free(struct coll_comm *c)
{
	direct_detach(&c->direct);
	for (int k = 0; k < c->nidle; k++)
		run_destroy(c->idle[k]);
	cells_destroy(c->cells);
	node_board_destroy(c->board);
	free(c->blocks);
	topology_destroy(c->topo);
	list_remove(&c->link);
	c->comm->coll = NULL;
	free(c);
}

void coll_comm_destroy(struct mrt_comm *comm)
{
	struct coll_comm *c = comm->coll;

	if (!c)
		return;
	if (comm->rank == 0)
		direct_give(&c->direct, comm->size);
	coll_comm_free(c);
}

int coll_init(void)
{
	struct coll_comm *world, *self;
	int rc = same_choice_check();

	if (rc)
		return rc;
	op_init();
	run_trace();
	list_init(&all);
	world = coll_comm_add(&comm_world);
	self = coll_comm_add(&comm_self);
	if (!world || !self)
		return log_error(MRT_ERR_NO_MEM, "state of collectives");
	direct_init(&comm_world, &world->direct);
	set_limits(world);
	return make_cells(world);
}

void coll_fini(void)
{
	while (!list_empty(&all))
		coll_comm_free(list_entry(all.next, struct coll_comm, link));
	check_fini();
	direct_persistent_fini();
	node_board_fini();
	scratch_fini();
}

/* ---- Forcing a choice --------------------------------------------------- */

int coll_force(enum collective collective, const char *text)
{
	char why[768];

	if (select_force(collective, text, why, sizeof(why)))
		return proc_fail(MRT_ERR_ARG, "%s names %s", text, why);
	for (struct list *l = all.next; l != &all; l = l->next)
		set_limits(list_entry(l, struct coll_comm, link));
	return make_cells(comm_world.coll);
}

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

bool coll_may_widen(const struct mrt_comm *comm, enum collective collective,
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
	return (widened ? coll_may_widen(comm, call->collective, bytes)
			: is_direct(&comm->coll->direct, call->collective,
				    bytes)) &&
	       (!call->op ||
		((call->op->commutative || comm->size <= DIRECT_FLAT) &&
		 call->type->size <= DIRECT_LONG / (size_t)comm->size));
}

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
		set_limits(comm->coll);
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

struct cells *coll_cells(const struct mrt_comm *comm)
{
	return comm->coll->cells;
}

struct node_board *coll_board(const struct mrt_comm *comm)
{
	return comm->coll->board;
}
