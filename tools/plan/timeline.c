/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline.c: walks the steps of all ranks as one graph in the order of time. A
 * step that ends releases those after it; a message starts when both its ends
 * are released and have a port free, the earliest released first. A load also
 * comes after its post.
 */
#include "tools/plan/timeline.h"

#include <stdlib.h>

#include "mrt.h"

#define NONE SIZE_MAX

/* A step while the graph is walked. */
struct node {
	int rank;
	uint8_t waits;	 /* steps before it that have not ended */
	bool released;	 /* all steps before it have ended */
	size_t after[2]; /* steps that it releases: the first of a list */
	size_t more[2];	 /* ... and the next in the list of after[k] */
	size_t queued;	 /* the next in its rank's queue of messages */
};

struct port {
	int out, in; /* messages under way */
	size_t head; /* messages that wait only for ports */
};

/* A rank's counter: the signals that came, those that ended waits took, and the
 * step that waits, or NONE. */
struct counter {
	size_t came, taken, waiting;
};

struct event {
	double time;
	size_t step;
};

struct walk {
	const struct plan *plans;
	const struct timeline_rules *rules;
	struct timeline *l;
	struct node *nodes;
	struct port *ports;
	struct counter *counters; /* the first `cells` words of each rank */
	size_t cells, left;
	struct event *heap;
	size_t nheap;
	double now;
};

static const struct step *step_of(const struct walk *w, size_t s)
{
	int rank = w->nodes[s].rank;

	return &w->plans[rank].steps[s - w->l->first[rank]];
}

static double time_of(const struct walk *w, size_t s)
{
	return w->rules->time(step_of(w, s), w->rules->with);
}

/* ---- Events: a binary heap, earliest first, then by place --------------- */

static bool timeline_earlier(struct event a, struct event b)
{
	return a.time < b.time || (a.time <= b.time && a.step < b.step);
}

static void timeline_push(struct walk *w, double time, size_t step)
{
	struct event e = {time, step};
	size_t k = w->nheap++;

	w->l->of[step].end = time;
	for (; k && timeline_earlier(e, w->heap[(k - 1) / 2]); k = (k - 1) / 2)
		w->heap[k] = w->heap[(k - 1) / 2];
	w->heap[k] = e;
}

static struct event timeline_pop(struct walk *w)
{
	struct event top = w->heap[0], last = w->heap[--w->nheap];
	size_t k = 0, child;

	while ((child = 2 * k + 1) < w->nheap) {
		if (child + 1 < w->nheap &&
		    timeline_earlier(w->heap[child + 1], w->heap[child]))
			child++;
		if (!timeline_earlier(w->heap[child], last))
			break;
		w->heap[k] = w->heap[child];
		k = child;
	}
	w->heap[k] = last;
	return top;
}

/* ---- Messages ----------------------------------------------------------- */

/* Queues a message behind those released before, and in plan order among those
 * released now. */
static void timeline_enqueue(struct walk *w, size_t s)
{
	struct port *p = &w->ports[w->nodes[s].rank];
	size_t *at = &p->head;

	w->l->of[s].begin = w->now;
	while (*at != NONE && (w->l->of[*at].begin < w->now || *at < s))
		at = &w->nodes[*at].queued;
	w->nodes[s].queued = *at;
	*at = s;
}

static bool is_free(const struct walk *w, int messages)
{
	return !w->rules->ports || messages < w->rules->ports;
}

static void start_message(struct walk *w, size_t s)
{
	struct interval *of = &w->l->of[s];
	double end = w->now + time_of(w, s);

	of->begin = w->now;
	w->ports[w->nodes[s].rank].out++;
	w->ports[step_of(w, s)->peer].in++;
	timeline_push(w, end, s);
	if (of->mate != NONE) {
		w->l->of[of->mate].begin = w->now;
		timeline_push(w, end + time_of(w, of->mate), of->mate);
	}
}

static void start_messages(struct walk *w, int rank)
{
	size_t *at = &w->ports[rank].head;

	while (*at != NONE && is_free(w, w->ports[rank].out)) {
		size_t s = *at;

		if (is_free(w, w->ports[step_of(w, s)->peer].in)) {
			*at = w->nodes[s].queued;
			start_message(w, s);
		} else {
			at = &w->nodes[s].queued;
		}
	}
}

/* ---- Steps -------------------------------------------------------------- */

static struct counter *counter_of(const struct walk *w, int rank,
				  const struct step *s)
{
	return &w->counters[(size_t)rank * w->cells + s->dst.at];
}

