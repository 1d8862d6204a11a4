/* SPDX-License-Identifier: Apache-2.0 */
/* symmetry.c: is the plan of every rank that of rank 0, moved on? */
#include "apps/sim/symmetry.h"

#include "mrt.h"

/* Ranks after which nodes, caches and groups are as before; 0: none. */
static int period_of(const struct sim_machine *m)
{
	const struct sim_job *j = m->job;
	long period = j->ppn;

	if (j->cyclic && j->ppn > 1)
		return 0;
	for (int k = 0; k < j->topology.tiers; k++)
		period = j->topology.tier[k].nodes * j->ppn;
	return period <= m->ranks && m->ranks % period == 0 ? (int)period : 0;
}

static bool same_step(const struct step *a, const struct step *b, int rank,
		      int n)
{
	bool peer = !step_has_peer(a->kind) ||
		    (int)(((long)a->peer + rank) % n) == b->peer;

	return a->kind == b->kind && a->tag == b->tag &&
	       a->count == b->count && a->after[0] == b->after[0] &&
	       a->after[1] == b->after[1] && peer;
}

/* The plan of `rank` is that of rank 0, moved on? */
static int compare(const struct algorithm *algorithm, const struct shape *shape,
		   const struct plan *first, int rank, bool *same)
{
	struct plan plan;
	int rc = plan_build(algorithm, shape, rank, &plan);

	if (rc)
		return rc;
	*same &= plan.nsteps == first->nsteps;
	for (uint32_t i = 0; i < plan.nsteps && *same; i++)
		*same = same_step(&first->steps[i], &plan.steps[i], rank,
				  shape->size);
	plan_fini(&plan);
	return rc;
}

int symmetry_find(const struct sim_machine *m,
		  const struct algorithm *algorithm, const struct shape *shape,
		  int *period)
{
	int others[] = {1, shape->size / 2, shape->size - 1}, rc;
	struct plan first;
	bool same = true;

	*period = 0;
	if (shape->size < 2 || algorithm->cells || m->job->noise > 0 ||
	    m->job->hashes || !period_of(m))
		return MRT_SUCCESS;
	rc = plan_build(algorithm, shape, 0, &first);
	if (rc)
		return rc;
	for (int k = 0; k < 3 && same && !rc; k++)
		rc = compare(algorithm, shape, &first, others[k], &same);
	plan_fini(&first);
	if (same)
		*period = period_of(m);
	return rc;
}
