/* SPDX-License-Identifier: Apache-2.0 */
/* coll_comm.c: makes and frees the state that collectives keep per communicator
 * (coll_state.h). */
#include "coll/comm/coll_comm.h"

#include <stdlib.h>

#include "coll/call/check.h"
#include "coll/call/coll_state.h"
#include "coll/call/scratch.h"
#include "coll/cells/cells.h"
#include "coll/node/direct_started.h"
#include "coll/node/node_board.h"
#include "coll/plan/model.h"
#include "coll/plan/topology.h"
#include "coll/run/coll.h"
#include "coll/run/run.h"
#include "coll/run/same_choice.h"
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
	c->direct.busy = c->machine.medium == MEDIUM_BUSY;
	direct_set_limits(c->comm, &c->direct);
}

/* Creates the cells if a plan may need them and there are none; collective. */
static int make_cells(struct coll_comm *c)
{
	if (c->cells || !select_uses_cells() || c->comm->size == 1)
		return 0;
	return cells_create(c->comm, coll_combine_words, &c->cells);
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
	direct_lines_close(c->lines);
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
	if (comm->rank == 0) {
		if (c->lines)
			direct_lines_keep(c->lines, &c->direct);
		else
			direct_give_started(comm, &c->direct);
		direct_give(&c->direct, comm->size);
	}
	coll_comm_free(c);
}

int coll_init(void)
{
	struct coll_comm *world, *self;
	int rc = same_choice_check();

	if (rc)
		return rc;
	if (!proc.far->closes)
		model_keep(0);
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
	direct_lines_fini();
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
