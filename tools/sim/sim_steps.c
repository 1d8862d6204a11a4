/* SPDX-License-Identifier: Apache-2.0 */
/* sim_steps.c: builds plans, converts them, and keeps them. */
#include "tools/sim/sim_steps.h"

#include <stdlib.h>
#include <string.h>

#include "coll/plan/step_hash.h"
#include "mrt.h"

enum { NEAR = 2 }; /* steps between the two halves of an exchange */

int sim_plans_init(struct sim_plans *p, const struct algorithm *algorithm,
		   const struct shape *shape, struct symmetry symmetry,
		   int apart, size_t budget, struct sim_caches *caches)
{
	size_t n = (size_t)symmetry.plans;

	*p = (struct sim_plans){.algorithm = algorithm,
				.shape = shape,
				.symmetry = symmetry,
				.apart = apart,
				.budget = budget,
				.caches = caches};
	p->of = calloc(n, sizeof(struct sim_plan *));
	return p->of ? MRT_SUCCESS : MRT_ERR_NO_MEM;
}

static size_t plan_bytes(uint32_t nsteps)
{
	return sizeof(struct sim_plan) + nsteps * sizeof(struct sim_operand);
}

static size_t skeleton_bytes(uint32_t nsteps)
{
	return sizeof(struct sim_skeleton) + nsteps * sizeof(struct sim_step) +
	       (3 * (size_t)nsteps + 1) * sizeof(uint32_t);
}

static void skeleton_release(struct sim_plans *p, struct sim_skeleton *s)
{
	struct sim_skeleton **at = &p->buckets[s->hash % SIM_BUCKETS];

	if (--s->users)
		return;
	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	p->bytes -= skeleton_bytes(s->nsteps);
	free(s);
}

/* One rank less uses the plan. */
static void sim_steps_drop(struct sim_plans *p, struct sim_plan *plan)
{
	if (--plan->users)
		return;
	p->bytes -= plan_bytes(plan->skeleton->nsteps);
	skeleton_release(p, plan->skeleton);
	free(plan);
}

