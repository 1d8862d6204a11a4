/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model.c: an element is an affine map x -> a x + b over 64-bit integers,
 * composed when the operation is not commutative and added otherwise; a wrong,
 * missing, doubled or misplaced contribution gives another element. A barrier
 * carries the set of ranks known to have entered.
 */
#include "tests/unit/coll/model.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct element {
	uint64_t a, b;
};

struct rank_state {
	struct plan plan;
	struct shape shape;
	struct element *buf[BUFS];
	size_t len[BUFS];
	bool *done, *posted;
	uint64_t *news;	      /* per step: ranks known to have entered */
	struct element **held; /* per posted send: what it had then */
	uint32_t left;
};

struct world {
	const struct model_case *c;
	struct rank_state *ranks;
	unsigned random;
};

static char complaint[256];

static const char *__attribute__((format(printf, 2, 3)))
wrong(const struct world *w, const char *format, ...)
{
	const struct shape *s = &w->c->shape;
	va_list args;
	int n = snprintf(complaint, sizeof(complaint),
			 "%s/%s size %d root %d count %zu%s seed %u: ",
			 coll_tables[w->c->collective].name,
			 w->c->algorithm->name, s->size, s->root, s->count,
			 s->commutative ? "" : " in order", w->c->seed);

	va_start(args, format);
	vsnprintf(complaint + n, sizeof(complaint) - (size_t)n, format, args);
	va_end(args);
	return complaint;
}

static unsigned draw(struct world *w)
{
	w->random = w->random * 1664525u + 1013904223u;
	return w->random >> 8;
}

static struct element input(int rank, size_t i)
{
	uint64_t x = (uint64_t)(rank + 1) * 0x9e3779b97f4a7c15u + i * 977;

	return (struct element){x | 1, x ^ (x >> 29)};
}

static struct element combine(const struct shape *s, struct element l,
			      struct element r)
{
	if (s->commutative)
		return (struct element){l.a + r.a, l.b + r.b};
	return (struct element){l.a * r.a, l.a * r.b + l.b};
}

static const struct element garbage = {0xdeadu, 0xbeefu};

/* ---- A plan by itself --------------------------------------------------- */

static bool sends(const struct step *s)
{
	return s->kind == STEP_SEND;
}

static bool receives(const struct step *s)
{
	return s->kind == STEP_RECV || s->kind == STEP_RECV_REDUCE;
}

struct access {
	struct ref ref;
	bool write;
};

static int accesses(const struct step *s, struct access out[4])
{
	int n = 0;

	if (s->kind != STEP_RECV)
		out[n++] = (struct access){s->src,
					   s->kind == STEP_RECV_REDUCE};
	if (s->kind == STEP_RECV_REDUCE || s->kind == STEP_REDUCE)
		out[n++] = (struct access){s->with, false};
	if (s->kind != STEP_SEND)
		out[n++] = (struct access){s->dst, true};
	return n;
}

/* SEND and RECV are one buffer when in place. */
static int place(const struct rank_state *r, struct ref x)
{
	return r->shape.in_place && x.buf == BUF_SEND ? BUF_RECV : x.buf;
}

static bool clash(const struct rank_state *r, const struct step *s,
		  const struct step *t)
{
	struct access a[4], b[4];
	int na = accesses(s, a), nb = accesses(t, b);

	if (!s->count || !t->count)
		return false;
	for (int i = 0; i < na; i++)
		for (int k = 0; k < nb; k++)
			if ((a[i].write || b[k].write) &&
			    place(r, a[i].ref) == place(r, b[k].ref) &&
			    a[i].ref.at < b[k].ref.at + t->count &&
			    b[k].ref.at < a[i].ref.at + s->count)
				return true;
	return false;
}

