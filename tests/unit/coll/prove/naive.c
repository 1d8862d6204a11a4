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

enum { STEPS = 512, RANKS = 4, ROOM = 512, MIDDLE = 64 };

struct element {
	uint64_t a, b;
};

struct item {
	const struct step *s;
	int rank, first, partner;
};

struct world {
	enum collective collective;
	const struct shape *shapes;
	const struct plan *plans;
	int n, nitems;
	struct item item[STEPS];
	/* the part of each buffer's memory that the right plans use, and all of
	 * temporaries */
	size_t low[RANKS][BUFS], high[RANKS][BUFS];
	struct element (*memory)[BUFS][ROOM];
	bool combined[RANKS][ROOM]; /* the cell holds something */
};

/* ---- What steps use ----------------------------------------------------- */

/* Returns where a buffer lies in memory; in place, SEND is a part of RECV's. */
static int home(const struct world *w, int rank, int buf)
{
	return buf == BUF_SEND && w->shapes[rank].in_place ? BUF_RECV : buf;
}

static size_t where(const struct world *w, int rank, int buf, size_t at)
{
	if (home(w, rank, buf) == buf)
		return at + MIDDLE;
	return at + MIDDLE +
	       (size_t)shape_offset(w->collective, &w->shapes[rank], rank);
}

static struct element *place(struct world *w, int rank, int buf, size_t at)
{
	return &w->memory[rank][home(w, rank, buf)][where(w, rank, buf, at)];
}

struct use {
	int rank, buf;
	size_t at, count;
	bool write, add;
};

static int uses(struct world *w, int i, struct use out[3])
{
	const struct step *s = w->item[i].s;
	int me = w->item[i].rank, n = 0;
	bool to_peer = step_has_peer(s->kind) && !step_is_message(s->kind);
	bool combines =
	    s->kind == STEP_FETCH_ADD || s->kind == STEP_COMPARE_SWAP;
	bool to_itself =
	    s->kind == STEP_COPY && place(w, me, s->src.buf, s->src.at) ==
					place(w, me, s->dst.buf, s->dst.at);

	if (s->kind == STEP_SIGNAL || s->kind == STEP_WAIT_MEMORY || !s->count)
		return 0;
	if (s->kind != STEP_RECV)
		out[n++] = (struct use){me,
					s->src.buf,
					s->src.at,
					s->count,
					s->kind == STEP_RECV_REDUCE ||
					    s->kind == STEP_TAKE,
					false};
	if (s->kind == STEP_REDUCE || s->kind == STEP_RECV_REDUCE)
		out[n++] = (struct use){me,	  s->with.buf, s->with.at,
					s->count, false,       false};
	if (s->kind != STEP_SEND)
		out[n++] = (struct use){to_peer ? s->peer : me,
					s->dst.buf,
					s->dst.at,
					s->count,
					!to_itself,
					combines};
	return n;
}

static bool clash(struct world *w, const struct use *x, const struct use *y)
{
	struct element *a = place(w, x->rank, x->buf, x->at);
	struct element *b = place(w, y->rank, y->buf, y->at);

	return x->rank == y->rank && (x->write || y->write) &&
	       !(x->add && y->add) && a < b + y->count && b < a + x->count;
}

/* ---- What can happen ---------------------------------------------------- */

/* Lets everything happen but what is held (a rank, or a step, which starts but
 * does not finish); of one rank alone unless `only` is negative. */
struct limits {
	int rank, step, only;
};

static bool may_start(const struct world *w, const bool *done, int i)
{
	const struct item *it = &w->item[i];

	for (int a = 0; a < 2; a++)
		if (it->s->after[a] &&
		    !done[it->first + (int)it->s->after[a] - 1])
			return false;
	return true;
}

static size_t signals(const struct world *w, const bool *done, int rank,
		      size_t counter)
{
	size_t n = 0;

	for (int i = 0; i < w->nitems; i++)
		n += (!done || done[i]) && w->item[i].s->kind == STEP_SIGNAL &&
		     w->item[i].s->peer == rank &&
		     w->item[i].s->dst.at == counter;
	return n;
}

/* Messages are buffered, which orders least. */
static bool may_finish(const struct world *w, const bool *done, int i,
		       struct limits l)
{
	const struct item *it = &w->item[i];
	int from = it->partner;

	if (it->rank == l.rank || i == l.step || !may_start(w, done, i))
		return false;
	if (l.only >= 0)
		return it->rank == l.only;
	if (it->s->kind == STEP_RECV || it->s->kind == STEP_RECV_REDUCE)
		return w->item[from].rank != l.rank && may_start(w, done, from);
	return it->s->kind != STEP_WAIT_MEMORY ||
	       signals(w, done, it->rank, it->s->dst.at) >= it->s->count;
}

