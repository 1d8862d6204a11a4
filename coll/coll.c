/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll.c: state per communicator, and the way that a call takes. Plans with
 * their executors (runs) are kept when they are not under way, those used last,
 * so that a repeated call builds and allocates nothing; also a nonblocking
 * one, as long as no more than these are under way at once.
 */
#include "coll/coll.h"

#include <stdlib.h>
#include <string.h>

#include "coll/agree.h"
#include "coll/cells.h"
#include "coll/direct_line.h"
#include "coll/model.h"
#include "coll/run.h"
#include "coll/scratch.h"
#include "coll/topology.h"
#include "runtime/base/list.h"
#include "runtime/base/log.h"
#include "runtime/proc.h"

enum { RUNS = 32 }; /* kept per communicator */

struct coll_comm {
	struct list link;
	struct mrt_comm *comm;
	struct machine machine;
	struct direct direct;
	/* which sizes, by class, go the direct way, and up to how many bytes */
	uint64_t direct_sizes[COLLECTIVES];
	size_t direct_max[COLLECTIVES];
	struct run *idle[RUNS]; /* [nidle] that used last is the last */
	int nidle;
	struct cells *cells; /* NULL: no plan needs them */
	struct block *blocks; /* [2 size] coll_blocks; NULL: not yet */
	struct topology *topo;	/* valid if placed; NULL: says nothing */
	bool placed;
};

static struct list all = LIST_INIT(all);
static struct {
	uint64_t built, reused;
} plans;

/* ---- State per communicator --------------------------------------------- */

/* CPUs count where all ranks are on one node, and share them with the node's
 * other ranks; those of other nodes nobody knows. */
static void set_machine(struct coll_comm *c)
{
	const struct fab *near = proc.fab;
	double cpus = (double)near->node_cpus * c->comm->size /
		      proc.job.node_size;

	c->machine = (struct machine){MEDIUM_NET, 0};
	if (!c->comm->one_node || !near->ops->node_only)
		return;
	c->machine.medium = MEDIUM_SM;
	if (near->node_cpus >= proc.job.node_size)
		return;
	c->machine.medium = MEDIUM_BUSY;
	c->machine.cpus = cpus > 1 ? cpus : 1;
}

const struct machine *coll_machine(const struct mrt_comm *comm)
{
	return &comm->coll->machine;
}

static struct coll_comm *add(struct mrt_comm *comm)
{
	struct coll_comm *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->comm = comm;
	comm->coll = c;
	set_machine(c);
	list_append(&all, &c->link);
	return c;
}

static void set_limits(struct coll_comm *c)
{
	for (int k = 0; k < COLLECTIVES; k++) {
		c->direct_max[k] = direct_max(c->comm, &c->direct, k);
		c->direct_sizes[k] =
		    c->direct_max[k] ? select_free_sizes(k, c->comm->size) : 0;
	}
}

/* Does a call of so many bytes (barrier: 0) go the direct way? */
static inline bool is_direct(const struct coll_comm *c,
			     enum collective collective, size_t bytes)
{
	return bytes <= c->direct_max[collective] &&
	       c->direct_sizes[collective] >> size_class(bytes) & 1;
}

/* Once a plan may need them: collective. */
static int make_cells(struct coll_comm *c)
{
	if (c->cells || !select_uses_cells() || c->comm->size == 1)
		return 0;
	return cells_create(c->comm, &c->cells);
}

int coll_comm_create(struct mrt_comm *comm)
{
	struct coll_comm *c = add(comm);
	int32_t region = 0;
	struct coll_call call = {.collective = COLL_BCAST,
				 .recv = &region,
				 .count = sizeof(region),
				 .type = type_get(MRT_BYTE)};
	int rc = c ? 0 : proc_fail(MRT_ERR_NO_MEM, "state of collectives");

	if (rc || comm->size == 1)
		return rc;
	if (comm->rank == 0)
		region = direct_take(comm);
	rc = coll_run_plan(comm, &call);
	if (rc)
		return rc;
	direct_attach(comm, &c->direct, region);
	set_limits(c);
	return make_cells(c);
}

