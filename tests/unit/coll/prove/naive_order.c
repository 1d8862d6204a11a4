/* SPDX-License-Identifier: Apache-2.0 */
/* naive_order.c: what steps use, and in which order they can happen. */
#include "tests/unit/coll/prove/naive_world.h"

#include <string.h>

/* ---- What steps use ----------------------------------------------------- */

int world_home(const struct world *w, int rank, int buf)
{
	return buf == BUF_SEND && w->shapes[rank].in_place ? BUF_RECV : buf;
}

size_t world_where(const struct world *w, int rank, int buf, size_t at)
{
	if (world_home(w, rank, buf) == buf)
		return at + MIDDLE;
	return at + MIDDLE +
	       (size_t)shape_offset(w->collective, &w->shapes[rank], rank);
}

struct element *world_place(struct world *w, int rank, int buf, size_t at)
{
	return &w->memory[rank][world_home(w, rank, buf)]
			 [world_where(w, rank, buf, at)];
}

struct ref world_posted(const struct world *w, int i)
{
	const struct step *s = w->item[i].s;

	return ref(BUF_BOARD,
		   w->item[w->item[i].partner].s->src.at + s->src.at);
}

int world_uses(struct world *w, int i, struct use out[3])
{
	const struct step *s = w->item[i].s;
	int me = w->item[i].rank, n = 0;
	bool to_peer = step_has_peer(s->kind) && !step_is_message(s->kind) &&
		       !step_is_load(s->kind);
	bool combines =
	    s->kind == STEP_FETCH_ADD || s->kind == STEP_COMPARE_SWAP;
	bool to_itself = s->kind == STEP_COPY &&
			 world_place(w, me, s->src.buf, s->src.at) ==
			     world_place(w, me, s->dst.buf, s->dst.at);

	if (s->kind == STEP_SIGNAL || s->kind == STEP_WAIT_MEMORY || !s->count)
		return 0;
	if (step_is_load(s->kind))
		out[n++] =
		    (struct use){s->peer,  BUF_BOARD, world_posted(w, i).at,
				 s->count, false,     false};
	else if (s->kind != STEP_RECV)
		out[n++] = (struct use){me,
					s->src.buf,
					s->src.at,
					s->count,
					s->kind == STEP_RECV_REDUCE ||
					    s->kind == STEP_TAKE,
					false};
	if (step_reduces(s->kind))
		out[n++] = (struct use){me,	  s->with.buf, s->with.at,
					s->count, false,       false};
	if (s->kind != STEP_SEND && s->kind != STEP_POST)
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
	struct element *a = world_place(w, x->rank, x->buf, x->at);
	struct element *b = world_place(w, y->rank, y->buf, y->at);

	return x->rank == y->rank && (x->write || y->write) &&
	       !(x->add && y->add) && a < b + y->count && b < a + x->count;
}

/* ---- What can happen ---------------------------------------------------- */

/* local: loads wait for no post, as if other ranks had done all. */
static bool may_start(const struct world *w, const bool *done, int i,
		      bool local)
{
	const struct item *it = &w->item[i];

	if (step_is_load(it->s->kind) && !local && !done[it->partner])
		return false;
	for (int a = 0; a < 2; a++)
		if (it->s->after[a] &&
		    !done[it->first + (int)it->s->after[a] - 1])
			return false;
	return true;
}

size_t world_signals(const struct world *w, const bool *done, int rank,
		     size_t counter)
{
	size_t n = 0;

	for (int i = 0; i < w->nitems; i++)
		n += (!done || done[i]) && w->item[i].s->kind == STEP_SIGNAL &&
		     w->item[i].s->peer == rank &&
		     w->item[i].s->dst.at == counter;
	return n;
}

bool world_may_finish(const struct world *w, const bool *done, int i,
		      struct limits l)
{
	const struct item *it = &w->item[i];
	int from = it->partner;

	if (it->rank == l.rank || i == l.step ||
	    !may_start(w, done, i, l.only >= 0))
		return false;
	if (l.only >= 0)
		return it->rank == l.only;
	if (it->s->kind == STEP_RECV || it->s->kind == STEP_RECV_REDUCE)
		return w->item[from].rank != l.rank &&
		       may_start(w, done, from, false);
	return it->s->kind != STEP_WAIT_MEMORY ||
	       world_signals(w, done, it->rank, it->s->dst.at) >= it->s->count;
}

static void happen(const struct world *w, struct limits l, bool *done)
{
	bool more = true;

	memset(done, 0, STEPS);
	while (more) {
		more = false;
		for (int i = 0; i < w->nitems; i++)
			if (!done[i] && world_may_finish(w, done, i, l))
				done[i] = more = true;
	}
}

static bool before(const struct world *w, int x, int y, bool local)
{
	struct limits l = {-1, x, local ? w->item[x].rank : -1};
	bool done[STEPS];

	happen(w, l, done);
	return !may_start(w, done, y, local);
}

static bool shared(int buf)
{
	return buf == BUF_CELLS || buf == BUF_BOARD;
}

static bool race(struct world *w, int x, int y)
{
	struct use a[3], b[3];
	int na = world_uses(w, x, a), nb = world_uses(w, y, b);

	for (int i = 0; i < na; i++)
		for (int k = 0; k < nb; k++) {
			bool local = !shared(a[i].buf);

			if (local == !shared(b[k].buf) &&
			    clash(w, &a[i], &b[k]) && !before(w, x, y, local) &&
			    !before(w, y, x, local))
				return true;
		}
	return false;
}

bool world_races(struct world *w)
{
	for (int x = 0; x < w->nitems; x++)
		for (int y = 0; y < x; y++)
			if (race(w, x, y))
				return true;
	return false;
}

bool world_leaves_early(const struct world *w)
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