/* Ends a wait whose signals have come. */
static void try_wait(struct walk *w, struct counter *c)
{
	size_t s = c->waiting;

	if (s == NONE || c->came - c->taken < step_of(w, s)->count)
		return;
	c->taken += step_of(w, s)->count;
	c->waiting = NONE;
	timeline_push(w, w->now, s);
}

static void timeline_release(struct walk *w, size_t s)
{
	const struct step *step = step_of(w, s);
	size_t mate = w->l->of[s].mate;
	struct counter *c;

	w->nodes[s].released = true;
	w->l->of[s].begin = w->now;
	if (step_is_message(step->kind)) {
		if (w->nodes[mate].released)
			timeline_enqueue(w, step->kind == STEP_SEND ? s : mate);
	} else if (step_has_peer(step->kind) && !step_is_load(step->kind)) {
		timeline_enqueue(w, s);
	} else if (step->kind == STEP_WAIT_MEMORY) {
		c = counter_of(w, w->nodes[s].rank, step);
		c->waiting = s;
		try_wait(w, c);
	} else {
		timeline_push(w, w->now + time_of(w, s), s);
	}
}

static void release_followers(struct walk *w, size_t s)
{
	size_t next;
	bool posts = step_of(w, s)->kind == STEP_POST;

	for (size_t f = 0; posts && f < w->l->first[w->l->ranks]; f++)
		if (step_is_load(step_of(w, f)->kind) &&
		    w->l->of[f].mate == s && --w->nodes[f].waits == 0)
			timeline_release(w, f);

	for (int k = 0; k < 2; k++)
		for (size_t f = w->nodes[s].after[k]; f != NONE; f = next) {
			next = w->nodes[f].more[k];
			if (--w->nodes[f].waits == 0)
				timeline_release(w, f);
		}
}

static void end_step(struct walk *w, size_t s)
{
	const struct step *step = step_of(w, s);
	struct counter *c;

	w->l->of[s].turn = w->l->first[w->l->ranks] - w->left--;
	if (step_has_peer(step->kind) && step->kind != STEP_RECV &&
	    step->kind != STEP_RECV_REDUCE && !step_is_load(step->kind)) {
		w->ports[w->nodes[s].rank].out--;
		w->ports[step->peer].in--;
	}
	if (step->kind == STEP_SIGNAL) {
		c = counter_of(w, step->peer, step);
		c->came++;
		try_wait(w, c);
	}
	release_followers(w, s);
}

/* ---- The graph ---------------------------------------------------------- */

/* A message's name; `step` breaks ties, so that the k-th of a name on one side
 * matches the k-th on the other. */
struct name {
	int from, to;
	unsigned tag;
	size_t step;
};

static int compare_names(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	if (x->tag != y->tag)
		return x->tag < y->tag ? -1 : 1;
	return x->step < y->step ? -1 : x->step > y->step;
}

static size_t list_names(const struct walk *w, bool sends, struct name *names)
{
	size_t n = 0;

	for (size_t s = 0; s < w->l->first[w->l->ranks]; s++) {
		const struct step *step = step_of(w, s);
		int rank = w->nodes[s].rank;

		if (!step_is_message(step->kind) ||
		    (step->kind == STEP_SEND) != sends)
			continue;
		names[n++] =
		    (struct name){sends ? rank : step->peer,
				  sends ? step->peer : rank, step->tag, s};
	}
	qsort(names, n, sizeof(*names), compare_names);
	return n;
}

static bool same_name(const struct name *a, const struct name *b)
{
	return a->from == b->from && a->to == b->to && a->tag == b->tag;
}

/* Finds the post of each load. */
static int match_loads(const struct walk *w)
{
	for (size_t s = 0; s < w->l->first[w->l->ranks]; s++) {
		const struct step *load = step_of(w, s);
		size_t p = w->l->first[load->peer];

		if (!step_is_load(load->kind))
			continue;
		while (p < w->l->first[load->peer + 1] &&
		       (step_of(w, p)->kind != STEP_POST ||
			step_of(w, p)->tag != load->tag))
			p++;
		if (p == w->l->first[load->peer + 1])
			return MRT_ERR_INTERNAL;
		w->l->of[s].mate = p;
		w->nodes[s].waits++;
	}
	return MRT_SUCCESS;
}