static void happen(const struct world *w, struct limits l, bool *done)
{
	bool more = true;

	memset(done, 0, STEPS);
	while (more) {
		more = false;
		for (int i = 0; i < w->nitems; i++)
			if (!done[i] && may_finish(w, done, i, l))
				done[i] = more = true;
	}
}

static bool before(const struct world *w, int x, int y, bool local)
{
	struct limits l = {-1, x, local ? w->item[x].rank : -1};
	bool done[STEPS];

	happen(w, l, done);
	return !may_start(w, done, y);
}

static bool race(struct world *w, int x, int y)
{
	struct use a[3], b[3];
	int na = uses(w, x, a), nb = uses(w, y, b);

	for (int i = 0; i < na; i++)
		for (int k = 0; k < nb; k++) {
			bool local = a[i].buf != BUF_CELLS;

			if (local == (b[k].buf != BUF_CELLS) &&
			    clash(w, &a[i], &b[k]) && !before(w, x, y, local) &&
			    !before(w, y, x, local))
				return true;
		}
	return false;
}

static bool races(struct world *w)
{
	for (int x = 0; x < w->nitems; x++)
		for (int y = 0; y < x; y++)
			if (race(w, x, y))
				return true;
	return false;
}

static bool leaves_early(const struct world *w)
{
	for (int late = 0; late < w->n; late++) {
		int left[RANKS] = {0};
		bool done[STEPS];

		happen(w, (struct limits){late, -1, -1}, done);
		for (int i = 0; i < w->nitems; i++)
			left[w->item[i].rank] += !done[i];
		for (int r = 0; r < w->n; r++)
			if (r != late && !left[r])
				return true;
	}
	return false;
}

/* ---- Rules -------------------------------------------------------------- */

static bool in_bounds(struct world *w)
{
	for (int i = 0; i < w->nitems; i++) {
		const struct step *s = w->item[i].s;
		struct use u[3];
		int n = uses(w, i, u);

		if (step_has_peer(s->kind) && (s->peer < 0 || s->peer >= w->n))
			return false;
		for (int k = 0; k < n; k++) {
			int buf = home(w, u[k].rank, u[k].buf);
			size_t at = where(w, u[k].rank, u[k].buf, u[k].at);

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

static bool match(struct world *w)
{
	for (int i = 0; i < w->nitems; i++)
		w->item[i].partner = -1;
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
			if (signals(w, NULL, r, c) != waited)
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
	int me = w->item[i].rank;

	for (size_t e = 0; e < s->count; e++) {
		struct element x = *place(w, me, s->src.buf, s->src.at + e);
		struct element y = *place(w, me, s->with.buf, s->with.at + e);

		*place(w, me, s->dst.buf, s->dst.at + e) =
		    s->flip ? combine(w, y, x) : combine(w, x, y);
	}
}

static void move(struct world *w, int from, struct ref src, int to,
		 struct ref dst, size_t count)
{
	for (size_t e = 0; e < count; e++)
		*place(w, to, dst.buf, dst.at + e) =
		    *place(w, from, src.buf, src.at + e);
}

static void add(struct world *w, int i)
{
	const struct step *s = w->item[i].s;

	for (size_t e = 0; e < s->count; e++) {
		struct element x =
		    *place(w, w->item[i].rank, s->src.buf, s->src.at + e);
		struct element *sum =
		    place(w, s->peer, BUF_CELLS, s->dst.at + e);
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
	if (s->kind == STEP_REDUCE || s->kind == STEP_RECV_REDUCE)
		reduce(w, i);
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
			    !may_finish(w, done, i, none))
				continue;
			execute(w, i);
			done[i] = more = true;
			left--;
			if (other >= 0) {
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
	int buf = home(w, u->rank, u->buf);
	size_t at = where(w, u->rank, u->buf, u->at);
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
		int n = uses(w, i, u);

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
	measure(m);
	memcpy(w->low, m->low, sizeof(w->low));
	memcpy(w->high, m->high, sizeof(w->high));
	fill(w, 1);
	fill(m, 1000000);
	if (!match(m) || !run(m) || !in_bounds(w) || !match(w) ||
	    !signals_match(w) || races(w) || !run(w) ||
	    ((collective == COLL_BARRIER || plans[0].ncells) &&
	     leaves_early(w)))
		return false;
	for (int r = 0; r < w->n; r++)
		for (int b = BUF_SEND; b <= BUF_RECV; b++)
			if (memcmp(w->memory[r][b], m->memory[r][b],
				   sizeof(w->memory[r][b])))
				return false;
	return !memcmp(w->combined, m->combined, sizeof(w->combined));
}
