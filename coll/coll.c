/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll.c: state per communicator, and the way that a call takes. A plan and
 * its executor are kept for the shapes used last, so that a repeated call
 * builds and allocates nothing.
 */
#include "coll/coll.h"

#include <stdlib.h>
#include <string.h>

#include "coll/agree.h"
#include "coll/direct.h"
#include "coll/model.h"
#include "coll/run.h"
#include "coll/topology.h"
#include "runtime/base/list.h"
#include "runtime/base/log.h"
#include "runtime/proc.h"

enum { RUNS = 16 }; /* kept per communicator */

struct coll_comm {
	struct list link;
	struct mrt_comm *comm;
	struct machine machine;
	struct direct direct;
	/* bytes up to which a collective goes the direct way; barrier: not 0 */
	size_t direct_max[COLLECTIVES];
	struct run *runs[RUNS]; /* by hash of the shape */
	struct topology *topo;	/* valid if placed; NULL: says nothing */
	bool placed;
};

static struct list all = LIST_INIT(all);

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
	for (int k = 0; k < COLLECTIVES; k++)
		c->direct_max[k] =
		    select_free_bytes(k, c->comm->size,
				      direct_max(c->comm, &c->direct, k));
}

int coll_comm_create(struct mrt_comm *comm)
{
	struct coll_comm *c = add(comm);
	int32_t region = 0;
	struct coll_call call = {.collective = COLL_BCAST,
				 .recv = &region,
				 .count = 1,
				 .type = type_get(MRT_INT32)};
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
	return 0;
}

static void forget_plans(struct coll_comm *c)
{
	for (int k = 0; k < RUNS; k++) {
		run_destroy(c->runs[k]);
		c->runs[k] = NULL;
	}
}

static void destroy(struct coll_comm *c)
{
	forget_plans(c);
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
	return 0;
}

void coll_fini(void)
{
	while (!list_empty(&all))
		destroy(list_entry(all.next, struct coll_comm, link));
	run_fini();
	topology_fini();
}

/* ---- Another choice ----------------------------------------------------- */

static bool any_busy(void)
{
	for (struct list *l = all.next; l != &all; l = l->next)
		for (int k = 0; k < RUNS; k++) {
			struct coll_comm *c =
			    list_entry(l, struct coll_comm, link);

			if (c->runs[k] && run_is_busy(c->runs[k]))
				return true;
		}
	return false;
}

int coll_force(enum collective collective, const char *text)
{
	char why[768];

	if (any_busy())
		return proc_fail(MRT_ERR_STATE, "a collective is under way");
	if (select_force(collective, text, why, sizeof(why)))
		return proc_fail(MRT_ERR_ARG, "%s names %s", text, why);
	for (struct list *l = all.next; l != &all; l = l->next) {
		struct coll_comm *c = list_entry(l, struct coll_comm, link);

		forget_plans(c); /* of the choice before */
		set_limits(c);
	}
	return 0;
}

/* ---- Plans -------------------------------------------------------------- */

/* A run of this shape that is not under way; *kept: it stays in its place. */
static struct run *get_run(struct mrt_comm *comm, enum collective collective,
			   const struct shape *shape, bool *kept)
{
	struct run **slot = &comm->coll->runs[(shape_hash(shape) + collective) % RUNS];
	struct run *run;

	*kept = !*slot || !run_is_busy(*slot);
	if (*slot && *kept && run_is_for(*slot, collective, shape))
		return *slot;
	run = run_create(collective, shape, comm);
	if (run && *kept) {
		run_destroy(*slot);
		*slot = run;
	}
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
	size_t direct = comm->coll->direct_max[collective];
	int rc = find_topology(comm);

	if (rc)
		return rc;
	shape.topo = comm->coll->topo;
	*choice = (struct choice){NULL, 0};
	if (comm->size > 1 && (!direct || bytes > direct))
		*choice = select_algorithm(collective, &shape,
					   &comm->coll->machine, false);
	return 0;
}

int coll_run_plan(struct mrt_comm *comm, const struct coll_call *call)
{
	struct shape shape = {
	    .size = comm->size,
	    .root = call->root,
	    .count = call->count,
	    .type_size = call->type ? call->type->size : 1,
	    .commutative = !call->op || call->op->commutative,
	    .in_place = !call->send || call->send == call->recv,
	};
	struct run_args args = {call->send, call->recv, call->op, call->type};
	struct run *run;
	bool kept;
	int rc = find_topology(comm);

	if (rc)
		return rc;
	shape.topo = comm->coll->topo;
	run = get_run(comm, call->collective, &shape, &kept);
	if (!run)
		return proc_fail(MRT_ERR_NO_MEM, "plan of a collective");
	rc = run_start(run, &args);
	if (!rc)
		rc = run_wait(run);
	if (!kept)
		run_destroy(run);
	return rc;
}

/* ---- The way of a call -------------------------------------------------- */

static int run_direct(struct mrt_comm *comm, const struct coll_call *call)
{
	struct direct *d = &comm->coll->direct;
	struct direct_reduce r = {call->send ? call->send : call->recv,
				  call->recv, call->count, call->op,
				  call->type};

	switch (call->collective) {
	case COLL_BCAST:
		return direct_bcast(comm, d, call->recv,
				    call->count * call->type->size,
				    call->root);
	case COLL_REDUCE:
		return direct_reduce(comm, d, &r, call->root);
	default:
		return direct_allreduce(comm, d, &r);
	}
}

static int run_alone(const struct coll_call *call)
{
	if (call->send && call->send != call->recv)
		memcpy(call->recv, call->send, call->count * call->type->size);
	return 0;
}

int coll_run(struct mrt_comm *comm, const struct coll_call *call)
{
	size_t bytes = call->count * call->type->size;

	if (!bytes)
		return 0;
	if (comm->size == 1)
		return run_alone(call);
	if (bytes <= comm->coll->direct_max[call->collective] &&
	    (!call->op || call->op->commutative))
		return run_direct(comm, call);
	return coll_run_plan(comm, call);
}

int coll_barrier(struct mrt_comm *comm)
{
	const struct coll_call call = {.collective = COLL_BARRIER};

	if (comm->size == 1)
		return 0;
	if (comm->coll->direct_max[COLL_BARRIER])
		return direct_barrier(comm, &comm->coll->direct);
	return coll_run_plan(comm, &call);
}

int coll_allreduce_words(struct mrt_comm *comm, uint64_t *words, size_t n,
			 struct mrt_op *op)
{
	const struct coll_call call = {.collective = COLL_ALLREDUCE,
				       .recv = words,
				       .count = n,
				       .type = type_get(MRT_UINT64),
				       .op = op_get(op)};

	return coll_run(comm, &call);
}
