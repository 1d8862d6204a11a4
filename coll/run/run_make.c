/* SPDX-License-Identifier: Apache-2.0 */
/* run_make.c: makes and destroys runs: the plan of a shape and memory for its
 * steps. */
#include <stdlib.h>
#include <string.h>

#include "coll/plan/algorithm.h"
#include "coll/call/coll_state.h"
#include "coll/run/run_state.h"
#include "p2p/args.h"
#include "runtime/engine/proc.h"

/* Runs come from a pool because users hold them, as requests. */
struct pool run_pool = POOL_INIT(struct run, 16);

/* Lists for each step the steps that wait for it. */
static void list_followers(struct run *run)
{
	const struct plan *p = &run->plan;
	uint32_t *fill = run->ready; /* which is not in use yet */

	memset(run->first, 0, (p->nsteps + 1) * sizeof(*run->first));
	for (uint32_t i = 0; i < p->nsteps; i++)
		for (int k = 0; k < 2; k++)
			if (p->steps[i].after[k])
				run->first[p->steps[i].after[k]]++;
	for (uint32_t i = 0; i < p->nsteps; i++) {
		run->first[i + 1] += run->first[i];
		fill[i] = run->first[i];
	}
	for (uint32_t i = 0; i < p->nsteps; i++)
		for (int k = 0; k < 2; k++)
			if (p->steps[i].after[k])
				run->followers[fill[p->steps[i].after[k] -
						    1]++] = i;
}

static int run_make_allocate(struct run *run)
{
	const struct plan *p = &run->plan;
	uint32_t n = p->nsteps ? p->nsteps : 1, messages = 0, loads = 0;

	run->waits = malloc(n * sizeof(*run->waits));
	run->ready = malloc(n * sizeof(*run->ready));
	run->followers = malloc(2 * n * sizeof(*run->followers));
	run->first = malloc((n + 1) * sizeof(*run->first));
	run->index = malloc(n * sizeof(*run->index));
	if (!run->waits || !run->ready || !run->followers || !run->first ||
	    !run->index)
		return MRT_ERR_NO_MEM;
	for (uint32_t i = 0; i < p->nsteps; i++)
		if (step_is_message(p->steps[i].kind))
			run->index[i] = messages++;
		else if (step_is_load(p->steps[i].kind))
			run->index[i] = loads++;
	run->message = malloc((messages + 1) * sizeof(*run->message));
	run->loads = malloc((loads + 1) * sizeof(*run->loads));
	if (!run->message || !run->loads)
		return MRT_ERR_NO_MEM;
	run->bytes = sizeof(*run) + messages * sizeof(*run->message) +
		     loads * sizeof(*run->loads) +
		     n * (sizeof(*p->steps) + sizeof(*run->waits) +
			  5 * sizeof(uint32_t)) +
		     shape_lists_bytes(&run->shape);
	for (uint32_t i = 0; i < p->nsteps; i++) {
		const struct step *s = &p->steps[i];
		struct message *m = &run->message[run->index[i]];

		if (step_is_load(s->kind))
			run->loads[run->index[i]] =
			    (struct run_load){.load = {.peer = s->peer,
						       .tag = s->tag,
						       .ready = run_load_ready},
					      .run = run,
					      .step = i};
		if (!step_is_message(s->kind))
			continue;
		m->run = run;
		m->step = i;
		m->req.complete = true;
	}
	return 0;
}

static int make_acts(struct run *run)
{
	run->cells = run->plan.ncells ? run->comm->coll->cells : NULL;
	run->turn.begin = run_begin_turn;
	if (!run->cells)
		return 0;
	return acts_make(&run->acts, &run->plan,
			 &(struct act){.cells = run->cells,
				       .owner = run,
				       .type_size = run->shape.type_size,
				       .done = run_act_done});
}

/* A plan has turns on cells or on boards, not on both: runs that wait for one
 * of them only would get ahead of it on some ranks. Whatever depends on places
 * may use boards, on this rank or on others of its node. */
static int make_plan(struct run *run)
{
	const struct algorithm *a = run->choice.algorithm;
	struct shape shape = run->shape;
	int rc;

	shape.arg = run->choice.arg;
	if (select_needs_cells(run->collective, &run->choice))
		shape.board = 0;
	if (shape.board && (a->by_node || a->board))
		run->board = run->comm->coll->board;
	rc = plan_build(run->choice.algorithm, &shape, run->comm->rank,
			&run->plan);
	run->turn.bytes = run->plan.board * shape.type_size;
	return rc;
}

int run_create(struct mrt_comm *comm, const struct coll_call *call,
	       struct run **made)
{
	struct choice choice =
	    select_algorithm(call->collective, &call->shape,
			     &comm->coll->machine, comm->rank == 0);
	struct run *run;

	if (!choice.algorithm)
		return proc_fail(MRT_ERR_UNSUPPORTED,
				 "no algorithm of %s "
				 "fits this call",
				 coll_tables[call->collective].name);
	run = pool_get_zeroed(&run_pool);
	if (!run)
		return proc_fail(MRT_ERR_NO_MEM, "plan of a collective");
	run->comm = run->req.comm = comm;
	run->collective = call->collective;
	run->generation = select_generation();
	run->choice = choice;
	status_empty(&run->req.status, MRT_ANY_SOURCE);
	if (shape_copy(&run->shape, &call->shape) || make_plan(run) ||
	    run_make_allocate(run) || make_acts(run)) {
		run_destroy(run);
		return proc_fail(MRT_ERR_NO_MEM, "plan of a collective");
	}
	list_followers(run);
	for (int k = 0; k < run->plan.ntmp; k++)
		run->tmp_bytes +=
		    run_aligned(run->plan.tmp[k] * run->shape.type_size);
	*made = run;
	return 0;
}

size_t run_bytes(const struct run *run)
{
	return run->bytes;
}

void run_destroy(struct run *run)
{
	if (!run)
		return;
	acts_free(&run->acts);
	free(run->message);
	free(run->loads);
	free(run->index);
	free(run->first);
	free(run->followers);
	free(run->ready);
	free(run->waits);
	plan_fini(&run->plan);
	shape_fini(&run->shape);
	pool_put_last(&run_pool, run);
}
