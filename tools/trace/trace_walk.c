/* SPDX-License-Identifier: Apache-2.0 */
/* trace_walk.c: pairs the beginnings and ends of calls, waits, rendezvous,
 * plans and steps. What began before the oldest event that is left is not seen.
 */
#include "tools/trace/trace_walk.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 256, DEPTH = 8 };

/* The calls and the wait of a thread that are open. */
struct thread {
	int depth; /* may be larger than DEPTH */
	struct span call[DEPTH], wait;
	bool waits, complete; /* complete: the text is */
	char text[SPAN_TEXT];
};

struct walk {
	const struct rank_trace *r;
	void (*see)(void *to, const struct span *span);
	void *to;
	/* rendezvous, plans and steps that are open, oldest first */
	struct span *under_way;
	size_t n, room;
	struct thread thread[THREADS];
};

static void trace_walk_see(const struct walk *w, struct span *s, int64_t end,
			   bool open)
{
	s->end = end;
	s->open = open;
	w->see(w->to, s);
}

static void trace_walk_enter(struct walk *w, struct thread *t,
			     const struct span *s)
{
	if (t->depth < DEPTH) {
		t->call[t->depth] = *s;
		t->call[t->depth].depth = t->depth;
		t->call[t->depth].name = w->r->head->name[s->event->name];
	}
	t->depth++;
}

static void trace_walk_leave(struct walk *w, struct thread *t, int64_t now,
			     bool open)
{
	if (!t->depth)
		return;
	if (--t->depth < DEPTH)
		trace_walk_see(w, &t->call[t->depth], now, open);
}

static void trace_walk_wake(struct walk *w, struct thread *t, int64_t now,
			    bool open)
{
	if (!t->waits)
		return;
	t->waits = false;
	t->wait.name = t->text;
	for (int k = 0; k < t->depth && k < DEPTH; k++)
		t->call[k].waited += now - t->wait.begin;
	trace_walk_see(w, &t->wait, now, open);
}

static void begin_wait(struct thread *t, const struct span *s)
{
	t->wait = *s;
	t->waits = true;
	t->complete = false;
	t->text[0] = '\0';
}

/* Adds a part of a text; what follows the last part begins a newer one. */
static void add_text(struct thread *t, const struct trace_event *e)
{
	size_t n = strnlen(e->text, TRACE_TEXT_LENGTH);
	size_t at = t->complete ? 0 : strlen(t->text);

	if (at + n < sizeof(t->text)) {
		memcpy(t->text + at, e->text, n);
		t->text[at + n] = '\0';
	}
	t->complete = n < TRACE_TEXT_LENGTH;
}

/* Without memory the span is not seen. */
static void trace_walk_begin(struct walk *w, const struct span *s)
{
	if (w->n == w->room) {
		size_t room = w->room ? 2 * w->room : 64;
		void *more = realloc(w->under_way, room * sizeof(*s));

		if (!more)
			return;
		w->under_way = more;
		w->room = room;
	}
	w->under_way[w->n++] = *s;
}

/* Tells whether the event ends the span: a rendezvous with the peer in the same
 * direction, or a plan or step with the same numbers. */
static bool trace_walk_ends(const struct trace_event *e, const struct span *s)
{
	const struct trace_event *b = s->event;

	if (e->number != b->number)
		return false;
	if (e->kind == TRACE_MOVED)
		return s->kind == SPAN_MOVE && e->peer == b->peer;
	if (e->kind == TRACE_STEP)
		return s->kind == SPAN_STEP && e->comm == b->comm &&
		       e->plan == b->plan;
	return s->kind == SPAN_PLAN && e->comm == b->comm;
}

/* Ends the oldest such span. */
static void trace_walk_end(struct walk *w, const struct trace_event *e,
			   int64_t now)
{
	size_t k = 0;

	while (k < w->n && !trace_walk_ends(e, &w->under_way[k]))
		k++;
	if (k == w->n)
		return;
	trace_walk_see(w, &w->under_way[k], now, false);
	w->n--;
	memmove(&w->under_way[k], &w->under_way[k + 1],
		(w->n - k) * sizeof(w->under_way[0]));
}

/* Adds its shape to the last plan that began. */
static void add_shape(struct walk *w, const struct trace_event *e)
{
	if (w->n && w->under_way[w->n - 1].kind == SPAN_PLAN)
		w->under_way[w->n - 1].shape = e;
}

static void trace_walk_take(struct walk *w, const struct trace_event *e,
			    int64_t now)
{
	struct thread *t = &w->thread[e->thread];
	struct span s = {.begin = now, .name = "", .event = e};

	switch ((enum trace_kind)e->kind) {
	case TRACE_ENTER:
		s.kind = SPAN_CALL;
		trace_walk_enter(w, t, &s);
		break;
	case TRACE_LEAVE:
		trace_walk_leave(w, t, now, false);
		break;
	case TRACE_WAIT:
		s.kind = SPAN_WAIT;
		begin_wait(t, &s);
		break;
	case TRACE_WOKEN:
		trace_walk_wake(w, t, now, false);
		break;
	case TRACE_TEXT:
		add_text(t, e);
		break;
	case TRACE_OFFER:
	case TRACE_MATCH:
		s.kind = SPAN_MOVE;
		trace_walk_begin(w, &s);
		break;
	case TRACE_PLAN:
		s.kind = SPAN_PLAN;
		s.name = w->r->head->name[e->name];
		trace_walk_begin(w, &s);
		break;
	case TRACE_SHAPE:
		add_shape(w, e);
		break;
	case TRACE_BEGIN:
		s.kind = SPAN_STEP;
		trace_walk_begin(w, &s);
		break;
	case TRACE_MOVED:
	case TRACE_STEP:
	case TRACE_END:
		trace_walk_end(w, e, now);
		break;
	case TRACE_FAIL:
		s.kind = SPAN_FAIL;
		trace_walk_see(w, &s, now, false);
		break;
	}
}

void trace_walk(const struct rank_trace *r,
		void (*fn)(void *to, const struct span *span), void *to)
{
	static struct walk w;
	int64_t now = 0;

	memset(&w, 0, sizeof(w));
	w.r = r;
	w.see = fn;
	w.to = to;
	for (uint64_t k = r->first; k < r->end; k++) {
		now = trace_time(r, trace_at(r, k));
		trace_walk_take(&w, trace_at(r, k), now);
	}
	for (int k = 0; k < THREADS; k++) {
		trace_walk_wake(&w, &w.thread[k], now, true);
		while (w.thread[k].depth)
			trace_walk_leave(&w, &w.thread[k], now, true);
	}
	for (size_t k = 0; k < w.n; k++)
		trace_walk_see(&w, &w.under_way[k], now, true);
	free(w.under_way);
}
