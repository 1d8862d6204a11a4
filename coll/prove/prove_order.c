/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prove_order.c: sends match receives, and there is no deadlock although
 * nothing is buffered.
 *
 * Without buffering a send and its receive happen together, when both may
 * start, and a wait happens when its signals have. No step that happens makes
 * another one impossible, so one pass (A. B. Kahn, CACM 5 (1962)) that lets
 * every possible step happen decides for every schedule whether all steps
 * happen, and its order is one in which they may.
 */
#include "coll/plan/topology.h"
#include "coll/prove/prove_state.h"

#include <stdlib.h>

/* ---- Matching ----------------------------------------------------------- */

struct message {
	uint64_t channel; /* sender, receiver and tag */
	uint32_t step;
};

static int by_channel(const void *a, const void *b)
{
	const struct message *x = a, *y = b;

	if (x->channel != y->channel)
		return x->channel < y->channel ? -1 : 1;
	return (x->step > y->step) - (x->step < y->step);
}

static struct message prove_order_message(const struct proof *p, uint32_t step)
{
	const struct step *s = p->step[step];
	int me = p->rank_of[step], from = me, to = s->peer;

	if (s->kind != STEP_SEND) {
		from = s->peer;
		to = me;
	}
	return (struct message){
	    ((uint64_t)from * (uint64_t)p->n + (uint64_t)to) * PLAN_TAGS +
		s->tag,
	    step};
}

/* Returns the number of sends, or of receives, to or from one peer between two
 * steps of a plan. */
static uint32_t prove_order_between(const struct proof *p, uint32_t first,
				    uint32_t last)
{
	bool send = p->step[first]->kind == STEP_SEND;
	uint32_t n = 0;

	for (uint32_t i = first; i < last; i++)
		n += step_is_message(p->step[i]->kind) &&
		     (p->step[i]->kind == STEP_SEND) == send &&
		     p->step[i]->peer == p->step[first]->peer;
	return n;
}

/* A tag may be used again late enough, and when the first message has gone. */
static bool prove_again(struct proof *p, const struct message *m)
{
	bool ordered = false;

	if (m[0].channel != m[-1].channel)
		return true;
	if (prove_order_between(p, m[-1].step, m[0].step) >= PLAN_TAGS &&
	    !prove_ordered(p, m[-1].step, m[0].step, &ordered))
		return false;
	return ordered ||
	       prove_wrong(p, m[0].step, "has the tag of step %u",
			   m[-1].step - p->ranks[p->rank_of[m[0].step]].first +
			       1);
}

static bool prove_order_unmatched(struct proof *p, uint32_t step)
{
	const struct step *s = p->step[step];

	return prove_wrong(p, step,
			   s->kind == STEP_SEND
			       ? "rank %d does not receive this (tag %u)"
			       : "rank %d does not send this (tag %u)",
			   s->peer, s->tag);
}

static bool pair_up(struct proof *p, uint32_t send, uint32_t recv)
{
	size_t sent = p->step[send]->count, expected = p->step[recv]->count;

	p->partner[send] = recv;
	p->partner[recv] = send;
	return sent == expected ||
	       prove_wrong(p, recv,
			   "%zu elements come from rank %d, %zu expected", sent,
			   p->rank_of[send], expected);
}

static bool prove_order_match(struct proof *p, const struct message *send,
			      size_t nsends, const struct message *recv,
			      size_t nrecvs)
{
	for (size_t i = 0; i < nsends || i < nrecvs; i++) {
		if (i >= nrecvs ||
		    (i < nsends && send[i].channel < recv[i].channel))
			return prove_order_unmatched(p, send[i].step);
		if (i >= nsends || send[i].channel > recv[i].channel)
			return prove_order_unmatched(p, recv[i].step);
		if (i &&
		    (!prove_again(p, &send[i]) || !prove_again(p, &recv[i])))
			return false;
		if (!pair_up(p, send[i].step, recv[i].step))
			return false;
	}
	return true;
}

bool prove_match(struct proof *p)
{
	struct message *m = prove_alloc(p, p->nsteps + 1, sizeof(*m));
	size_t nsends = 0, nrecvs = 0, end = p->nsteps;

	if (!m)
		return false;
	for (uint32_t i = 0; i < p->nsteps; i++) {
		if (p->step[i]->kind == STEP_SEND)
			m[nsends++] = prove_order_message(p, i);
		else if (step_is_message(p->step[i]->kind))
			m[end - ++nrecvs] = prove_order_message(p, i);
	}
	qsort(m, nsends, sizeof(*m), by_channel);
	qsort(m + end - nrecvs, nrecvs, sizeof(*m), by_channel);
	return prove_order_match(p, m, nsends, m + end - nrecvs, nrecvs);
}

/* ---- Posts -------------------------------------------------------------- */

/* Tells whether two ranks can read each other's boards. */
static bool share_board(const struct proof *p, int a, int b)
{
	const struct topology *t = prove_shape(p, a)->topo;

	return a != b &&
	       (!t || topology_node_of(t, a) == topology_node_of(t, b));
}

static bool prove_load(struct proof *p, uint32_t step, const uint32_t *posts)
{
	const struct step *s = p->step[step], *post;

	if (s->peer < 0 || s->peer >= p->n ||
	    !share_board(p, p->rank_of[step], s->peer))
		return prove_wrong(p, step, "cannot read rank %d's board",
				   s->peer);
	if (s->tag >= BOARD_POSTS || !posts[s->peer * BOARD_POSTS + s->tag])
		return prove_wrong(p, step,
				   "rank %d does not post this (tag %u)",
				   s->peer, s->tag);
	p->partner[step] = posts[s->peer * BOARD_POSTS + s->tag] - 1;
	post = p->step[p->partner[step]];
	return (s->src.at <= post->count &&
		s->count <= post->count - s->src.at) ||
	       prove_wrong(p, step,
			   "loads %zu from %zu of rank %d, which posts "
			   "%zu",
			   s->count, s->src.at, s->peer, post->count);
}

