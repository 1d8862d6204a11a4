/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_summary.c: where the time went: a table of calls, one of collectives,
 * and what each rank that did not end was in last. The last rank to arrive at a
 * collective keeps the others waiting.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/plan/plan.h"
#include "coll/plan/select.h"
#include "runtime/base/error.h"
#include "tools/trace/trace_match.h"
#include "tools/trace/trace_print.h"

enum { ROWS = TRACE_NAMES };

/* A rank was the last to arrive so many times, and by so much. */
struct late {
	unsigned times;
	int64_t ns; /* after the one before it */
};

struct row {
	const char *name;
	uint64_t calls, bytes;
	int64_t ns, waited;
	/* of a collective */
	unsigned matched;
	int64_t apart;	   /* from the first arrival to the last */
	int64_t rest;	   /* from the last arrival to the last leave */
	struct late *late; /* [set->n] */
};

enum { NAMED = 3 }; /* steps that are named; others are only counted */

/* The state of a rank when its trace ended. */
struct last {
	bool in_call, waits;
	struct span call;
	struct span plan, step[NAMED]; /* open ones; plan: the last to begin */
	unsigned plans, steps;
	/* what the last wait was for, and the last one of the call that is
	 * walked */
	char text[SPAN_TEXT], now[SPAN_TEXT];
	const char *before; /* the last call that ended, and its error */
	int error;
};

struct summary {
	const struct trace_set *set;
	int k; /* the rank that is walked */
	int n;
	struct row row[ROWS];
	struct matches matches;
	struct last *last; /* [set->n] */
	uint64_t moves, moved_bytes;
	int64_t moved_ns;
	int64_t in_calls; /* ns of all ranks */
	bool failed;	  /* no memory */
};

static int trace_summary_order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static struct row *find_row(struct summary *s, const char *name)
{
	int k = 0;

	while (k < s->n && strcmp(s->row[k].name, name))
		k++;
	if (k == ROWS)
		return &s->row[ROWS - 1];
	if (k == s->n)
		s->row[s->n++].name = name;
	return &s->row[k];
}

static void see_call(struct summary *s, const struct span *span)
{
	struct row *row = find_row(s, span->name);
	struct last *last = &s->last[s->k];

	row->calls++;
	row->bytes += span->event->bytes;
	row->ns += span->end - span->begin;
	row->waited += span->waited;
	if (!span->depth)
		s->in_calls += span->end - span->begin;
	if (span->event->collective)
		match_add(&s->matches, s->k, span);
	if (span->open) {
		last->in_call = true;
		last->call = *span;
	} else if (!span->depth) {
		last->before = span->name;
		last->error = 0;
	}
	if (!span->depth) {
		strcpy(last->text, last->now);
		last->now[0] = '\0';
	}
}

static void see_open_step(struct last *last, const struct span *span)
{
	if (last->steps < NAMED)
		last->step[last->steps] = *span;
	last->steps++;
}

static void trace_summary_see(void *to, const struct span *span)
{
	struct summary *s = to;

	if (span->kind == SPAN_CALL) {
		see_call(s, span);
	} else if (span->kind == SPAN_MOVE && !span->open) {
		s->moves += span->event->number;
		s->moved_bytes += span->event->number ? span->event->bytes : 0;
		s->moved_ns +=
		    span->event->number ? span->end - span->begin : 0;
	} else if (span->kind == SPAN_PLAN && span->open) {
		s->last[s->k].plans++;
		s->last[s->k].plan = *span;
	} else if (span->kind == SPAN_STEP && span->open) {
		see_open_step(&s->last[s->k], span);
	} else if (span->kind == SPAN_WAIT) {
		s->last[s->k].waits = span->open;
		strcpy(s->last[s->k].now, span->name);
	} else if (span->kind == SPAN_FAIL) {
		s->last[s->k].error = (int)span->event->number;
	}
}

/* ---- tables -------------------------------------------------------------- */

static void add_instance(void *to, const struct instance *i)
{
	struct summary *s = to;
	struct row *row = find_row(s, i->name);

	if (i->arrived < 2)
		return;
	if (!row->late)
		row->late = calloc((size_t)s->set->n, sizeof(*row->late));
	if (!row->late) {
		s->failed = true;
		return;
	}
	row->matched++;
	row->apart += i->last_at - i->first_at;
	row->rest += i->left_at - i->last_at;
	row->late[i->last].times++;
	row->late[i->last].ns += i->last_at - i->before_last_at;
}

static int by_time(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return trace_summary_order(y->ns, x->ns) ?: strcmp(x->name, y->name);
}

static double trace_summary_us(int64_t ns, uint64_t n)
{
	return (double)ns / 1000 / (n ? (double)n : 1);
}

static void print_head(const struct summary *s)
{
	const struct trace_set *set = s->set;
	int64_t all = set->end - set->begin;

	printf("%d ranks of job %s, %.6f s; %llu events", set->size,
	       set->rank[0].head->job, (double)all * 1e-9,
	       (unsigned long long)set->events);
	if (set->lost)
		printf(", and %llu older ones overwritten (MRT_TRACE_SIZE)",
		       (unsigned long long)set->lost);
	printf("\n");
	if (set->n < set->size)
		printf("there are traces of only %d of the ranks\n", set->n);
}