static const char *check_step(const struct world *w, int rank, uint32_t i)
{
	const struct rank_state *r = &w->ranks[rank];
	const struct step *s = &r->plan.steps[i];
	struct access a[4];
	int n = accesses(s, a);

	for (int k = 0; k < 2; k++)
		if (s->after[k] > i)
			return wrong(w, "rank %d step %u comes after itself",
				     rank, i);
	for (int k = 0; k < n; k++)
		if (s->count && a[k].ref.at + s->count > r->len[a[k].ref.buf])
			return wrong(w, "rank %d step %u out of buffer %d",
				     rank, i, a[k].ref.buf);
	if ((sends(s) || receives(s)) &&
	    (s->peer < 0 || s->peer >= w->c->shape.size || s->peer == rank))
		return wrong(w, "rank %d step %u has peer %d", rank, i,
			     s->peer);
	if (r->len[BUF_SEND] && n && a[n - 1].write && s->count &&
	    a[n - 1].ref.buf == BUF_SEND)
		return wrong(w, "rank %d step %u writes SEND", rank, i);
	return NULL;
}

/* before[i] is the set of steps that have finished when step i starts. */
static const char *check_order(const struct world *w, int rank)
{
	const struct rank_state *r = &w->ranks[rank];
	uint32_t n = r->plan.nsteps, words = n / 64 + 1;
	uint64_t *before = calloc((size_t)n * words + 1, sizeof(*before));
	const char *bad = NULL;

	for (uint32_t i = 0; i < n && !bad; i++) {
		const struct step *s = &r->plan.steps[i];
		uint64_t *mine = before + (size_t)i * words;

		bad = check_step(w, rank, i);
		for (int k = 0; k < 2 && !bad; k++) {
			uint32_t p = s->after[k] - 1;

			if (!s->after[k])
				continue;
			for (uint32_t x = 0; x < words; x++)
				mine[x] |= before[(size_t)p * words + x];
			mine[p / 64] |= 1ull << (p % 64);
		}
		for (uint32_t j = 0; j < i && !bad; j++) {
			const struct step *t = &r->plan.steps[j];

			if (mine[j / 64] >> (j % 64) & 1)
				continue;
			if (clash(r, s, t))
				bad = wrong(w, "rank %d steps %u and %u race",
					    rank, j, i);
			else if (sends(s) == sends(t) &&
				 receives(s) == receives(t) &&
				 (sends(s) || receives(s)) &&
				 s->peer == t->peer && s->tag == t->tag)
				bad = wrong(w, "rank %d steps %u, %u: one tag",
					    rank, j, i);
		}
	}
	free(before);
	return bad;
}

/* ---- Running ------------------------------------------------------------ */

static struct element *at(const struct rank_state *r, struct ref x)
{
	return r->buf[place(r, x)] + x.at;
}

static bool ready(const struct rank_state *r, uint32_t i)
{
	const struct step *s = &r->plan.steps[i];

	return (!s->after[0] || r->done[s->after[0] - 1]) &&
	       (!s->after[1] || r->done[s->after[1] - 1]);
}

static void reduce(const struct rank_state *r, const struct step *s)
{
	struct element *src = at(r, s->src), *with = at(r, s->with);
	struct element *dst = at(r, s->dst);

	for (size_t i = 0; i < s->count; i++)
		dst[i] = s->flip ? combine(&r->shape, with[i], src[i])
				 : combine(&r->shape, src[i], with[i]);
}

static void finish(struct rank_state *r, uint32_t i, uint64_t news)
{
	const struct step *s = &r->plan.steps[i];

	if (s->kind == STEP_REDUCE || s->kind == STEP_RECV_REDUCE)
		reduce(r, s);
	if (s->kind == STEP_COPY && s->count)
		memmove(at(r, s->dst), at(r, s->src),
			s->count * sizeof(struct element));
	r->news[i] |= news;
	r->done[i] = true;
	r->left--;
}

/* The memory of a posted step is the transport's: it may read or write it at
 * any moment until the end. */