static bool prove_post(struct proof *p, uint32_t step, uint32_t *posts)
{
	const struct step *s = p->step[step];
	uint32_t *post = &posts[p->rank_of[step] * BOARD_POSTS + s->tag];

	if (s->tag >= BOARD_POSTS || *post)
		return prove_wrong(p, step, "posts with tag %u again", s->tag);
	*post = step + 1;
	return true;
}

bool prove_posts(struct proof *p)
{
	uint32_t *posts; /* [n * BOARD_POSTS] step + 1 */

	if (!prove_shape(p, 0)->board)
		return true;
	posts = prove_alloc(p, (size_t)p->n * BOARD_POSTS, sizeof(*posts));
	for (uint32_t i = 0; i < p->nsteps && posts; i++)
		if (p->step[i]->kind == STEP_POST && !prove_post(p, i, posts))
			return false;
	for (uint32_t i = 0; i < p->nsteps && posts; i++)
		if (step_is_load(p->step[i]->kind) && !prove_load(p, i, posts))
			return false;
	return posts;
}

/* ---- Deadlock ----------------------------------------------------------- */

/* The followers of each step, and the number of steps for which each waits. */
struct graph {
	uint32_t *first, *followers; /* those of step i begin at first[i] */
	uint32_t *waits;
};

/* Returns the step as a part of which this one happens: a send's receive. */
static uint32_t prove_order_event(const struct proof *p, uint32_t step)
{
	return p->step[step]->kind == STEP_SEND ? p->partner[step] : step;
}

static bool prove_order_signals(const struct proof *p, uint32_t step)
{
	return p->step[step]->kind == STEP_SIGNAL;
}

/* Calls f for each order between two steps. */
static void each_order(const struct proof *p, struct graph *g,
		       void (*f)(struct graph *g, uint32_t from, uint32_t to))
{
	for (int r = 0; r < p->n; r++) {
		const struct prove_rank *rank = &p->ranks[r];

		for (uint32_t i = 0; i < rank->plan.nsteps; i++) {
			uint32_t to = prove_order_event(p, rank->first + i);

			for (int a = 0; a < 2; a++) {
				uint32_t from = rank->plan.steps[i].after[a];

				if (from)
					f(g, rank->first + from - 1, to);
			}
			if (prove_order_signals(p, rank->first + i))
				f(g, rank->first + i,
				  p->partner[rank->first + i]);
			if (step_is_load(rank->plan.steps[i].kind))
				f(g, p->partner[rank->first + i], to);
		}
	}
}

static void count_order(struct graph *g, uint32_t from, uint32_t to)
{
	g->first[from + 1]++;
	g->waits[to]++;
}

/* first[i + 1] goes from the end of i's followers to their begin. */
static void note_order(struct graph *g, uint32_t from, uint32_t to)
{
	g->followers[--g->first[from + 1]] = to;
}

static bool make_graph(struct proof *p, struct graph *g)
{
	g->first = prove_alloc(p, p->nsteps + 2, sizeof(*g->first));
	g->followers =
	    prove_alloc(p, 3 * (size_t)p->nsteps + 1, sizeof(*g->followers));
	g->waits = prove_alloc(p, p->nsteps + 1, sizeof(*g->waits));
	if (!g->first || !g->followers || !g->waits)
		return false;
	each_order(p, g, count_order);
	for (uint32_t i = 0; i <= p->nsteps; i++)
		g->first[i + 1] += g->first[i];
	each_order(p, g, note_order);
	return true;
}

static void prove_order_release(struct proof *p, struct graph *g, uint32_t step)
{
	for (uint32_t f = g->first[step + 1]; f < g->first[step + 2]; f++)
		if (--g->waits[g->followers[f]] == 0)
			p->order[p->norder++] = g->followers[f];
}

/* Returns a step that only waits for another rank. */
static uint32_t prove_order_blocked(const struct proof *p, const bool *done)
{
	for (uint32_t i = 0; i < p->nsteps; i++) {
		uint32_t before = p->ranks[p->rank_of[i]].first - 1;
		const uint32_t *after = p->step[i]->after;

		if (!done[i] && (!after[0] || done[before + after[0]]) &&
		    (!after[1] || done[before + after[1]]))
			return i;
	}
	return NO_STEP;
}

bool prove_deadlock(struct proof *p)
{
	bool *done = prove_alloc(p, p->nsteps, sizeof(*done));
	uint32_t ndone = 0;
	struct graph g;

	if (!done || !make_graph(p, &g))
		return false;
	for (uint32_t i = 0; i < p->nsteps; i++)
		if (prove_order_event(p, i) == i && !g.waits[i])
			p->order[p->norder++] = i;
	for (uint32_t i = 0; i < p->norder; i++) {
		uint32_t step = p->order[i], send = p->partner[step];
		bool message = step_is_message(p->step[step]->kind);

		done[step] = true;
		prove_order_release(p, &g, step);
		ndone += 1 + message;
		if (message) {
			done[send] = true;
			prove_order_release(p, &g, send);
		}
	}
	return ndone == p->nsteps ||
	       prove_wrong(p, prove_order_blocked(p, done),
			   "deadlock: %u steps wait for ever",
			   p->nsteps - ndone);
}