static void destroy(struct coll_comm *c)
{
	for (int k = 0; k < c->nidle; k++)
		run_destroy(c->idle[k]);
	cells_destroy(c->cells);
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
		direct_give(comm, &c->direct);
	destroy(c);
}

int coll_init(void)
{
	struct coll_comm *world, *self;
	int rc = agree_check();

	if (rc)
		return rc;
	op_init();
	list_init(&all);
	world = add(&comm_world);
	self = add(&comm_self);
	if (!world || !self)
		return log_error(MRT_ERR_NO_MEM, "state of collectives");
	direct_init(&comm_world, &world->direct);
	set_limits(world);
	return make_cells(world);
}

void coll_fini(void)
{
	while (!list_empty(&all))
		destroy(list_entry(all.next, struct coll_comm, link));
	scratch_fini();
	topology_fini();
}

/* ---- Another choice ----------------------------------------------------- */

int coll_force(enum collective collective, const char *text)
{
	char why[768];

	if (select_force(collective, text, why, sizeof(why)))
		return proc_fail(MRT_ERR_ARG, "%s names %s", text, why);
	for (struct list *l = all.next; l != &all; l = l->next)
		set_limits(list_entry(l, struct coll_comm, link));
	return make_cells(comm_world.coll);
}

struct block *coll_blocks(struct mrt_comm *comm)
{
	struct coll_comm *c = comm->coll;

	if (!c->blocks)
		c->blocks = malloc(2 * (size_t)comm->size * sizeof(*c->blocks));
	return c->blocks;
}

void coll_stats(struct tally *t)
{
	tally_add(t, "coll", "plans built", plans.built);
	tally_add(t, "coll", "plans used again", plans.reused);
}

/* ---- Runs --------------------------------------------------------------- */

static struct shape shape_of(const struct mrt_comm *comm,
			     const struct coll_call *call)
{
	return (struct shape){
	    .size = comm->size,
	    .root = call->root,
	    .count = call->count,
	    .type_size = call->type ? call->type->size : 1,
	    .commutative = !call->op || call->op->commutative,
	    .in_place = call->in_place,
	    .no_cells = call->no_cells || !comm->coll->cells,
	    .combine = call->op ? op_combine(call->op, call->type)
				: COMBINE_NONE,
	    .send = call->send_blocks,
	    .recv = call->recv_blocks,
	    .neighbors = call->neighbors,
	};
}

/* Where SEND and RECV are, in place too. */
static struct run_args args_of(const struct mrt_comm *comm,
			       const struct coll_call *call,
			       const struct shape *shape)
{
	struct run_args args = {call->send, call->recv, call->op, call->type};
	ptrdiff_t at;

	if (!call->in_place)
		return args;
	at = shape_offset(call->collective, shape, comm->rank) *
	     (ptrdiff_t)shape->type_size;
	if (call->recv)
		args.send = (char *)call->recv + at;
	else
		args.recv = (char *)(uintptr_t)call->send - at;
	return args;
}

/* An idle run of this shape, or NULL. */
static struct run *find_run(struct coll_comm *c, enum collective collective,
			    const struct shape *shape)
{
	int k = c->nidle;
	struct run *run;

	while (--k >= 0 && !run_is_for(c->idle[k], collective, shape))
		;
	if (k < 0)
		return NULL;
	run = c->idle[k];
	c->nidle--;
	memmove(&c->idle[k], &c->idle[k + 1],
		(size_t)(c->nidle - k) * sizeof(run));
	return run;
}

/* Looked up at the first plan. */
static int find_topology(struct mrt_comm *comm)
{
	struct coll_comm *c = comm->coll;
	int rc = c->placed || comm->size == 1
		     ? 0
		     : topology_of_ranks(comm->world, comm->size, &c->topo);

	c->placed = !rc;
	return rc;
}