void sim_plans_fini(struct sim_plans *p)
{
	for (int r = 0; p->of && r < p->symmetry.plans; r++)
		if (p->of[r])
			sim_steps_drop(p, p->of[r]);
	plan_fini(&p->scratch);
	free(p->of);
	p->of = NULL;
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

static void list_followers(struct sim_skeleton *p)
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

static struct sim_step sim_steps_shorten(const struct plan *plan, uint32_t i)
{
	const struct step *s = &plan->steps[i];
	bool word = step_is_onesided(s->kind) || s->kind == STEP_WAIT_MEMORY;

	/* a reduction's operands may change places from rank to rank */
	return (struct sim_step){.kind = s->kind,
				 .in_place = !step_reduces(s->kind) &&
					     s->src.buf == s->dst.buf &&
					     s->src.at == s->dst.at,
				 .exchange = is_exchange(plan, i),
				 .tag = s->tag,
				 .after = {s->after[0], s->after[1]},
				 .word = word ? (uint32_t)s->dst.at : 0};
}

/* Makes a send or receive, step `number`, wait for the last one of its kind, if
 * it has room for that. */
static void wait_for_last(struct sim_step *s, uint32_t number,
			  uint32_t last[STEP_KINDS])
{
	if (last[s->kind] && !(s->after[0] && s->after[1]))
		s->after[s->after[0] != 0] = last[s->kind];
	last[s->kind] = step_is_message(s->kind) ? number : 0;
}

static uint64_t add_step(uint64_t hash, const struct sim_step *s)
{
	hash = step_hash_mix(hash ^ s->kind ^ (uint64_t)s->in_place << 8 ^
			     (uint64_t)s->exchange << 9 ^
			     (uint64_t)s->tag << 16 ^ (uint64_t)s->word << 32);
	return step_hash_mix(hash ^ s->after[0] ^ (uint64_t)s->after[1] << 32);
}

static bool same_skeleton(const struct sim_skeleton *p,
			  const struct sim_skeleton *q)
{
	bool good = p->hash == q->hash && p->nsteps == q->nsteps;

	for (uint32_t i = 0; i < p->nsteps && good; i++) {
		const struct sim_step *a = &p->steps[i], *b = &q->steps[i];

		good = a->kind == b->kind && a->in_place == b->in_place &&
		       a->exchange == b->exchange && a->tag == b->tag &&
		       a->after[0] == b->after[0] &&
		       a->after[1] == b->after[1] && a->word == b->word;
	}
	return good;
}

/* Returns the skeleton, or an equal one that is kept already. */
static struct sim_skeleton *skeleton_keep(struct sim_plans *p,
					  struct sim_skeleton *s)
{
	struct sim_skeleton **bucket = &p->buckets[s->hash % SIM_BUCKETS];
	struct sim_skeleton *other = *bucket;

	while (other && !same_skeleton(other, s))
		other = other->next;
	if (other) {
		free(s);
		s = other;
	} else {
		list_followers(s);
		p->bytes += skeleton_bytes(s->nsteps);
		s->next = *bucket;
		*bucket = s;
	}
	s->users++;
	return s;
}

static struct sim_skeleton *skeleton_of(struct sim_plans *p,
					const struct plan *plan)
{
	size_t n = plan->nsteps;
	uint32_t last[STEP_KINDS] = {0};
	struct sim_skeleton *s = malloc(skeleton_bytes(plan->nsteps));

	if (!s)
		return NULL;
	*s = (struct sim_skeleton){.nsteps = plan->nsteps};
	s->steps = (struct sim_step *)(s + 1);
	s->first = (uint32_t *)(s->steps + n);
	s->followers = s->first + n + 1;
	for (uint32_t i = 0; i < n; i++) {
		s->steps[i] = sim_steps_shorten(plan, i);
		if (p->in_turn)
			wait_for_last(&s->steps[i], i + 1, last);
		s->hash = add_step(s->hash, &s->steps[i]);
	}
	return skeleton_keep(p, s);
}

/* Notes what of the plan in scratch goes through memory. Returns false if there
 * is none. */
static bool sim_steps_look(struct sim_plans *p, struct sim_plan *plan)
{
	uint32_t n = p->scratch.nsteps;
	float *cold = p->caches ? malloc((n + 1) * sizeof(*cold)) : NULL;
	bool good =
	    !p->caches ||
	    (cold && sim_caches_trace(p->caches, &p->scratch, p->shape, cold));

	for (uint32_t i = 0; i < n && good && cold; i++)
		plan->operands[i].cold = cold[i];
	free(cold);
	return good;
}

static struct sim_plan *sim_steps_build(struct sim_plans *p, int rank)
{
	const struct plan *from = &p->scratch;
	struct sim_plan *plan;

	if (symmetry_plan(&p->symmetry.rotation, p->algorithm, p->shape, rank,
			  &p->scratch))
		return NULL;
	plan = malloc(plan_bytes(from->nsteps));
	if (!plan)
		return NULL;
	*plan = (struct sim_plan){.skeleton = skeleton_of(p, from), .users = 1};
	if (!plan->skeleton) {
		free(plan);
		return NULL;
	}
	for (uint32_t i = 0; i < from->nsteps; i++) {
		const struct step *s = &from->steps[i];

		plan->operands[i] = (struct sim_operand){
		    .away = step_has_peer(s->kind) ? s->peer - rank : 0,
		    .count = s->count};
	}
	p->bytes += plan_bytes(from->nsteps);
	if (sim_steps_look(p, plan))
		return plan;
	sim_steps_drop(p, plan);
	return NULL;
}

static bool sim_steps_same(const struct sim_plan *p, const struct sim_plan *q)
{
	bool good = p->skeleton == q->skeleton;

	for (uint32_t i = 0; i < p->skeleton->nsteps && good; i++)
		good = p->operands[i].away == q->operands[i].away &&
		       p->operands[i].count == q->operands[i].count &&
		       p->operands[i].cold == q->operands[i].cold;
	return good;
}

/* Returns the plan, or an equal one that is kept already. */
static struct sim_plan *sim_steps_share(struct sim_plans *p, int rank,
					struct sim_plan *plan)
{
	struct sim_plan *other =
	    rank < p->apart ? NULL : p->of[rank - p->apart];

	if (!other || !sim_steps_same(other, plan))
		return plan;
	sim_steps_drop(p, plan);
	other->users++;
	return other;
}

const struct sim_plan *sim_plans_get(struct sim_plans *p, int rank)
{
	struct sim_plan *plan;

	rank = symmetry_first(rank, p->symmetry.plans);
	if (p->of[rank])
		return p->of[rank];
	p->full = p->bytes > p->budget;
	plan = p->full ? NULL : sim_steps_build(p, rank);
	if (plan)
		p->of[rank] = plan = sim_steps_share(p, rank, plan);
	return plan;
}
