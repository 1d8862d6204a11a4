/* SPDX-License-Identifier: Apache-2.0 */
/* flow_visit.c: simulates one rank. */
#include "tools/sim/flow_state.h"
#include "tools/sim/timed.h"
#include "coll/plan/step_hash.h"
#include "mrt.h"

/* ---- Steps ---- */

static void flow_visit_release(struct visit *v, uint32_t step)
{
	if (step - v->r->base >= WINDOW) {
		flow_give_up(v->f, MRT_ERR_UNSUPPORTED);
	} else if (flow_receives(&v->plan->steps[step])) {
		v->begun |= 1ull << step % WINDOW;
		v->when[step % WINDOW] = v->cpu.t;
	} else {
		v->ready[v->tail++ % WINDOW] = (uint16_t)step;
	}
}

static void add_hash(const struct visit *v, uint32_t step)
{
	const struct flow_step *s = &v->plan->steps[step];
	struct step full = {.kind = s->kind,
			    .tag = s->tag,
			    .peer = s->peer,
			    .after = {s->after[0], s->after[1]},
			    .count = s->count};

	v->f->result->hashes[v->rank] += step_hash(step, &full);
}

static void release_followers(struct visit *v, uint32_t step)
{
	const struct flow_step *steps = v->plan->steps, *s = &steps[step];

	if (s->nfollowers <= FLOW_FOLLOWERS) {
		for (int k = 0; k < s->nfollowers; k++)
			if (flow_may_begin(v->r, &steps[s->followers[k]]))
				flow_visit_release(v, s->followers[k]);
		return;
	}
	for (uint32_t i = step + 1; i < v->plan->nsteps; i++)
		if ((steps[i].after[0] == step + 1 ||
		     steps[i].after[1] == step + 1) &&
		    flow_may_begin(v->r, &steps[i]))
			flow_visit_release(v, i);
}

void flow_finish(struct visit *v, uint32_t step)
{
	struct flow_rank *r = v->r;

	if (v->f->result->hashes)
		add_hash(v, step);
	r->finished |= 1ull << (step - r->base);
	release_followers(v, step);
	while (r->finished & 1) {
		r->finished >>= 1;
		r->base++;
	}
}

/* ---- CPU ---- */

/* Sends the message; the CPU's part is done already. */
static void flow_visit_send(struct visit *v, uint32_t step,
			    const struct range *range, uint64_t bytes)
{
	const struct flow_step *s = &v->plan->steps[step];
	struct mail mail = {
	    .from = v->rank, .step = (uint16_t)step, .tag = s->tag};
	struct moment at = v->cpu;

	moment_queue(&at, v->cpu.t + v->r->out_after);
	v->r->out_after =
	    flow_short(v->f, at.t + range_gap(range, bytes) - v->cpu.t);
	moment_add(&at, SIM_LATENCY, range->L);
	moment_add(&at, SIM_LATENCY, machine_hops(v->f->m, v->rank, s->peer));
	mail.at = brief_of(&at);
	flow_post(v->f, s->peer, mail);
}

void flow_passed(struct visit *v, int64_t before)
{
	struct flow_rank *r = v->r;
	int64_t took = v->cpu.t - before;

	r->out_after =
	    took < (int64_t)r->out_after ? r->out_after - (uint32_t)took : 0;
	r->key_before = flow_short(v->f, took + r->key_before);
}

void flow_noise(struct visit *v, int64_t begin, uint32_t step, unsigned use)
{
	if (v->cpu.t > begin)
		machine_noise(v->f->m, &v->cpu, v->rank, step, use);
}

static void do_step(struct visit *v, uint32_t step)
{
	const struct flow_step *s = &v->plan->steps[step];
	const struct sim_step local = {
	    .kind = s->kind, .in_place = s->in_place, .count = s->count};
	uint64_t bytes = flow_bytes(v->f, s);
	const struct range *range = NULL;
	int64_t before = v->cpu.t;

	if (s->kind == STEP_SEND) {
		range = machine_count(v->f->m, v->f->result, v->rank, s->peer,
				      bytes, 1);
		if (range->rendezvous)
			flow_give_up(v->f, MRT_ERR_UNSUPPORTED);
		machine_send(&v->cpu, range, bytes);
	} else {
		machine_compute(v->f->m, &v->cpu, &local, 0);
	}
	flow_noise(v, before, step, ITEM_STEP);
	flow_passed(v, before);
	if (range)
		flow_visit_send(v, step, range, bytes);
	flow_finish(v, step);
}

