/* SPDX-License-Identifier: Apache-2.0 */
/*
 * naive.c: to find whether step A must precede step B, it lets everything
 * happen but A and sees whether B starts; to find whether a rank can leave a
 * barrier before another has begun, it lets everything happen but that other
 * rank. What can happen stays possible, so one order of trying decides for all.
 * Then it runs the plans once, with affine maps for elements, which can be
 * added, or composed when the operation does not commute.
 */
#include "tests/unit/coll/prove/naive.h"

#include <assert.h>
#include <string.h>

#include "tests/unit/coll/prove/naive_world.h"

/* ---- Rules -------------------------------------------------------------- */

static bool in_bounds(struct world *w)
{
	for (int i = 0; i < w->nitems; i++) {
		const struct step *s = w->item[i].s;
		struct use u[3];
		int n = world_uses(w, i, u);

		if (step_has_peer(s->kind) && (s->peer < 0 || s->peer >= w->n))
			return false;
		for (int k = 0; k < n; k++) {
			int buf = world_home(w, u[k].rank, u[k].buf);
			size_t at =
			    world_where(w, u[k].rank, u[k].buf, u[k].at);

			if (at < w->low[u[k].rank][buf] ||
			    at + u[k].count > w->high[u[k].rank][buf])
				return false;
		}
		if (n && w->item[i].s->kind != STEP_SEND &&
		    u[n - 1].buf == BUF_SEND)
			return false;
	}
	return true;
}

/* Finds the only post of each load. */
static bool find_posts(struct world *w)
{
	for (int i = 0; i < w->nitems; i++) {
		const struct step *load = w->item[i].s, *post = NULL;

		for (int k = 0; k < w->nitems && step_is_load(load->kind);
		     k++) {
			const struct item *y = &w->item[k];

			if (y->s->kind != STEP_POST || y->rank != load->peer ||
			    y->s->tag != load->tag)
				continue;
			if (post)
				return false;
			post = y->s;
			w->item[i].partner = k;
		}
		if (step_is_load(load->kind) &&
		    (!post || load->src.at + load->count > post->count))
			return false;
	}
	return true;
}

static bool match(struct world *w)
{
	for (int i = 0; i < w->nitems; i++)
		w->item[i].partner = -1;
	if (!find_posts(w))
		return false;
	for (int i = 0; i < w->nitems; i++) {
		const struct item *x = &w->item[i];
		int k = 0;

		if (x->s->kind != STEP_SEND)
			continue;
		for (; k < w->nitems; k++) {
			const struct item *y = &w->item[k];

			if (step_is_message(y->s->kind) &&
			    y->s->kind != STEP_SEND && y->partner < 0 &&
			    y->rank == x->s->peer && y->s->peer == x->rank &&
			    y->s->tag == x->s->tag &&
			    y->s->count == x->s->count)
				break;
		}
		if (k == w->nitems)
			return false;
		w->item[i].partner = k;
		w->item[k].partner = i;
	}
	for (int i = 0; i < w->nitems; i++)
		if (step_is_message(w->item[i].s->kind) &&
		    w->item[i].partner < 0)
			return false;
	return true;
}

static bool signals_match(const struct world *w)
{
	for (int r = 0; r < w->n; r++)
		for (size_t c = 0; c < ROOM; c++) {
			size_t waited = 0;

			for (int i = 0; i < w->nitems; i++)
				if (w->item[i].s->kind == STEP_WAIT_MEMORY &&
				    w->item[i].rank == r &&
				    w->item[i].s->dst.at == c)
					waited += w->item[i].s->count;
			if (world_signals(w, NULL, r, c) != waited)
				return false;
		}
	return true;
}

/* ---- Running ------------------------------------------------------------ */

static struct element combine(const struct world *w, struct element l,
			      struct element r)
{
	if (w->shapes[0].commutative)
		return (struct element){l.a + r.a, l.b + r.b};
	return (struct element){l.a * r.a, l.a * r.b + l.b};
}

static void reduce(struct world *w, int i)
{
	const struct step *s = w->item[i].s;
	int me = w->item[i].rank, from = me;
	struct ref src = s->src;

	if (step_is_load(s->kind)) {
		from = s->peer;
		src = world_posted(w, i);
	}
	for (size_t e = 0; e < s->count; e++) {
		struct element x = *world_place(w, from, src.buf, src.at + e);
		struct element y =
		    *world_place(w, me, s->with.buf, s->with.at + e);

		*world_place(w, me, s->dst.buf, s->dst.at + e) =
		    s->flip ? combine(w, y, x) : combine(w, x, y);
	}
}

static void move(struct world *w, int from, struct ref src, int to,
		 struct ref dst, size_t count)
{
	for (size_t e = 0; e < count; e++)
		*world_place(w, to, dst.buf, dst.at + e) =
		    *world_place(w, from, src.buf, src.at + e);
}

static void add(struct world *w, int i)
{
	const struct step *s = w->item[i].s;

	for (size_t e = 0; e < s->count; e++) {
		struct element x =
		    *world_place(w, w->item[i].rank, s->src.buf, s->src.at + e);
		struct element *sum =
		    world_place(w, s->peer, BUF_CELLS, s->dst.at + e);
		bool *any = &w->combined[s->peer][s->dst.at + e];

		*sum = *any ? combine(w, *sum, x) : x;
		*any = true;
	}
}

