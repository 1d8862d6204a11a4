/* SPDX-License-Identifier: Apache-2.0 */
/* flow.c: decides which rank is visited next, and keeps the messages
 * under way. */
#include <math.h>
#include <stdlib.h>

#include "tools/sim/flow_state.h"
#include "mrt.h"

bool flow_fits(const struct sim_machine *m, const struct algorithm *algorithm)
{
	const struct sim_topology *t = &m->job->topology;

	for (int k = 0; k < t->tiers; k++)
		if (isfinite(t->tier[k].links))
			return false;
	return m->job->ppn == 1 && !algorithm->cells;
}

/* ---- Conversions ---- */

struct brief brief_of(const struct moment *m)
{
	float scale = m->t ? 65535e3f / (float)m->t : 0;
	struct brief b = {.t = m->t};

	for (int k = 0; k < SIM_PARTS - 1; k++)
		b.part[k] = (uint16_t)(m->part[k] * scale + 0.5f);
	return b;
}

struct moment brief_moment(const struct brief *b)
{
	float scale = (float)b->t / 65535e3f;
	struct moment m = {.t = b->t};

	for (int k = 0; k < SIM_PARTS - 1; k++)
		m.part[k] = (float)b->part[k] * scale;
	return m;
}

void flow_give_up(struct flow *f, int rc)
{
	if (!f->rc)
		f->rc = rc;
}

uint32_t flow_short(struct flow *f, int64_t ps)
{
	if (ps > (int64_t)SOON)
		flow_give_up(f, MRT_ERR_UNSUPPORTED);
	return ps > 0 ? (uint32_t)ps : 0;
}

/* ---- Messages ---- */

static bool flow_grow(void *array, size_t *capacity, size_t size)
{
	size_t more = *capacity ? *capacity + *capacity / 4 : 1024;
	void **at = array, *grown = realloc(*at, more * size);

	if (grown) {
		*at = grown;
		*capacity = more;
	}
	return grown;
}

static void flow_wake(struct flow *f, int rank)
{
	struct ranks *l = flow_plans_has(&f->plans, rank) ? &f->warm : &f->cold;

	if (f->ranks[rank].state != BLOCKED)
		return;
	if (l->n == l->capacity &&
	    !flow_grow(&l->ranks, &l->capacity, sizeof(*l->ranks))) {
		flow_give_up(f, MRT_ERR_NO_MEM);
		return;
	}
	f->ranks[rank].state = WOKEN;
	l->ranks[l->n++] = rank;
}

void flow_post(struct flow *f, int to, struct mail mail)
{
	uint32_t i = f->free;

	if (i != NO_MAIL) {
		f->free = f->mails[i].next;
	} else if (f->nmails == f->capacity &&
		   !flow_grow(&f->mails, &f->capacity, sizeof(*f->mails))) {
		flow_give_up(f, MRT_ERR_NO_MEM);
		return;
	} else {
		i = (uint32_t)f->nmails++;
	}
	mail.next = f->ranks[to].inbox;
	f->mails[i] = mail;
	f->ranks[to].inbox = i;
	flow_wake(f, to);
}

/* ---- Ranks ---- */

/* No rank can go on: visits one that has messages, and lets it take them
 * although earlier ones may come. */
static bool flow_unblock(struct flow *f, int *from)
{
	for (; *from < f->n; ++*from)
		if (f->ranks[*from].inbox != NO_MAIL) {
			f->out_of_turn = true;
			flow_visit(f, (*from)++);
			f->out_of_turn = false;
			return true;
		}
	return false;
}

/* Takes a woken rank whose plan is not in memory; false if there is none. */
static bool next_cold(struct flow *f, int *rank)
{
	while (f->cold.n) {
		*rank = f->cold.ranks[--f->cold.n];
		if (f->ranks[*rank].state == WOKEN)
			return true;
	}
	return false;
}

/* Takes a rank that waits to send, once all have begun; false if there is none.
 */
static bool next_parked(const struct flow *f, int *at, int *rank)
{
	for (; *at < f->n; ++*at)
		if (f->ranks[*at].state == PARKED) {
			*rank = (*at)++;
			return true;
		}
	return false;
}

static bool can_go_on(const struct flow *f, int rank)
{
	return f->ranks[rank].state == WOKEN ||
	       (f->ranks[rank].state == PARKED && !f->parks);
}

/* Visits the rank that was waited for next, if it can go on. */
static void run_flow(struct flow *f)
{
	int n = f->n, fresh = 0, parked = 0, unblocked = 0;
	int wanted = -1, rank;

	while (!f->rc) {
		if (f->warm.n) {
			rank = f->warm.ranks[--f->warm.n];
			if (f->ranks[rank].state != WOKEN)
				continue;
		} else if (wanted >= 0 && can_go_on(f, wanted)) {
			rank = wanted;
		} else if (fresh < n) {
			rank = f->way == FLOW_DOWN ? n - 1 - fresh : fresh;
			fresh++;
			f->parks = f->way == FLOW_LATER && fresh < n;
		} else if (!next_cold(f, &rank) &&
			   !next_parked(f, &parked, &rank)) {
			if (!flow_unblock(f, &unblocked))
				break;
			continue;
		}
		wanted = flow_visit(f, rank);
	}
}

/* Returns whether rank a is done after b or, if they are done together, is the
 * lower one. */
static bool flow_later(const struct flow_rank *a, const struct flow_rank *b)
{
	if (a->cpu.t != b->cpu.t)
		return a->cpu.t > b->cpu.t;
	return a < b;
}

static void flow_conclude(struct flow *f)
{
	const struct flow_rank *last = f->ranks;
	struct moment end;

	for (int r = 0; r < f->n; r++)
		if (flow_later(&f->ranks[r], last))
			last = &f->ranks[r];
	for (uint32_t i = f->free; i != NO_MAIL; i = f->mails[i].next)
		f->nmails--;
	/* messages that no rank receives, or whose receivers wait for each
	 * other */
	if (f->nmails)
		flow_give_up(f, f->way <= FLOW_PATIENT ? MRT_ERR_UNSUPPORTED
						       : MRT_ERR_INTERNAL);
	end = brief_moment(&last->cpu);
	moment_result(&end, (int)(last - f->ranks), f->result);
}

int flow_run(const struct sim_machine *m, const struct algorithm *algorithm,
	     const struct shape *shape, enum flow_way way,
	     struct sim_result *result)
{
	struct flow f = {.m = m,
			 .n = m->ranks,
			 .result = result,
			 .way = way,
			 .free = NO_MAIL};

	f.rc = flow_plans_init(&f.plans, algorithm, shape);
	if (f.rc)
		return f.rc;
	f.ranks = calloc((size_t)f.n, sizeof(*f.ranks));
	if (!f.ranks)
		flow_give_up(&f, MRT_ERR_NO_MEM);
	for (int r = 0; f.ranks && r < f.n; r++) {
		struct moment begin = {0};

		moment_add(&begin, SIM_OVERHEAD,
			   m->call + machine_jitter(m, r));
		f.ranks[r] = (struct flow_rank){
		    .cpu = brief_of(&begin), .key_from = -1, .inbox = NO_MAIL};
	}
	run_flow(&f);
	if (!f.rc)
		flow_conclude(&f);
	free(f.ranks);
	free(f.mails);
	free(f.warm.ranks);
	free(f.cold.ranks);
	flow_plans_fini(&f.plans);
	return f.rc;
}
