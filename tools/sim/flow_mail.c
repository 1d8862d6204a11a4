/* SPDX-License-Identifier: Apache-2.0 */
/* flow_mail.c: decides which message a rank receives next, if that
 * is certain. */
#include "tools/sim/flow_state.h"
#include "tools/sim/timed.h"
#include "mrt.h"

/* Returns the step that receives the message; NO_MAIL if it has not begun. */
static uint32_t step_for(const struct visit *v, const struct mail *mail)
{
	uint32_t end = v->r->base + WINDOW;

	if (end > v->plan->nsteps)
		end = v->plan->nsteps;
	for (uint32_t i = flow_next_receive(v->plan, v->r->base); i < end;
	     i = v->plan->steps[i].receive) {
		const struct flow_step *s = &v->plan->steps[i];

		if (s->peer == mail->from && s->tag == mail->tag &&
		    !flow_finished(v->r, i))
			return flow_may_begin(v->r, s) ? i : NO_MAIL;
	}
	return NO_MAIL;
}

static const struct range *range_for(const struct visit *v,
				     const struct mail *mail, uint64_t bytes)
{
	return machine_range(
	    v->f->m, machine_level(v->f->m, mail->from, v->rank), bytes);
}

/* Returns the bytes of the message, whether or not its receive has begun. */
static uint64_t bytes_for(const struct visit *v, const struct mail *mail)
{
	for (uint32_t i = flow_next_receive(v->plan, v->r->base);
	     i < v->plan->nsteps; i = v->plan->steps[i].receive) {
		const struct flow_step *s = &v->plan->steps[i];

		if (s->peer == mail->from && s->tag == mail->tag &&
		    !flow_finished(v->r, i))
			return flow_bytes(v->f, s);
	}
	flow_give_up(v->f, MRT_ERR_INTERNAL);
	return 0;
}

/* The order in which a rank takes messages, which is order_of in
 * timed_items.c. */
struct key {
	int64_t t;
	uint16_t step;
	int from;
	bool sure;
};

int64_t flow_began(const struct visit *v, uint32_t step)
{
	const struct flow_step *s = &v->plan->steps[step],
			       *first = &v->plan->steps[v->first];

	return v->first < v->plan->nsteps && s->after[0] == first->after[0] &&
		       s->after[1] == first->after[1]
		   ? v->first_began
		   : v->rest_began;
}

static struct key key_of(const struct visit *v, const struct mail *mail,
			 uint32_t step)
{
	int64_t posted = v->when[step % WINDOW], t = mail->at.t;

	/* it began before this visit, at a time not kept exactly */
	if (!(v->begun >> step % WINDOW & 1))
		return (struct key){t, mail->step, mail->from,
				    t >= flow_began(v, step) ||
					(!v->plan->steps[step].after[0] &&
					 !v->plan->steps[step].after[1])};
	if (posted > t)
		return (struct key){posted, 0, -1, true};
	return (struct key){t, mail->step, mail->from, true};
}

static bool key_less(const struct key *a, const struct key *b)
{
	if (a->t != b->t)
		return a->t < b->t;
	return a->step < b->step || (a->step == b->step && a->from < b->from);
}

/* The message to be received next and its step. If the order is in doubt, the
 * engine gives up. */
struct choice_of_mail {
	uint32_t *link; /* NULL: there is none */
	uint32_t step;
	struct key key;
	unsigned others;
};

static struct choice_of_mail next_mail(const struct visit *v)
{
	struct choice_of_mail best = {.link = NULL};
	bool sure = true;

	for (uint32_t *at = &v->r->inbox; *at != NO_MAIL;
	     at = &v->f->mails[*at].next) {
		const struct mail *mail = &v->f->mails[*at];
		uint32_t step = mail->taken_in ? step_for(v, mail) : NO_MAIL;
		struct key key;

		if (step == NO_MAIL)
			continue;
		key = key_of(v, mail, step);
		best.others += best.link != NULL;
		sure &= key.sure;
		if (best.link && !key_less(&key, &best.key))
			continue;
		best.link = at;
		best.step = step;
		best.key = key;
	}
	if (best.others && !sure)
		flow_give_up(v->f, MRT_ERR_UNSUPPORTED);
	return best;
}

/* Takes a message through the NIC. The heads of messages must come in the order
 * of time. */