int coll_choice(struct mrt_comm *comm, enum collective collective,
		size_t bytes, struct choice *choice)
{
	struct shape shape = {.size = comm->size,
			      .count = bytes % 8 ? bytes : bytes / 8,
			      .type_size = bytes % 8 ? 1 : 8,
			      .commutative = true};
	int rc = find_topology(comm);

	if (rc)
		return rc;
	shape.topo = comm->coll->topo;
	*choice = (struct choice){NULL, 0};
	if (comm->size > 1 && !is_direct(comm->coll, collective, bytes))
		*choice = select_algorithm(collective, &shape,
					   &comm->coll->machine, false);
	return 0;
}

/* A run for the call, bound to its buffers. */
static int take_run(struct mrt_comm *comm, const struct coll_call *call,
		    struct run **run)
{
	struct shape shape = shape_of(comm, call);
	struct run_args args = args_of(comm, call, &shape);
	int rc = find_topology(comm);

	if (rc)
		return rc;
	shape.topo = comm->coll->topo;
	*run = find_run(comm->coll, call->collective, &shape);
	if (*run) {
		plans.reused++;
	} else {
		rc = run_create(call->collective, &shape, comm, run);
		if (rc)
			return rc;
		plans.built++;
	}
	run_bind(*run, &args);
	return 0;
}

/* Back from its use; the communicator may have been freed meanwhile. */
static void give_run(struct run *run)
{
	struct mrt_comm *comm = ((struct mrt_request *)run)->comm;
	struct coll_comm *c = comm->coll;

	run_unbind(run);
	if (!c) {
		run_destroy(run);
	} else {
		if (c->nidle == RUNS) {
			run_destroy(c->idle[0]);
			memmove(c->idle, c->idle + 1,
				--c->nidle * sizeof(run));
		}
		c->idle[c->nidle++] = run;
	}
	comm_release(comm);
}

int coll_run_plan(struct mrt_comm *comm, const struct coll_call *call)
{
	struct run *run;
	int rc = take_run(comm, call, &run);

	if (rc)
		return rc;
	rc = run_start(run);
	if (!rc)
		rc = run_wait(run);
	give_run(run);
	return rc;
}

/* ---- Requests ----------------------------------------------------------- */

static void release(struct mrt_request *req)
{
	give_run((struct run *)req);
}

static int restart(struct mrt_request *req)
{
	return run_start((struct run *)req);
}

static const struct request_ops nonblocking = {.release = release};
static const struct request_ops persistent = {restart, release};

int coll_start(struct mrt_comm *comm, const struct coll_call *call,
	       struct mrt_request **request)
{
	struct run *run;
	int rc = take_run(comm, call, &run);

	if (rc)
		return rc;
	rc = run_start(run);
	if (rc) {
		give_run(run);
		return rc;
	}
	*request = (struct mrt_request *)run;
	(*request)->ops = &nonblocking;
	(*request)->idle = false;
	return 0;
}

int coll_prepare(struct mrt_comm *comm, const struct coll_call *call,
		 struct mrt_request **request)
{
	struct coll_call no_cells = *call;
	struct run *run;
	int rc;

	/* ranks may start several in different orders: turns on cells would
	 * come in different orders */
	no_cells.no_cells = true;
	rc = take_run(comm, &no_cells, &run);
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
	(*request)->idle = (*request)->complete = true;
	return 0;
}

/* ---- The way of a call -------------------------------------------------- */

typedef int direct_fn(struct mrt_comm *comm, struct direct *d,
		      const struct coll_call *call);

static int run_direct_barrier(struct mrt_comm *comm, struct direct *d,
			      const struct coll_call *call)
{
	(void)call;
	return direct_barrier(comm, d);
}

static int run_direct_bcast(struct mrt_comm *comm, struct direct *d,
			    const struct coll_call *call)
{
	return direct_bcast(comm, d, call->recv, call->count, call->root);
}