static void post(struct rank_state *r, int rank, uint32_t i)
{
	const struct step *s = &r->plan.steps[i];
	struct element *dst;

	r->posted[i] = true;
	r->news[i] = 1ull << rank;
	for (int k = 0; k < 2; k++)
		if (s->after[k])
			r->news[i] |= r->news[s->after[k] - 1];
	if (sends(s)) {
		r->held[i] = malloc(s->count * sizeof(**r->held) + 1);
		memcpy(r->held[i], at(r, s->src),
		       s->count * sizeof(**r->held));
	} else if (receives(s)) {
		dst = at(r, s->kind == STEP_RECV ? s->dst : s->src);
		for (size_t k = 0; k < s->count; k++)
			dst[k] = garbage;
	} else {
		finish(r, i, 0);
	}
}

/* The posted receive that matches a posted send, or -1. */
static int64_t match(const struct world *w, int from, const struct step *s)
{
	const struct rank_state *r = &w->ranks[s->peer];

	for (uint32_t i = 0; i < r->plan.nsteps; i++) {
		const struct step *t = &r->plan.steps[i];

		if (r->posted[i] && !r->done[i] && receives(t) &&
		    t->peer == from && t->tag == s->tag)
			return i;
	}
	return -1;
}

/* Returns 1 if the send has met its receive. */
static int transfer(struct world *w, int from, uint32_t i, const char **bad)
{
	struct rank_state *r = &w->ranks[from];
	const struct step *s = &r->plan.steps[i], *t;
	struct rank_state *q = &w->ranks[s->peer];
	int64_t k = match(w, from, s);

	if (k < 0)
		return 0;
	t = &q->plan.steps[k];
	if (s->count != t->count)
		*bad = wrong(w, "rank %d step %u sends %zu, %zu expected", from,
			     i, s->count, t->count);
	else if (memcmp(r->held[i], at(r, s->src),
			s->count * sizeof(struct element)))
		*bad = wrong(w, "rank %d step %u: changed under way", from, i);
	else
		memcpy(at(q, t->kind == STEP_RECV ? t->dst : t->src),
		       r->held[i], s->count * sizeof(struct element));
	finish(r, i, 0);
	finish(q, (uint32_t)k, r->news[i]);
	return 1;
}

/* One pass over a rank's steps, each taken with an even chance. */
static int advance(struct world *w, int rank, bool all, const char **bad)
{
	struct rank_state *r = &w->ranks[rank];
	int moved = 0;

	for (uint32_t i = 0; i < r->plan.nsteps && !*bad; i++) {
		if (r->done[i] || (!all && draw(w) % 2))
			continue;
		if (!r->posted[i] && ready(r, i)) {
			post(r, rank, i);
			moved++;
		} else if (r->posted[i] && sends(&r->plan.steps[i])) {
			moved += transfer(w, rank, i, bad);
		}
	}
	return moved;
}

static const char *run(struct world *w)
{
	const char *bad = NULL;
	int n = w->c->shape.size, moved = 1;
	bool all = false;

	while (!bad && (moved || !all)) {
		/* nothing moved by chance: give everybody a turn */
		all = !moved;
		moved = 0;
		for (int r = 0; r < n && !bad; r++)
			moved += advance(w, (int)(draw(w) % (unsigned)n), all,
					 &bad);
		for (int r = 0; r < n && all && !bad; r++)
			moved += advance(w, r, true, &bad);
	}
	for (int r = 0; r < n && !bad; r++)
		if (w->ranks[r].left)
			bad = wrong(w, "deadlock: rank %d has %u steps left",
				    r, w->ranks[r].left);
	return bad;
}

/* ---- Results ------------------------------------------------------------ */

static struct element expected(const struct shape *s, enum collective c,
			       size_t i)
{
	struct element x = input(c == COLL_BCAST ? s->root : 0, i);

	if (c == COLL_BCAST)
		return x;
	for (int r = 1; r < s->size; r++)
		x = combine(s, x, input(r, i));
	return x;
}

static bool has_result(const struct world *w, int rank)
{
	return w->c->collective == COLL_BCAST ||
	       w->c->collective == COLL_ALLREDUCE ||
	       (w->c->collective == COLL_REDUCE && rank == w->c->shape.root);
}

