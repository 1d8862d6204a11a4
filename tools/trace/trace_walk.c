/* SPDX-License-Identifier: Apache-2.0 */
/* trace_walk.c: pairs the beginnings and ends of calls, waits and rendezvous.
 * What began before the oldest event that is left is not seen. */
#include "tools/trace/trace_walk.h"

#include <string.h>

enum { THREADS = 256, DEPTH = 8, MOVES = 64 };

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
	int nmoves;
	struct span move[MOVES]; /* rendezvous that are open, oldest first */
	struct thread thread[THREADS];
};

static void see(const struct walk *w, struct span *s, int64_t end, bool open)
{
	s->end = end;
	s->open = open;
	w->see(w->to, s);
}

static void enter(struct walk *w, struct thread *t, const struct span *s)
{
	if (t->depth < DEPTH) {
		t->call[t->depth] = *s;
		t->call[t->depth].depth = t->depth;
		t->call[t->depth].name = w->r->head->name[s->event->name];
	}
	t->depth++;
}

static void leave(struct walk *w, struct thread *t, int64_t now, bool open)
{
	if (!t->depth)
		return;
	if (--t->depth < DEPTH)
		see(w, &t->call[t->depth], now, open);
}

static void wake(struct walk *w, struct thread *t, int64_t now, bool open)
{
	if (!t->waits)
		return;
	t->waits = false;
	t->wait.name = t->text;
	for (int k = 0; k < t->depth && k < DEPTH; k++)
		t->call[k].waited += now - t->wait.begin;
	see(w, &t->wait, now, open);
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

static void begin_move(struct walk *w, const struct span *s)
{
	if (w->nmoves < MOVES)
		w->move[w->nmoves++] = *s;
}

/* Ends the oldest rendezvous with the peer in the same direction. */
static void end_move(struct walk *w, const struct trace_event *e, int64_t now)
{
	int k = 0;

	while (k < w->nmoves && (w->move[k].event->peer != e->peer ||
				 w->move[k].event->number != e->number))
		k++;
	if (k == w->nmoves)
		return;
	see(w, &w->move[k], now, false);
	w->nmoves--;
	memmove(&w->move[k], &w->move[k + 1],
		(size_t)(w->nmoves - k) * sizeof(w->move[0]));
}

static void take(struct walk *w, const struct trace_event *e, int64_t now)
{
	struct thread *t = &w->thread[e->thread];
	struct span s = {.begin = now, .name = "", .event = e};

	switch ((enum trace_kind)e->kind) {
	case TRACE_ENTER:
		s.kind = SPAN_CALL;
		enter(w, t, &s);
		break;
	case TRACE_LEAVE:
		leave(w, t, now, false);
		break;
	case TRACE_WAIT:
		s.kind = SPAN_WAIT;
		begin_wait(t, &s);
		break;
	case TRACE_WOKEN:
		wake(w, t, now, false);
		break;
	case TRACE_TEXT:
		add_text(t, e);
		break;
	case TRACE_OFFER:
	case TRACE_MATCH:
		s.kind = SPAN_MOVE;
		begin_move(w, &s);
		break;
	case TRACE_MOVED:
		end_move(w, e, now);
		break;
	case TRACE_STEP:
	case TRACE_FAIL:
		s.kind = e->kind == TRACE_STEP ? SPAN_STEP : SPAN_FAIL;
		see(w, &s, now, false);
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
		take(&w, trace_at(r, k), now);
	}
	for (int k = 0; k < THREADS; k++) {
		wake(&w, &w.thread[k], now, true);
		while (w.thread[k].depth)
			leave(&w, &w.thread[k], now, true);
	}
	for (int k = 0; k < w.nmoves; k++)
		see(&w, &w.move[k], now, true);
}
