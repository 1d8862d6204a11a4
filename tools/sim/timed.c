/* SPDX-License-Identifier: Apache-2.0 */
/* timed.c: CPUs and steps: which steps are ready, how long they take, and what
 * follows them. */
#include "tools/sim/timed.h"

#include <math.h>
#include <stdlib.h>

#include "coll/plan/step_hash.h"
#include "mrt.h"

/* A step's byte: the number of steps that it waits for, and flags. */
enum { WAITS = 3, MATCHED = 4, FINISHED = 8 };

struct rank_state *rank_of(struct timed *e, int rank)
{
	return &e->ranks[symmetry_first(rank, e->period)];
}

void timed_move(const struct timed *e, int *here, int *other)
{
	int first = symmetry_first(*here, e->period);

	*other = symmetry_back(&e->plans->symmetry, *other, *here - first);
	*here = first;
}

struct sim_step timed_step(struct timed *e, int rank, uint32_t step)
{
	return sim_plan_step(sim_plans_get(e->plans, rank), step);
}

const struct range *timed_count(struct timed *e, int from, int to,
				uint64_t bytes, double messages)
{
	return machine_count(e->m, e->result, from, to, bytes,
			     messages * e->m->ranks / e->period);
}

void rank_come(struct timed *e, int rank, uint32_t i)
{
	struct rank_state *r = rank_of(e, rank);

	e->items[i].at = *moment_later(&e->items[i].at, &r->start);
	queue_add(e, &r->come, i);
	e->woken = rank;
}

/* ---- Steps ---- */

static void make_ready(struct timed *e, struct rank_state *r, uint32_t step,
		       const struct moment *at)
{
	struct item item = {.at = *at, .kind = ITEM_STEP, .from = r->rank};
	uint32_t i;

	item.to = r->rank;
	item.from_step = item.to_step = step;
	i = item_new(e, &item);
	if (i != NIL)
		queue_add(e, &r->ready, i);
}

/* A receive begins: takes its message if that came early. */
static void take_early(struct timed *e, struct rank_state *r, uint32_t step,
		       const struct moment *at)
{
	uint32_t before = NIL, i = r->early.first;

	while (i != NIL && e->items[i].to_step != step) {
		before = i;
		i = e->items[i].next;
	}
	if (i == NIL)
		return;
	if (before == NIL)
		r->early.first = e->items[i].next;
	else
		e->items[before].next = e->items[i].next;
	if (r->early.last == i)
		r->early.last = before;
	e->items[i].at = *moment_later(at, &e->items[i].at);
	queue_add(e, &r->come, i);
}

static void timed_release(struct timed *e, struct rank_state *r, uint32_t step,
			  const struct moment *at)
{
	const struct sim_step s = timed_step(e, r->rank, step);

	if (r->begun)
		r->begun[step] = at->t;
	if (s.kind == STEP_RECV || s.kind == STEP_RECV_REDUCE) {
		if (r->steps[step] & MATCHED)
			take_early(e, r, step, at);
	} else if (s.kind == STEP_WAIT_MEMORY) {
		cells_await(e, r, step, at);
	} else if (step_is_load(s.kind)) {
		board_await(e, r, step, at);
	} else {
		make_ready(e, r, step, at);
	}
}

static void add_hash(struct timed *e, const struct rank_state *r, uint32_t step)
{
	const struct sim_step s = timed_step(e, r->rank, step);
	struct step full = {.kind = s.kind,
			    .tag = s.tag,
			    .after = {s.after[0], s.after[1]},
			    .dst.at = s.word,
			    .count = s.count};

	full.peer =
	    step_has_peer(s.kind) ? sim_plans_peer(e->plans, r->rank, &s) : 0;
	e->result->hashes[r->rank] += step_hash(step, &full);
}

static void timed_show(struct timed *e, const struct rank_state *r,
		       uint32_t step, const struct moment *end)
{
	const struct sim_step s = timed_step(e, r->rank, step);
	struct sim_seen seen = {.rank = r->rank,
				.peer = -1,
				.step = step,
				.kind = s.kind,
				.bytes = machine_bytes(e->m, &s),
				.begin = (double)r->begun[step] * 1e-3,
				.end = (double)end->t * 1e-3};

	if (step_has_peer(s.kind))
		seen.peer = sim_plans_peer(e->plans, r->rank, &s);
	e->m->job->see(e->m->job->to, &seen);
}

static void timed_finish(struct timed *e, struct rank_state *r, uint32_t step)
{
	const struct sim_plan *plan = sim_plans_get(e->plans, r->rank);
	const struct sim_skeleton *p = plan->skeleton;
	struct moment at = r->cpu;

	if (e->result->hashes)
		add_hash(e, r, step);
	if (r->begun)
		timed_show(e, r, step, &at);
	r->steps[step] |= FINISHED;
	r->left--;
	while (r->base < p->nsteps && r->steps[r->base] & FINISHED)
		r->base++;
	for (uint32_t k = p->first[step]; k < p->first[step + 1]; k++) {
		uint32_t next = p->followers[k];

		if ((--r->steps[next] & WAITS) == 0)
			timed_release(e, r, next, &at);
	}
}

