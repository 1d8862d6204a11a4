/* SPDX-License-Identifier: Apache-2.0 */
/* sim_steps.c: builds plans, converts them, and keeps the last ones. */
#include "tools/sim/sim_steps.h"

#include <stdlib.h>
#include <string.h>

#include "mrt.h"

enum { NEAR = 2 }; /* steps between the two halves of an exchange */

int sim_plans_init(struct sim_plans *p, const struct algorithm *algorithm,
		   const struct shape *shape, struct symmetry symmetry,
		   int apart, size_t budget)
{
	size_t n = (size_t)symmetry.plans;

	*p = (struct sim_plans){.algorithm = algorithm,
				.shape = shape,
				.symmetry = symmetry,
				.apart = apart,
				.budget = budget};
	p->of = calloc(n, sizeof(struct sim_plan *));
	p->ring = malloc(n * sizeof(*p->ring));
	if (p->of && p->ring)
		return MRT_SUCCESS;
	sim_plans_fini(p);
	return MRT_ERR_NO_MEM;
}

static size_t bytes_of(const struct sim_plan *plan)
{
	return (plan->nsteps + 1) * sizeof(*plan->steps);
}

static void forget(struct sim_plans *p)
{
	int rank = p->ring[p->head];
	struct sim_plan *plan = p->of[rank];

	p->of[rank] = NULL;
	p->head = (p->head + 1) % p->symmetry.plans;
	p->here--;
	if (--plan->users)
		return;
	p->bytes -= bytes_of(plan);
	free(plan);
}

void sim_plans_fini(struct sim_plans *p)
{
	while (p->here)
		forget(p);
	plan_fini(&p->scratch);
	free(p->of);
	free(p->ring);
	p->of = NULL;
	p->ring = NULL;
}

static struct sim_step shorten(const struct step *s, int rank)
{
	return (struct sim_step){
	    .kind = s->kind,
	    .in_place = s->src.buf == s->dst.buf && s->src.at == s->dst.at,
	    .tag = s->tag,
	    .away = step_has_peer(s->kind) ? s->peer - rank : 0,
	    .after = {s->after[0], s->after[1]},
	    .word = (uint32_t)s->dst.at,
	    .count = s->count};
}

/* Returns whether a step near `i` receives from the rank that it sends to. */
static bool is_exchange(const struct plan *plan, uint32_t i)
{
	const struct step *s = &plan->steps[i];
	uint32_t from = i > NEAR ? i - NEAR : 0;

	if (s->kind != STEP_SEND)
		return false;
	for (uint32_t k = from; k < plan->nsteps && k <= i + NEAR; k++) {
		const struct step *r = &plan->steps[k];

		if ((r->kind == STEP_RECV || r->kind == STEP_RECV_REDUCE) &&
		    r->peer == s->peer)
			return true;
	}
	return false;
}

static void list_followers(struct sim_plan *p)
{
	uint32_t n = p->nsteps, at = 0, count;

	memset(p->first, 0, (n + 1) * sizeof(*p->first));
	for (uint32_t i = 0; i < n; i++)
		for (int k = 0; k < 2; k++)
			if (p->steps[i].after[k])
				p->first[p->steps[i].after[k] - 1]++;
	for (uint32_t i = 0; i <= n; i++) {
		count = p->first[i];
		p->first[i] = at;
		at += count;
	}
	for (uint32_t i = 0; i < n; i++)
		for (int k = 0; k < 2; k++)
			if (p->steps[i].after[k])
				p->followers[p->first[p->steps[i].after[k] -
						      1]++] = i;
	/* each start has moved to where the next one was */
	memmove(p->first + 1, p->first, n * sizeof(*p->first));
	p->first[0] = 0;
}

static struct sim_plan *make_short(const struct plan *plan, int rank)
{
	size_t n = plan->nsteps;
	struct sim_plan *p = malloc(sizeof(*p) + n * sizeof(*p->steps) +
				    (3 * n + 1) * sizeof(*p->first));

	if (!p)
		return NULL;
	p->nsteps = plan->nsteps;
	p->users = 1;
	p->steps = (struct sim_step *)(p + 1);
	p->first = (uint32_t *)(p->steps + n);
	p->followers = p->first + n + 1;
	for (uint32_t i = 0; i < n; i++) {
		p->steps[i] = shorten(&plan->steps[i], rank);
		p->steps[i].exchange = is_exchange(plan, i);
	}
	list_followers(p);
	return p;
}

static struct sim_plan *build(struct sim_plans *p, int rank)
{
	if (symmetry_plan(&p->symmetry.rotation, p->algorithm, p->shape, rank,
			  &p->scratch))
		return NULL;
	return make_short(&p->scratch, rank);
}

static bool same(const struct sim_plan *p, const struct sim_plan *q)
{
	bool good = p->nsteps == q->nsteps;

	for (uint32_t i = 0; i < p->nsteps && good; i++) {
		const struct sim_step *a = &p->steps[i], *b = &q->steps[i];

		good = a->kind == b->kind && a->in_place == b->in_place &&
		       a->tag == b->tag && a->away == b->away &&
		       a->after[0] == b->after[0] &&
		       a->after[1] == b->after[1] && a->word == b->word &&
		       a->count == b->count;
	}
	return good;
}

/* Returns the plan, or an equal one that is kept already. */
static struct sim_plan *share(struct sim_plans *p, int rank,
			      struct sim_plan *plan)
{
	struct sim_plan *other =
	    rank < p->apart ? NULL : p->of[rank - p->apart];

	if (!other || !same(other, plan)) {
		p->bytes += bytes_of(plan);
		return plan;
	}
	free(plan);
	other->users++;
	return other;
}

const struct sim_plan *sim_plans_get(struct sim_plans *p, int rank)
{
	struct sim_plan *plan;

	rank = symmetry_first(rank, p->symmetry.plans);
	if (p->of[rank])
		return p->of[rank];
	plan = build(p, rank);
	if (!plan)
		return NULL;
	while (p->here && p->bytes > p->budget)
		forget(p);
	p->of[rank] = plan = share(p, rank, plan);
	p->ring[(p->head + p->here++) % p->symmetry.plans] = rank;
	p->built++;
	return plan;
}