static void execute(struct world *w, int i)
{
	const struct item *it = &w->item[i];
	const struct step *s = it->s;

	switch (s->kind) {
	case STEP_RECV:
	case STEP_RECV_REDUCE:
		move(w, s->peer, w->item[it->partner].s->src, it->rank,
		     s->kind == STEP_RECV ? s->dst : s->src, s->count);
		break;
	case STEP_LOAD:
		move(w, s->peer, world_posted(w, i), it->rank, s->dst,
		     s->count);
		break;
	case STEP_WRITE:
		move(w, it->rank, s->src, s->peer, s->dst, s->count);
		break;
	case STEP_TAKE:
		memset(&w->combined[it->rank][s->src.at], 0, s->count);
		/* fall through */
	case STEP_COPY:
		move(w, it->rank, s->src, it->rank, s->dst, s->count);
		break;
	case STEP_FETCH_ADD:
	case STEP_COMPARE_SWAP:
		add(w, i);
		break;
	default:
		break;
	}
	if (step_reduces(s->kind))
		reduce(w, i);
	if (s->kind == STEP_RECV_REDUCE && s->count &&
	    (s->src.buf != s->dst.buf || s->src.at != s->dst.at))
		memset(world_place(w, it->rank, s->src.buf, s->src.at), 0,
		       s->count * sizeof(struct element));
}

/* Runs the plans without buffering. False: deadlock. */
static bool run(struct world *w)
{
	struct limits none = {-1, -1, -1};
	bool done[STEPS] = {false}, more = true;
	int left = w->nitems;

	while (more) {
		more = false;
		for (int i = 0; i < w->nitems; i++) {
			int other = w->item[i].partner;

			if (done[i] || w->item[i].s->kind == STEP_SEND ||
			    !world_may_finish(w, done, i, none))
				continue;
			execute(w, i);
			done[i] = more = true;
			left--;
			if (step_is_message(w->item[i].s->kind)) {
				done[other] = true;
				left--;
			}
		}
	}
	return !left;
}

/* ---- The judgement ------------------------------------------------------- */

static struct world judged, model;
static struct element judged_memory[RANKS][BUFS][ROOM];
static struct element model_memory[RANKS][BUFS][ROOM];

static void set_up(struct world *w, enum collective collective,
		   const struct shape *shapes, const struct plan *plans)
{
	*w = (struct world){.collective = collective,
			    .shapes = shapes,
			    .plans = plans,
			    .n = shapes[0].size};
	for (int r = 0; r < w->n; r++) {
		int first = w->nitems;

		assert(first + (int)plans[r].nsteps <= STEPS);
		for (uint32_t i = 0; i < plans[r].nsteps; i++)
			w->item[w->nitems++] =
			    (struct item){&plans[r].steps[i], r, first, -1};
	}
}

/* Compares the memory of both runs without temporaries. */
static void fill(struct world *w, uint64_t salt)
{
	for (int r = 0; r < w->n; r++)
		for (int b = 0; b < BUF_TMP + w->plans[r].ntmp; b++)
			for (int e = 0; e < ROOM; e++) {
				uint64_t x = (uint64_t)(r * BUFS + b) * ROOM +
					     (uint64_t)e +
					     (b < BUF_CELLS ? 0 : salt);

				x = (x + 1) * 0x9e3779b97f4a7c15u;
				w->memory[r][b][e] =
				    (struct element){x | 1, x ^ x >> 29};
			}
}

static void stretch(struct world *w, const struct use *u)
{
	int buf = world_home(w, u->rank, u->buf);
	size_t at = world_where(w, u->rank, u->buf, u->at);
	size_t *low = &w->low[u->rank][buf], *high = &w->high[u->rank][buf];

	if (!*high || *low > at)
		*low = at;
	if (*high < at + u->count)
		*high = at + u->count;
}

static void measure(struct world *w)
{
	for (int i = 0; i < w->nitems; i++) {
		struct use u[3];
		int n = world_uses(w, i, u);

		for (int k = 0; k < n; k++)
			stretch(w, &u[k]);
	}
	for (int r = 0; r < w->n; r++)
		for (int t = 0; t < w->plans[r].ntmp; t++)
			stretch(w,
				&(struct use){r, BUF_TMP + t, 0,
					      w->plans[r].tmp[t], true, false});
}

bool naive_same(enum collective collective, const struct shape *shapes,
		const struct plan *plans, const struct plan *right)
{
	struct world *w = &judged, *m = &model;

	set_up(w, collective, shapes, plans);
	set_up(m, collective, shapes, right);
	w->memory = judged_memory;
	m->memory = model_memory;
	if (!match(m))
		return false;
	measure(m);
	memcpy(w->low, m->low, sizeof(w->low));
	memcpy(w->high, m->high, sizeof(w->high));
	fill(w, 1);
	fill(m, 1000000);
	if (!run(m) || !match(w) || !in_bounds(w) || !signals_match(w) ||
	    world_races(w) || !run(w) ||
	    ((collective == COLL_BARRIER || plans[0].ncells) &&
	     world_leaves_early(w)))
		return false;
	for (int r = 0; r < w->n; r++)
		for (int b = BUF_SEND; b <= BUF_RECV; b++)
			if (memcmp(w->memory[r][b], m->memory[r][b],
				   sizeof(w->memory[r][b])))
				return false;
	return !memcmp(w->combined, m->combined, sizeof(w->combined));
}