/* ---- Messages ---- */

static void timed_send(struct timed *e, struct rank_state *r, uint32_t step)
{
	const struct sim_step s = timed_step(e, r->rank, step);
	struct item item = {.at = r->cpu,
			    .kind = ITEM_EAGER,
			    .bytes = machine_bytes(e->m, &s),
			    .cold = s.cold,
			    .from = r->rank,
			    .from_step = step,
			    .tag = s.tag};
	uint32_t i;

	item.to = sim_plans_peer(e->plans, r->rank, &s);
	item.far = machine_node(e->m, item.from) != machine_node(e->m, item.to);
	item.opened = item.far && r->opens;
	item.range = timed_count(e, item.from, item.to, item.bytes, 1);
	if (s.exchange && !e->m->job->no_exchange)
		item.range = machine_exchanged(e->m, item.range);
	i = item_new(e, &item);
	if (i == NIL)
		return;
	if (item.range->rendezvous) {
		net_notify(e, i, ITEM_RTS);
		return;
	}
	net_send(e, i);
	timed_finish(e, r, step);
}

/* Returns whether a step is a receive, without a message yet, of this one. */
static bool timed_takes(struct timed *e, const struct rank_state *r,
			uint32_t step, const struct item *i)
{
	const struct sim_step s = timed_step(e, r->rank, step);

	return (s.kind == STEP_RECV || s.kind == STEP_RECV_REDUCE) &&
	       s.tag == i->tag && !(r->steps[step] & MATCHED) &&
	       sim_plans_peer(e->plans, r->rank, &s) == i->from;
}

static bool is_as_long(struct timed *e, const struct rank_state *r,
		       uint32_t step, const struct item *i)
{
	const struct sim_step s = timed_step(e, r->rank, step);

	return machine_bytes(e->m, &s) == i->bytes;
}

void rank_match(struct timed *e, uint32_t n)
{
	struct item *i = &e->items[n];
	struct rank_state *r;
	uint32_t nsteps, s;

	timed_move(e, &i->to, &i->from);
	r = &e->ranks[i->to];
	nsteps = sim_plans_get(e->plans, r->rank)->skeleton->nsteps;
	s = r->base;
	while (s < nsteps && !timed_takes(e, r, s, i))
		s++;
	if (s == nsteps || !is_as_long(e, r, s, i)) {
		e->broken = true;
		return;
	}
	i->to_step = s;
	r->steps[s] |= MATCHED;
	if (r->steps[s] & WAITS)
		queue_add(e, &r->early, n);
	else
		rank_come(e, i->to, n);
}

/* ---- CPUs ---- */

static void timed_done(struct timed *e, struct rank_state *r, uint32_t n)
{
	struct item i = e->items[n];
	struct sim_step s;

	if (i.kind == ITEM_RTS) {
		e->items[n].at = r->cpu;
		if (!i.far)
			net_have(e, n);
		else
			net_notify(e, n, ITEM_READ);
		return;
	}
	item_free(e, n);
	if (i.kind != ITEM_STEP) {
		timed_finish(e, r,
			     i.kind == ITEM_FIN || i.kind == ITEM_ACK
				 ? i.from_step
				 : i.to_step);
		return;
	}
	s = timed_step(e, r->rank, i.from_step);
	if (s.kind == STEP_SEND)
		timed_send(e, r, i.from_step);
	else if (step_has_peer(s.kind) && work_acts(&s))
		cells_issue(e, r, i.from_step);
	else
		timed_finish(e, r, i.from_step);
	if (s.kind == STEP_POST)
		board_post(e, r, s.tag);
}

/* Starts the CPU on the next item. The item itself is the event for the end of
 * its work. */
static void timed_start(struct timed *e, struct rank_state *r)
{
	while (r->running == NIL && cpus_may_work(e, r)) {
		uint32_t n = queue_take(e, &r->ready);
		int64_t begin;

		if (n == NIL)
			n = queue_take(e, &r->come);
		if (n == NIL) {
			cpus_leave(e, r);
			return;
		}
		r->cpu = *moment_later(&e->items[n].at, &r->cpu);
		cpus_begin(e, r);
		begin = r->cpu.t;
		work_do(e, r, &e->items[n]);
		if (r->cpu.t > begin)
			machine_noise(e->m, &r->cpu, r->rank,
				      e->items[n].to_step, e->items[n].kind);
		if (r->cpu.t == begin) {
			timed_done(e, r, n);
			continue;
		}
		r->running = n;
		e->items[n].at = r->cpu;
		event_add_cpu(e, n, r->rank);
	}
}