static void print_calls(const struct summary *s)
{
	printf("\n%-28s %10s %14s %12s %12s %10s\n", "call", "calls", "bytes",
	       "seconds", "of it waits", "us a call");
	for (int k = 0; k < s->n; k++) {
		const struct row *r = &s->row[k];

		printf("%-28s %10llu %14llu %12.6f %12.6f %10.2f\n", r->name,
		       (unsigned long long)r->calls,
		       (unsigned long long)r->bytes, (double)r->ns * 1e-9,
		       (double)r->waited * 1e-9,
		       trace_summary_us(r->ns, r->calls));
	}
	printf(
	    "%-28s %10s %14s %12.6f\n", "outside of calls", "", "",
	    (double)((s->set->end - s->set->begin) * s->set->n - s->in_calls) *
		1e-9);
	if (s->moves)
		printf("%llu messages received by rendezvous: %llu bytes, "
		       "%.2f us each from the match to the end\n",
		       (unsigned long long)s->moves,
		       (unsigned long long)s->moved_bytes,
		       trace_summary_us(s->moved_ns, s->moves));
}

/* Returns the index of the rank that was last the most times. */
static int trace_summary_latest(const struct summary *s, const struct row *r)
{
	int best = 0;

	for (int k = 1; k < s->set->n; k++)
		if (r->late[k].times > r->late[best].times)
			best = k;
	return best;
}

static void print_late(const struct summary *s, const struct row *r, int k)
{
	printf("rank %d: %u times, by %.2f us\n", s->set->rank[k].head->rank,
	       r->late[k].times,
	       trace_summary_us(r->late[k].ns, r->late[k].times));
}

static void print_collectives(const struct summary *s, bool by_rank)
{
	bool any = false;

	for (int k = 0; k < s->n; k++) {
		const struct row *r = &s->row[k];

		if (!r->matched)
			continue;
		if (!any)
			printf("\n%-28s %10s %12s %12s  %s\n", "collective",
			       "times", "us apart", "us then",
			       "last to arrive");
		any = true;
		printf("%-28s %10u %12.2f %12.2f  ", r->name, r->matched,
		       trace_summary_us(r->apart, r->matched),
		       trace_summary_us(r->rest, r->matched));
		print_late(s, r, trace_summary_latest(s, r));
		for (int i = 0; by_rank && i < s->set->n; i++)
			if (r->late[i].times) {
				printf("%67s", "");
				print_late(s, r, i);
			}
	}
}

static void print_call(const struct span *call)
{
	const struct trace_event *e = call->event;

	printf(" in %s", call->name);
	if (e->comm != TRACE_NO_COMM)
		printf(" of %llu bytes on communicator %d",
		       (unsigned long long)e->bytes, e->comm);
	if (e->collective)
		printf(", the collective %u there", e->number);
	else if (e->peer >= 0)
		printf(", peer %d, tag %d", e->peer, (int)e->number);
}

/* Numbers the steps as mrt-plan does. */
static void print_plan(const struct last *l)
{
	const struct trace_event *e = l->plan.event;

	printf("; it executed %s by %s", coll_tables[e->collective].name,
	       l->plan.name);
	for (unsigned k = 0; k < l->steps && k < NAMED; k++) {
		e = l->step[k].event;
		printf("%s step %u: %s", k ? "," : ", in", e->number + 1,
		       step_kind_names[e->step]);
		if (step_has_peer(e->step))
			printf(" of %llu bytes, peer %d",
			       (unsigned long long)e->bytes, e->peer);
	}
	if (l->steps > NAMED)
		printf(" and %u more", l->steps - NAMED);
}

static void print_unfinished(const struct summary *s)
{
	for (int k = 0; k < s->set->n; k++) {
		const struct trace_head *h = s->set->rank[k].head;
		const struct last *l = &s->last[k];

		if (h->closed)
			continue;
		printf("\nrank %d on %s did not finalize: ", h->rank, h->host);
		if (l->in_call) {
			printf("it was for %.6f s",
			       (double)(s->set->end - l->call.begin) * 1e-9);
			print_call(&l->call);
		} else {
			printf("it was outside of calls, after %s",
			       l->before ? l->before : "nothing");
		}
		if (!l->in_call && l->error)
			printf(", which failed (%s)", error_name(l->error));
		if ((l->waits || l->error) && *l->text)
			printf(", and waited in %s", l->text);
		if (l->plans)
			print_plan(l);
		printf("\n");
	}
}

static void summary_free(struct summary *s)
{
	for (int k = 0; k < s->n; k++)
		free(s->row[k].late);
	match_free(&s->matches);
	free(s->last);
}

int trace_summary(const struct trace_set *set, bool by_rank)
{
	static struct summary s;

	s.set = set;
	s.last = calloc((size_t)set->n, sizeof(*s.last));
	s.failed = !s.last;
	for (s.k = 0; s.last && s.k < set->n; s.k++)
		trace_walk(&set->rank[s.k], trace_summary_see, &s);
	match_each(&s.matches, add_instance, &s);
	s.failed |= s.matches.failed;
	qsort(s.row, (size_t)s.n, sizeof(s.row[0]), by_time);
	if (!s.failed) {
		print_head(&s);
		print_calls(&s);
		print_collectives(&s, by_rank);
		s.failed = !trace_path(set, &s.matches);
		print_unfinished(&s);
	}
	if (s.failed)
		fprintf(stderr, "mrt-trace: out of memory\n");
	summary_free(&s);
	return s.failed ? EXIT_RESOURCE : 0;
}