/* ---- Ranks ---- */

static void flow_visit_begin(struct visit *v)
{
	const struct flow_step *steps = v->plan->steps;

	for (uint32_t i = 0; i < v->plan->nsteps && !v->f->rc; i++)
		if (!steps[i].after[0] && !steps[i].after[1])
			flow_visit_release(v, i);
}

/* Returns whether the rank leaves what is ready for later. It must find that
 * again: in the order of steps. */
static bool flow_visit_parks(const struct visit *v)
{
	const struct flow_step *s = &v->plan->steps[v->ready[v->head % WINDOW]];

	if (!v->f->parks || s->kind != STEP_SEND || flow_near(v->rank, s->peer))
		return false;
	for (unsigned k = v->head + 1; k != v->tail; k++)
		if (v->ready[k % WINDOW] < v->ready[(k - 1) % WINDOW])
			return false;
	return true;
}

/* Goes on with what was ready when the rank was parked. */
static void flow_visit_resume(struct visit *v)
{
	uint32_t end = v->r->base + WINDOW;

	for (uint32_t i = v->r->base; i < v->plan->nsteps && i < end; i++) {
		const struct flow_step *s = &v->plan->steps[i];

		if (!flow_receives(s) && !flow_finished(v->r, i) &&
		    flow_may_begin(v->r, s))
			flow_visit_release(v, i);
	}
}

static uint32_t before_cpu(const struct visit *v, int64_t t)
{
	return v->cpu.t - t < (int64_t)SOON ? (uint32_t)(v->cpu.t - t) : SOON;
}

/* Keeps when the receives began that are not finished. */
static void keep_began(struct visit *v)
{
	uint32_t first = flow_first_receive(v), at = first % WINDOW;
	int64_t rest =
	    v->rest_began > v->first_began ? v->rest_began : v->first_began;

	if (first == v->plan->nsteps)
		return;
	v->r->first_before = before_cpu(
	    v, v->begun >> at & 1 ? v->when[at] : flow_began(v, first));
	for (uint64_t left = v->begun; left; left &= left - 1) {
		uint32_t k = (uint32_t)__builtin_ctzll(left);
		uint32_t step = v->r->base + (k - v->r->base) % WINDOW;

		if (!flow_finished(v->r, step) && v->when[k] > rest)
			rest = v->when[k];
	}
	v->r->rest_before = before_cpu(v, rest);
}

static void go_on(struct visit *v)
{
	do {
		while (v->head != v->tail && !v->f->rc) {
			if (flow_visit_parks(v)) {
				v->r->state = PARKED;
				return;
			}
			do_step(v, v->ready[v->head++ % WINDOW]);
		}
	} while (!v->f->rc && flow_receive(v));
	v->r->state = BLOCKED;
}

int flow_visit(struct flow *f, int rank)
{
	struct visit v;

	f->rc = flow_plans_get(&f->plans, rank, &v.plan);
	if (f->rc)
		return -1;
	v.f = f;
	v.r = &f->ranks[rank];
	v.rank = rank;
	v.missing = -1;
	v.cpu = brief_moment(&v.r->cpu);
	v.first_began = v.cpu.t - v.r->first_before;
	v.rest_began = v.cpu.t - v.r->rest_before;
	v.head = v.tail = 0;
	v.begun = 0;
	v.first = v.r->state == FRESH ? v.plan->nsteps : flow_first_receive(&v);
	if (v.r->state == FRESH)
		flow_visit_begin(&v);
	if (v.r->state == PARKED)
		flow_visit_resume(&v);
	v.r->state = WOKEN;
	go_on(&v);
	keep_began(&v);
	v.r->cpu = brief_of(&v.cpu);
	return v.missing;
}