/* ---- The job ---- */

static bool add_rank(struct timed *e, int rank)
{
	const struct sim_plan *p = sim_plans_get(e->plans, rank);
	const struct sim_job *job = e->m->job;
	struct rank_state *r = &e->ranks[rank];

	*r = (struct rank_state){.ready = {NIL, NIL},
				 .come = {NIL, NIL},
				 .early = {NIL, NIL},
				 .loads = {NIL, NIL},
				 .running = NIL,
				 .rank = rank};
	if (!p)
		return false;
	r->left = p->skeleton->nsteps;
	if (!work_opens(e, rank, &r->opens))
		return false;
	r->steps = calloc(r->left + 1, 1);
	if (r->steps && job->see)
		r->begun = calloc(r->left + 1, sizeof(*r->begun));
	if (!r->steps || (job->see && !r->begun))
		return false;
	if (job->begins)
		moment_add(&r->start, SIM_QUEUEING,
			   llround(job->begins[rank] * 1e3));
	r->cpu = r->start;
	moment_add(&r->cpu, SIM_OVERHEAD, e->m->call);
	if (e->period == e->m->ranks)
		moment_add(&r->cpu, SIM_OVERHEAD, machine_jitter(e->m, rank));
	for (uint32_t i = 0; i < r->left; i++) {
		const struct sim_step *s = &p->skeleton->steps[i];

		r->steps[i] = (uint8_t)(!!s->after[0] + !!s->after[1]);
	}
	return true;
}

static void timed_begin(struct timed *e, struct rank_state *r)
{
	uint32_t nsteps = sim_plans_get(e->plans, r->rank)->skeleton->nsteps;

	for (uint32_t i = 0; i < nsteps; i++) {
		const struct sim_step s = timed_step(e, r->rank, i);

		if (!s.after[0] && !s.after[1])
			timed_release(e, r, i, &r->cpu);
	}
	timed_start(e, r);
}

static bool timed_allocate(struct timed *e)
{
	e->ranks = calloc((size_t)e->period, sizeof(*e->ranks));
	e->memory = calloc((size_t)e->m->job->nodes, sizeof(*e->memory));
	if (!e->ranks || !e->memory || !net_init(e))
		return false;
	for (int r = 0; r < e->period; r++)
		if (!add_rank(e, r))
			return false;
	return cpus_init(e);
}

static void release_all(struct timed *e)
{
	for (int r = 0; e->ranks && r < e->period; r++) {
		free(e->ranks[r].steps);
		free(e->ranks[r].begun);
		free(e->ranks[r].posts);
	}
	net_fini(e);
	free(e->cpus);
	free(e->memory);
	free(e->ranks);
	free(e->items);
	free(e->heap);
	free(e->words);
}

static void run_timed(struct timed *e)
{
	struct event event;

	for (int r = 0; r < e->period; r++)
		timed_begin(e, &e->ranks[r]);
	while (!e->no_mem && !e->broken && event_take(e, &event)) {
		e->woken = event.cpu;
		if (event.cpu < 0) {
			net_move(e, event.item);
		} else if (event.item == NIL) {
			cpus_visit(e, event.cpu, event.time);
		} else {
			e->ranks[event.cpu].running = NIL;
			timed_done(e, &e->ranks[event.cpu], event.item);
		}
		if (e->woken >= 0)
			timed_start(e, rank_of(e, e->woken));
	}
}

/* Where one rank stands for several, the latest rank delays all by as much: a
 * chain of events as long as any other begins at each of them. */
static void timed_conclude(struct timed *e)
{
	const struct rank_state *last = &e->ranks[0];
	struct moment end;

	for (int r = 0; r < e->period; r++) {
		e->broken |= e->ranks[r].left > 0;
		if (e->ranks[r].cpu.t > last->cpu.t)
			last = &e->ranks[r];
	}
	end = last->cpu;
	if (e->period < e->m->ranks)
		moment_add(&end, SIM_OVERHEAD, machine_latest(e->m));
	moment_result(&end, last->rank, e->result);
}

int timed_run(const struct sim_machine *m, struct sim_plans *plans,
	      struct sim_result *result)
{
	struct timed e = {.m = m,
			  .plans = plans,
			  .period = plans->symmetry.period,
			  .result = result,
			  .free = NIL};

	e.no_mem = !timed_allocate(&e);
	if (!e.no_mem) {
		run_timed(&e);
		timed_conclude(&e);
	}
	release_all(&e);
	return e.no_mem	  ? MRT_ERR_NO_MEM
	       : e.broken ? MRT_ERR_INTERNAL
			  : MRT_SUCCESS;
}
