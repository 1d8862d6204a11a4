/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_path.c: the critical path of a job: the chain of work and waiting that
 * ends with the job, and without which it would have ended sooner. It is walked
 * back from the last event. Where a rank waited, the path goes on at the rank
 * that it waited for, if that came only meanwhile: the last to arrive at a
 * collective; else the one whose call, or step of a plan, sent to it; time from
 * there is between the two ranks. Else the wait itself is between ranks.
 *
 * Source: B. P. Miller et al., "IPS-2: The Second Generation of a Parallel
 * Program Measurement System", IEEE TPDS 1(2), 1990. Cost: each event is looked
 * at a few times at most.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/plan/plan.h"
#include "tools/trace/trace_match.h"
#include "tools/trace/trace_print.h"

enum { ROWS = TRACE_NAMES + 1, SHOWN = 10 };

/* Time of the path in calls of one name. */
struct share {
	const char *name;
	int64_t ns, between; /* of it, between two ranks */
	int64_t *of;	     /* [set->n] ns of each rank */
};

struct path {
	const struct trace_set *set;
	const struct matches *matches;
	int k; /* the rank that the path is on, until time t */
	int64_t t;
	int64_t pending; /* ns on this rank of which the call is not known */
	unsigned changes;
	struct share part[ROWS];
	int n;
	bool failed; /* out of memory */
};

/* ---- Sums ---------------------------------------------------------------- */

static struct share *find_part(struct path *p, const char *name)
{
	int k = 0;

	while (k < p->n && strcmp(p->part[k].name, name))
		k++;
	if (k == ROWS)
		k--;
	if (k == p->n) {
		p->part[p->n++] = (struct share){
		    .name = name,
		    .of = calloc((size_t)p->set->n, sizeof(int64_t))};
		p->failed |= !p->part[k].of;
	}
	return &p->part[k];
}

/* Adds what is pending, and time between ranks. */
static void trace_path_credit(struct path *p, const char *name, int64_t between)
{
	struct share *part = find_part(p, name);

	part->ns += p->pending + between;
	part->between += between;
	if (part->of)
		part->of[p->k] += p->pending + between;
	p->pending = 0;
}

/* ---- Causes -------------------------------------------------------------- */