static const char *check_entered(const struct world *w, int rank)
{
	const struct rank_state *r = &w->ranks[rank];
	uint64_t all = ~0ull >> (64 - w->c->shape.size), news = 1ull << rank;

	for (uint32_t i = 0; i < r->plan.nsteps; i++)
		news |= r->news[i];
	return news == all ? NULL : wrong(w, "rank %d leaves early", rank);
}

static const char *check_result(const struct world *w, int rank)
{
	const struct rank_state *r = &w->ranks[rank];
	const struct shape *s = &w->c->shape;

	if (w->c->collective == COLL_BARRIER)
		return check_entered(w, rank);
	for (size_t i = 0; i < s->count && has_result(w, rank); i++) {
		struct element x = expected(s, w->c->collective, i);

		if (memcmp(&r->buf[BUF_RECV][i], &x, sizeof(x)))
			return wrong(w, "rank %d element %zu", rank, i);
	}
	for (size_t i = 0; i < r->len[BUF_SEND] && !r->shape.in_place; i++) {
		struct element x = input(rank, i);

		if (memcmp(&r->buf[BUF_SEND][i], &x, sizeof(x)))
			return wrong(w, "rank %d: SEND changed", rank);
	}
	return NULL;
}

/* ---- Set-up ------------------------------------------------------------- */

static bool open_rank(struct world *w, int rank)
{
	struct rank_state *r = &w->ranks[rank];
	enum collective c = w->c->collective;
	bool reduces = c == COLL_REDUCE || c == COLL_ALLREDUCE;
	size_t n;

	r->shape = w->c->shape;
	r->shape.in_place = reduces && has_result(w, rank) && draw(w) % 2;
	if (plan_build(w->c->algorithm, &r->shape, rank, &r->plan))
		return false;
	r->len[BUF_SEND] = reduces ? r->shape.count : 0;
	r->len[BUF_RECV] = has_result(w, rank) ? r->shape.count : 0;
	for (int k = 0; k < r->plan.ntmp; k++)
		r->len[BUF_TMP + k] = r->plan.tmp[k];
	for (int b = 0; b < BUFS; b++) {
		r->buf[b] = malloc(r->len[b] * sizeof(struct element) + 1);
		for (size_t i = 0; i < r->len[b]; i++)
			r->buf[b][i] = b == BUF_SEND ? input(rank, i) : garbage;
	}
	n = r->len[BUF_RECV];
	for (size_t i = 0; i < n; i++)
		if (r->shape.in_place ||
		    (c == COLL_BCAST && rank == r->shape.root))
			r->buf[BUF_RECV][i] = input(rank, i);
	r->left = r->plan.nsteps;
	r->done = calloc(r->left + 1, sizeof(*r->done));
	r->posted = calloc(r->left + 1, sizeof(*r->posted));
	r->news = calloc(r->left + 1, sizeof(*r->news));
	r->held = calloc(r->left + 1, sizeof(*r->held));
	return true;
}

static void close_rank(struct rank_state *r)
{
	for (uint32_t i = 0; r->held && i < r->plan.nsteps; i++)
		free(r->held[i]);
	for (int b = 0; b < BUFS; b++)
		free(r->buf[b]);
	free(r->held);
	free(r->news);
	free(r->posted);
	free(r->done);
	plan_fini(&r->plan);
}

const char *model_run(const struct model_case *c)
{
	int n = c->shape.size;
	struct world w = {c, calloc((size_t)n, sizeof(*w.ranks)), c->seed};
	const char *bad = NULL;

	for (int r = 0; r < n && !bad; r++)
		if (!open_rank(&w, r))
			bad = wrong(&w, "rank %d: no plan", r);
	for (int r = 0; r < n && !bad; r++)
		bad = check_order(&w, r);
	if (!bad)
		bad = run(&w);
	for (int r = 0; r < n && !bad; r++)
		bad = check_result(&w, r);
	for (int r = 0; r < n; r++)
		close_rank(&w.ranks[r]);
	free(w.ranks);
	return bad;
}