static void take_in(struct visit *v, struct mail *mail)
{
	uint64_t bytes = bytes_for(v, mail);
	const struct range *range = range_for(v, mail, bytes);
	struct moment at = brief_moment(&mail->at);
	int64_t head = mail->at.t;
	const struct key last = {v->r->head, v->r->head_step, v->r->head_from,
				 true};
	const struct key now = {head, mail->step, mail->from, true};

	if (key_less(&now, &last))
		flow_give_up(v->f, MRT_ERR_UNSUPPORTED);
	v->r->head_step = mail->step;
	v->r->head_from = mail->from;
	moment_queue(&at, v->r->head + v->r->in_after);
	v->r->head = head;
	v->r->in_after =
	    flow_short(v->f, at.t + range_gap(range, bytes) - head);
	moment_add(&at, SIM_BANDWIDTH, range_body(range, bytes));
	mail->at = brief_of(&at);
	mail->taken_in = true;
}

static bool head_less(const struct mail *a, const struct mail *b)
{
	const struct key x = {a->at.t, a->step, a->from, true};
	const struct key y = {b->at.t, b->step, b->from, true};

	return key_less(&x, &y);
}

static struct mail *first_head(const struct visit *v)
{
	struct mail *first = NULL;

	for (uint32_t i = v->r->inbox; i != NO_MAIL; i = v->f->mails[i].next) {
		struct mail *mail = &v->f->mails[i];

		if (!mail->taken_in && (!first || head_less(mail, first)))
			first = mail;
	}
	return first;
}

static void flow_mail_receive(struct visit *v, const struct choice_of_mail *c)
{
	struct flow_rank *r = v->r;
	struct key last = {v->cpu.t - r->key_before, r->key_step, r->key_from,
			   true};
	uint32_t i = *c->link;
	struct mail *mail = &v->f->mails[i];
	const struct flow_step *s = &v->plan->steps[c->step];
	const struct sim_step local = {.kind = s->kind, .count = s->count};
	uint64_t bytes = flow_bytes(v->f, s);
	struct moment at = brief_moment(&mail->at);
	int64_t begin, before = v->cpu.t;

	if (!key_less(&last, &c->key))
		flow_give_up(v->f, MRT_ERR_UNSUPPORTED);
	v->cpu = *moment_later(&at, &v->cpu);
	begin = v->cpu.t;
	machine_receive(&v->cpu, range_for(v, mail, bytes), bytes);
	if (s->kind == STEP_RECV_REDUCE)
		machine_compute(v->f->m, &v->cpu, &local, 0);
	flow_noise(v, begin, c->step, ITEM_EAGER);
	flow_passed(v, before);
	r->key_before = flow_short(v->f, v->cpu.t - c->key.t);
	r->key_from = c->key.from;
	r->key_step = c->key.step & 0x3fff;
	*c->link = mail->next;
	mail->next = v->f->free;
	v->f->free = i;
	flow_finish(v, c->step);
}

/* Returns the first receive from `i` on that has begun; nsteps: none. No step
 * beyond the window has. */
static uint32_t next_wanted(const struct visit *v, uint32_t i)
{
	const struct flow_plan *p = v->plan;

	for (i = flow_next_receive(p, i); i < v->r->base + (uint32_t)WINDOW;
	     i = p->steps[i].receive) {
		if (i >= p->nsteps)
			break;
		if (!flow_finished(v->r, i) &&
		    flow_may_begin(v->r, &p->steps[i]))
			return i;
	}
	return p->nsteps;
}

uint32_t flow_first_receive(const struct visit *v)
{
	return next_wanted(v, v->r->base);
}

static bool is_here(const struct visit *v, const struct flow_step *s)
{
	for (uint32_t i = v->r->inbox; i != NO_MAIL; i = v->f->mails[i].next)
		if (v->f->mails[i].from == s->peer &&
		    v->f->mails[i].tag == s->tag)
			return true;
	return false;
}

/*
 * Returns the sender of the first message of the plan that is wanted but not
 * here; with FLOW_PATIENT and FLOW_LATER, of any message of that tag. Returns
 * -1 if they are here or none is wanted. Messages mostly come in the order of
 * the plan.
 */
static int flow_mail_missing(const struct visit *v)
{
	uint32_t i = flow_first_receive(v), first = i;

	for (; i < v->plan->nsteps; i = next_wanted(v, i + 1)) {
		const struct flow_step *s = &v->plan->steps[i];

		if (s->tag != v->plan->steps[first].tag)
			continue;
		if (!is_here(v, s))
			return s->peer;
		if (v->f->way > FLOW_PATIENT)
			return -1;
	}
	return -1;
}

bool flow_receive(struct visit *v)
{
	struct choice_of_mail best;
	struct mail *first;

	v->missing = flow_mail_missing(v);
	if (v->r->inbox == NO_MAIL || (!v->f->out_of_turn && v->missing >= 0))
		return false;
	for (;;) {
		best = next_mail(v);
		first = first_head(v);
		if (!first || (best.link && best.key.t < first->at.t))
			break;
		take_in(v, first);
	}
	if (best.link)
		flow_mail_receive(v, &best);
	return best.link;
}