/* Returns the index after the last event of a rank until time t. */
static uint64_t trace_path_until(const struct rank_trace *r, int64_t t)
{
	uint64_t low = r->first, high = r->end;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (trace_time(r, trace_at(r, middle)) <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the call that the thread of event i is in, or NULL. */
static const struct trace_event *call_at(const struct rank_trace *r, uint64_t i)
{
	uint8_t thread = trace_at(r, i)->thread;

	while (i-- > r->first) {
		const struct trace_event *e = trace_at(r, i);

		if (e->thread == thread && e->kind == TRACE_ENTER)
			return e;
		if (e->thread == thread && e->kind == TRACE_LEAVE)
			return NULL;
	}
	return NULL;
}

/* Returns the rank that alone can end the wait of event i, a TRACE_WAIT, or -1.
 */
static int needed_rank(const struct rank_trace *r, uint64_t i)
{
	while (++i < r->end && trace_at(r, i)->kind != TRACE_WOKEN)
		if (trace_at(r, i)->kind == TRACE_TEXT)
			return trace_at(r, i)->needs;
	return -1;
}

static int index_of(const struct trace_set *set, int rank)
{
	for (int k = 0; k < set->n; k++)
		if (set->rank[k].head->rank == rank)
			return k;
	return -1;
}

/* Returns when rank q last began to send to rank `to` of the job, after `from`
 * and before `end`; INT64_MIN if it did not. */
static int64_t trace_path_sent(const struct path *p, int q, int to,
			       int64_t from, int64_t end)
{
	const struct rank_trace *r = &p->set->rank[q];

	for (uint64_t i = trace_path_until(r, end); i-- > r->first;) {
		const struct trace_event *e = trace_at(r, i);
		int64_t at = trace_time(r, e);

		if (at <= from)
			break;
		if (e->peer == to &&
		    ((e->kind == TRACE_ENTER && !e->collective) ||
		     (e->kind == TRACE_BEGIN && e->step == STEP_SEND)))
			return at;
	}
	return INT64_MIN;
}

/* Who ended a wait, and since when it could. */
struct cause {
	int k;
	int64_t at;
};

/* Looks for the cause of the wait that event i began, in a call, until time
 * p->t. Returns whether it lies on another rank. */
static bool find_cause(const struct path *p, uint64_t i,
		       const struct trace_event *call, struct cause *c)
{
	const struct rank_trace *r = &p->set->rank[p->k];
	int64_t began = trace_time(r, trace_at(r, i));
	const struct instance *together = NULL;

	if (call->collective)
		together = match_find(p->matches, r->head->name[call->name],
				      call, trace_time(r, call));
	if (together && together->last != p->k && together->last_at > began &&
	    together->last_at <= p->t) {
		*c = (struct cause){together->last, together->last_at};
		return true;
	}
	c->k = index_of(p->set, !call->collective && call->peer >= 0
				    ? call->peer
				    : needed_rank(r, i));
	if (c->k < 0 || c->k == p->k)
		return false;
	c->at = trace_path_sent(p, c->k, r->head->rank, began, p->t);
	return c->at > began;
}

/* ---- The walk ------------------------------------------------------------ */

/* Goes back to the beginning of a wait, event i, or to the rank that ended it.
 * Returns whether the path changes to that. */
static bool pass_wait(struct path *p, uint64_t i)
{
	const struct rank_trace *r = &p->set->rank[p->k];
	const struct trace_event *call = call_at(r, i);
	const char *name = call ? r->head->name[call->name] : "";
	struct cause c;

	if (call && find_cause(p, i, call, &c)) {
		trace_path_credit(p, name, p->t - c.at);
		p->k = c.k;
		p->t = c.at;
		p->changes++;
		return true;
	}
	if (call)
		trace_path_credit(p, name,
				  p->t - trace_time(r, trace_at(r, i)));
	p->t = trace_time(r, trace_at(r, i));
	return false;
}

/* Follows the path on its rank. Returns false at the rank's first event. */
static bool trace_path_follow(struct path *p)
{
	const struct rank_trace *r = &p->set->rank[p->k];

	for (uint64_t i = trace_path_until(r, p->t); i-- > r->first;) {
		const struct trace_event *e = trace_at(r, i);

		if (e->kind == TRACE_WAIT) {
			if (pass_wait(p, i))
				return true;
			continue;
		}
		if (e->kind != TRACE_WOKEN && e->kind != TRACE_ENTER &&
		    e->kind != TRACE_LEAVE)
			continue;
		p->pending += p->t - trace_time(r, e);
		p->t = trace_time(r, e);
		if (e->kind == TRACE_ENTER)
			trace_path_credit(p, r->head->name[e->name], 0);
		else if (e->kind == TRACE_LEAVE)
			trace_path_credit(p, "outside of calls", 0);
	}
	return false;
}

/* Begins with the rank whose last event is the last of all. */
static void trace_path_begin(struct path *p)
{
	p->t = INT64_MIN;
	for (int k = 0; k < p->set->n; k++) {
		const struct rank_trace *r = &p->set->rank[k];
		int64_t at = r->end > r->first
				 ? trace_time(r, trace_at(r, r->end - 1))
				 : INT64_MIN;

		if (at > p->t) {
			p->k = k;
			p->t = at;
		}
	}
}

static int by_time(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	return x->ns != y->ns ? (x->ns < y->ns ? 1 : -1)
			      : strcmp(x->name, y->name);
}

static void print_part(const struct path *p, const struct share *part,
		       int64_t all)
{
	int most = 0;

	for (int k = 1; part->of && k < p->set->n; k++)
		if (part->of[k] > part->of[most])
			most = k;
	printf("%-28s %12.6f %9.1f %% %15.6f", part->name,
	       (double)part->ns * 1e-9,
	       100 * (double)part->ns / (all ? (double)all : 1),
	       (double)part->between * 1e-9);
	if (part->of)
		printf("  %.6f s on rank %d", (double)part->of[most] * 1e-9,
		       p->set->rank[most].head->rank);
	printf("\n");
}

static void trace_path_print(struct path *p)
{
	int64_t all = 0;

	for (int k = 0; k < p->n; k++)
		all += p->part[k].ns;
	qsort(p->part, (size_t)p->n, sizeof(p->part[0]), by_time);
	printf("\n%-28s %12s %11s %15s  %s\n", "critical path", "seconds",
	       "share", "between ranks", "most");
	for (int k = 0; k < p->n && k < SHOWN; k++)
		print_part(p, &p->part[k], all);
	printf("it goes from one rank to another %u times\n", p->changes);
}

bool trace_path(const struct trace_set *set, const struct matches *matches)
{
	static struct path p;

	p = (struct path){.set = set, .matches = matches};
	trace_path_begin(&p);
	/* a change goes back in time, so there are no more than events */
	while (p.t > set->begin && trace_path_follow(&p) &&
	       p.changes < set->events)
		;
	if (!p.failed && p.n)
		trace_path_print(&p);
	for (int k = 0; k < p.n; k++)
		free(p.part[k].of);
	return !p.failed;
}