static struct direct_reduce reduction_of(const struct coll_call *call)
{
	return (struct direct_reduce){call->in_place ? call->recv : call->send,
				      call->recv, call->count, call->op,
				      call->type};
}

static int run_direct_reduce(struct mrt_comm *comm, struct direct *d,
			     const struct coll_call *call)
{
	struct direct_reduce r = reduction_of(call);

	return direct_reduce(comm, d, &r, call->root);
}

static int run_direct_allreduce(struct mrt_comm *comm, struct direct *d,
				const struct coll_call *call)
{
	struct direct_reduce r = reduction_of(call);

	return direct_allreduce(comm, d, &r);
}

/* NULL: none. */
static direct_fn *const direct[COLLECTIVES] = {
    [COLL_BARRIER] = run_direct_barrier,
    [COLL_BCAST] = run_direct_bcast,
    [COLL_REDUCE] = run_direct_reduce,
    [COLL_ALLREDUCE] = run_direct_allreduce,
};

/* In a communicator of one: the own block. */
static int run_alone(const struct mrt_comm *comm, const struct coll_call *call)
{
	struct shape shape = shape_of(comm, call);
	struct block from = shape_send(&shape, 0), to = shape_recv(&shape, 0);
	size_t size = shape.type_size;

	if (call->collective == COLL_REDUCE_SCATTER ||
	    call->collective == COLL_REDUCE_SCATTER_BLOCK)
		from = to = (struct block){0, to.count};
	if (call->send && call->recv && to.count &&
	    call->collective != COLL_EXSCAN)
		memcpy((char *)call->recv + to.at * size,
		       (const char *)call->send + from.at * size,
		       to.count * size);
	return 0;
}

/* Does no rank have anything to move, as all of them know? Then they all leave
 * out the call, whose number the next one takes. */
static bool is_empty(const struct coll_call *call)
{
	switch (call->collective) {
	case COLL_BARRIER:
	case COLL_GATHERV:
	case COLL_SCATTERV:
	case COLL_NEIGHBOR_ALLGATHER:
	case COLL_NEIGHBOR_ALLTOALL:
		return false;
	default:
		return !call->count && !call->recv_blocks;
	}
}

/* Small enough, and reduced in the order of ranks where that matters: by the
 * flat way. */
static bool goes_direct(const struct mrt_comm *comm,
			const struct coll_call *call)
{
	size_t bytes = call->type ? call->count * call->type->size : 0;

	return is_direct(comm->coll, call->collective, bytes) &&
	       (!call->op || call->op->commutative ||
		comm->size <= DIRECT_FLAT);
}

int coll_run(struct mrt_comm *comm, const struct coll_call *call)
{
	if (is_empty(call))
		return 0;
	if (comm->size == 1 && !call->neighbors)
		return run_alone(comm, call);
	if (goes_direct(comm, call))
		return direct[call->collective](comm, &comm->coll->direct,
						call);
	return coll_run_plan(comm, call);
}

int coll_barrier(struct mrt_comm *comm)
{
	const struct coll_call call = {.collective = COLL_BARRIER};

	return coll_run(comm, &call);
}

int coll_allreduce_words(struct mrt_comm *comm, uint64_t *words, size_t n,
			 struct mrt_op *op)
{
	const struct coll_call call = {.collective = COLL_ALLREDUCE,
				       .in_place = true,
				       .recv = words,
				       .count = n,
				       .type = type_get(MRT_UINT64),
				       .op = op_get(op)};

	return coll_run(comm, &call);
}

int coll_quiesce(struct mrt_comm *comm)
{
	/* not by the direct way, nor by cells: whoever has begun it has
	 * finished all that it did on the memory of others before */
	const struct coll_call barrier = {.collective = COLL_BARRIER,
					  .no_cells = true};
	int rc = cells_drain(comm->coll->cells);

	return rc || comm->size == 1 ? rc : coll_run_plan(comm, &barrier);
}

struct cells *coll_cells(const struct mrt_comm *comm)
{
	return comm->coll->cells;
}
