/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_align.c: brings the clocks of several nodes together. No rank leaves a
 * barrier, an allreduce, an allgather, an alltoall or mrt_init before the last
 * has entered it. So each such call bounds, from both sides, how far the clock
 * of a node is from that of the first node; the bounds of all calls together
 * are about as narrow as the shortest of them took.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "tools/trace/trace_walk.h"

/* Bounds narrower than this are better than the time of day, and any are if
 * that is wrong by so much. */
enum { NARROW_NS = 1000000, WRONG_NS = 1000000000 };

/* A call that all ranks of a communicator make together, on one node. */
struct meeting {
	const char *name;
	int32_t first;
	uint32_t number;
	uint16_t comm;
	int node;   /* 0: the first node, 1: the other */
	int rank;   /* the last that was added; */
	bool twice; /* one was added twice: two communicators had the id */
	int64_t entered, left; /* the last that entered, the first that left */
};

/* Two nodes, the first and another. */
struct pair {
	int node, rank;	  /* that are walked */
	void *meetings;	  /* tsearch */
	struct span last; /* a meeting that may yet turn out to have failed */
	bool waiting, failed; /* for that; a call has failed at this rank */
	int64_t least, most;  /* ns to add to the clock of the other node */
};

static bool is_meeting(const struct span *s)
{
	static const char *const names[] = {"mrt_barrier", "mrt_allreduce",
					    "mrt_allgather", "mrt_alltoall"};
	const struct trace_event *e = s->event;

	if (s->kind != SPAN_CALL || s->open)
		return false;
	if (!strcmp(s->name, "mrt_init"))
		return true;
	for (int k = 0; k < 4; k++)
		if (!strcmp(s->name, names[k]))
			return e->collective && (e->bytes || !k);
	return false;
}

static int in_order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int trace_align_compare(const void *a, const void *b)
{
	const struct meeting *x = a, *y = b;
	int calls = strcmp(x->name, y->name) ?: in_order(x->number, y->number);

	if (calls)
		return calls;
	return in_order(x->comm, y->comm) ?: in_order(x->first, y->first)
					      ?: in_order(x->node, y->node);
}

/* Adds a call to its meeting, on the node whose rank is walked. */
static void trace_align_add(struct pair *p, const struct span *s)
{
	const struct meeting key = {.name = s->name,
				    .first = s->event->peer,
				    .number = s->event->number,
				    .comm = s->event->comm,
				    .node = p->node,
				    .rank = p->rank,
				    .entered = s->begin,
				    .left = s->end};
	struct meeting *m, **found = (struct meeting **)tfind(
			       &key, &p->meetings, trace_align_compare);

	if (!found) {
		m = malloc(sizeof(*m));
		if (!m)
			return;
		*m = key;
		if (!tsearch(m, &p->meetings, trace_align_compare))
			free(m);
		return;
	}
	m = *found;
	m->twice |= m->rank == p->rank;
	m->rank = p->rank;
	m->entered = m->entered > s->begin ? m->entered : s->begin;
	m->left = m->left < s->end ? m->left : s->end;
}

/* A call that fails leaves early, as may all that follow it. */
static void trace_align_see(void *to, const struct span *s)
{
	struct pair *p = to;

	if (s->kind == SPAN_FAIL)
		p->failed = true;
	if (s->kind != SPAN_CALL && s->kind != SPAN_FAIL)
		return;
	if (p->waiting && !p->failed)
		trace_align_add(p, &p->last);
	p->waiting = !p->failed && is_meeting(s);
	p->last = *s;
}

static struct pair *bounding; /* for bound, which gets no argument */

static void trace_align_bound(const void *node, VISIT when, int depth)
{
	const struct meeting *a = *(struct meeting *const *)node, *b, **found;
	struct meeting key = *a;

	(void)depth;
	key.node = 1;
	if (a->node || (when != postorder && when != leaf))
		return;
	found = (const struct meeting **)tfind(&key, &bounding->meetings,
					       trace_align_compare);
	if (!found)
		return;
	b = *found;
	if (a->twice || b->twice)
		return;
	if (a->entered - b->left > bounding->least)
		bounding->least = a->entered - b->left;
	if (a->left - b->entered < bounding->most)
		bounding->most = a->left - b->entered;
}

static void walk_node(const struct trace_set *set, const char *host, int node,
		      struct pair *p)
{
	p->node = node;
	for (int k = 0; k < set->n; k++) {
		if (strcmp(set->rank[k].head->host, host))
			continue;
		p->rank = k;
		p->waiting = p->failed = false;
		trace_walk(&set->rank[k], trace_align_see, p);
		if (p->waiting)
			trace_align_add(p, &p->last);
	}
}

/* Returns what to add to the clock of a node, so that it agrees with that of
 * the first. */
static int64_t shift_of(const struct trace_set *set, const char *host)
{
	struct pair p = {.least = INT64_MIN, .most = INT64_MAX};

	walk_node(set, set->rank[0].head->host, 0, &p);
	walk_node(set, host, 1, &p);
	bounding = &p;
	twalk(p.meetings, trace_align_bound);
	tdestroy(p.meetings, free);
	if (p.least > p.most || p.least == INT64_MIN)
		return 0;
	if (p.most - p.least < NARROW_NS || p.least > WRONG_NS ||
	    p.most < -WRONG_NS)
		return p.least + (p.most - p.least) / 2;
	return p.least > 0 ? p.least : p.most < 0 ? p.most : 0;
}

void trace_align(struct trace_set *set)
{
	for (int k = 0; k < set->n; k++) {
		const char *host = set->rank[k].head->host;
		int64_t shift;
		int first = 0;

		while (strcmp(set->rank[first].head->host, host))
			first++;
		if (!first || first < k)
			continue; /* the first node, or one that is done */
		shift = shift_of(set, host);
		for (int i = k; i < set->n; i++)
			if (!strcmp(set->rank[i].head->host, host))
				set->rank[i].offset += shift;
	}
	trace_set_measure(set);
}