static int timeline_match(const struct walk *w)
{
	size_t n = w->l->first[w->l->ranks], nsends, nrecvs;
	struct name *sends = malloc((n + 1) * sizeof(*sends));
	struct name *recvs = malloc((n + 1) * sizeof(*recvs));
	int rc = sends && recvs ? MRT_SUCCESS : MRT_ERR_NO_MEM;

	if (!rc) {
		nsends = list_names(w, true, sends);
		nrecvs = list_names(w, false, recvs);
		rc = nsends == nrecvs ? MRT_SUCCESS : MRT_ERR_INTERNAL;
		for (size_t k = 0; k < nsends && !rc; k++) {
			if (!same_name(&sends[k], &recvs[k]))
				rc = MRT_ERR_INTERNAL;
			w->l->of[sends[k].step].mate = recvs[k].step;
			w->l->of[recvs[k].step].mate = sends[k].step;
		}
	}
	free(sends);
	free(recvs);
	return rc ? rc : match_loads(w);
}

static void add_rank(struct walk *w, int rank)
{
	size_t first = w->l->first[rank];

	w->ports[rank] = (struct port){.head = NONE};
	for (uint32_t k = 0; k < w->plans[rank].nsteps; k++) {
		size_t s = first + k;
		struct node *n = &w->nodes[s];

		*n = (struct node){.rank = rank, .after = {NONE, NONE}};
		w->l->of[s].mate = NONE;
		for (int i = 0; i < 2; i++) {
			uint32_t after = w->plans[rank].steps[k].after[i];

			if (!after)
				continue;
			n->waits++;
			n->more[i] = w->nodes[first + after - 1].after[i];
			w->nodes[first + after - 1].after[i] = s;
		}
	}
}

static int timeline_walk(struct walk *w)
{
	size_t n = w->l->first[w->l->ranks];

	w->left = n;
	for (size_t s = 0; s < n; s++)
		if (!w->nodes[s].waits)
			timeline_release(w, s);
	for (;;) {
		for (int r = 0; r < w->l->ranks; r++)
			start_messages(w, r);
		if (!w->nheap)
			return w->left ? MRT_ERR_INTERNAL : MRT_SUCCESS;
		w->now = w->heap[0].time;
		while (w->nheap && w->heap[0].time <= w->now)
			end_step(w, timeline_pop(w).step);
		w->l->end = w->now;
	}
}

/* ---- Whole -------------------------------------------------------------- */

static void count_counters(struct walk *w, const struct plan *plan)
{
	for (uint32_t k = 0; k < plan->nsteps; k++) {
		const struct step *s = &plan->steps[k];

		if ((s->kind == STEP_SIGNAL || s->kind == STEP_WAIT_MEMORY) &&
		    s->dst.at >= w->cells)
			w->cells = s->dst.at + 1;
	}
}

static bool timeline_allocate(struct walk *w)
{
	struct timeline *l = w->l;
	size_t ranks = (size_t)l->ranks, n;

	l->first = calloc(ranks + 1, sizeof(*l->first));
	if (!l->first)
		return false;
	for (size_t r = 0; r < ranks; r++) {
		l->first[r + 1] = l->first[r] + w->plans[r].nsteps;
		count_counters(w, &w->plans[r]);
	}
	n = l->first[ranks];
	l->of = calloc(n + 1, sizeof(*l->of));
	w->nodes = calloc(n + 1, sizeof(*w->nodes));
	w->heap = calloc(n + 1, sizeof(*w->heap));
	w->ports = calloc(ranks + 1, sizeof(*w->ports));
	w->counters = calloc(ranks * w->cells + 1, sizeof(*w->counters));
	for (size_t c = 0; w->counters && c < ranks * w->cells; c++)
		w->counters[c].waiting = NONE;
	return l->of && w->nodes && w->heap && w->ports && w->counters;
}

int timeline_make(struct timeline *timeline, const struct plan *plans,
		  int ranks, const struct timeline_rules *rules)
{
	struct walk w = {.plans = plans, .rules = rules, .l = timeline};
	int rc = MRT_ERR_NO_MEM;

	*timeline = (struct timeline){.ranks = ranks};
	if (timeline_allocate(&w)) {
		for (int r = 0; r < ranks; r++)
			add_rank(&w, r);
		rc = timeline_match(&w) ?: timeline_walk(&w);
	}
	free(w.nodes);
	free(w.heap);
	free(w.ports);
	free(w.counters);
	if (rc)
		timeline_fini(timeline);
	return rc;
}

void timeline_fini(struct timeline *timeline)
{
	free(timeline->first);
	free(timeline->of);
	*timeline = (struct timeline){0};
}
