/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prove_cells.c: the orders of one-sided steps, and what each step knows to
 * have happened.
 *
 * Across ranks only these orders hold: a receive finishes after all that its
 * send waited for, a wait after its signals and all that they waited for, and a
 * load reads after its post.
 * (That a send has finished tells nothing about the receiver: it may have been
 * buffered.)
 *
 * Additions to an accumulator may happen in any order, and a take must be
 * ordered with each of them; buffer cells and boards are written once at a
 * time, ordered with their reads.
 */
#include "coll/prove/prove_state.h"

#include <string.h>

/* ---- Who knows what ----------------------------------------------------- */

/* A row of bits for each step: what has happened when the step has finished. A
 * bit stands for a rank that has begun, or for a step of a window that has
 * finished. */
struct known {
	const struct proof *p;
	uint64_t *rows;
	size_t words;
	bool ranks;
	const uint32_t *place; /* [nsteps] position in the order */
	uint32_t base;	       /* the window's first position */
};

static uint64_t *prove_cells_row(const struct known *w, uint32_t step)
{
	return w->rows + step * w->words;
}

static void prove_cells_learn(const struct known *w, uint64_t *row,
			      const uint64_t *more)
{
	for (size_t i = 0; i < w->words; i++)
		row[i] |= more[i];
}

static void set_bit(const struct known *w, uint64_t *row, uint32_t bit)
{
	if (bit < 64 * w->words)
		row[bit / 64] |= 1ull << (bit % 64);
}

/* Adds what has happened when a step starts. */
static void at_start(const struct known *w, uint32_t step, uint64_t *to)
{
	const struct proof *p = w->p;
	int rank = p->rank_of[step];
	const uint32_t *after = p->step[step]->after;

	for (int a = 0; a < 2; a++)
		if (after[a])
			prove_cells_learn(
			    w, to,
			    prove_cells_row(w, p->ranks[rank].first + after[a] -
						   1));
	if (step_is_load(p->step[step]->kind))
		prove_cells_learn(w, to, prove_cells_row(w, p->partner[step]));
	if (w->ranks)
		set_bit(w, to, (uint32_t)rank);
}

static void prove_cells_finish(const struct known *w, uint32_t step)
{
	const struct proof *p = w->p;

	at_start(w, step, prove_cells_row(w, step));
	if (!w->ranks)
		set_bit(w, prove_cells_row(w, step), w->place[step] - w->base);
	if (p->step[step]->kind == STEP_SIGNAL)
		prove_cells_learn(w, prove_cells_row(w, p->partner[step]),
				  prove_cells_row(w, step));
}

static void prove_cells_fill(const struct known *w)
{
	const struct proof *p = w->p;

	memset(w->rows, 0, p->nsteps * w->words * sizeof(*w->rows));
	for (uint32_t i = 0; i < p->norder; i++) {
		uint32_t step = p->order[i];

		if (step_is_message(p->step[step]->kind)) {
			prove_cells_finish(w, p->partner[step]);
			at_start(w, p->partner[step], prove_cells_row(w, step));
		}
		prove_cells_finish(w, step);
	}
}

/* ---- Orders of uses of cells -------------------------------------------- */

/* Tells whether the earlier step of the pair has finished when the later
 * starts. */
static bool known_before(const struct known *w, const struct pair *pair)
{
	uint32_t bit = w->place[pair->earlier] - w->base;
	uint64_t start[WINDOW_WORDS] = {0};

	if (bit >= WINDOW)
		return true; /* it belongs to another window */
	at_start(w, pair->later, start);
	return start[bit / 64] >> (bit % 64) & 1;
}

static bool prove_pairs(const struct known *w, const struct visits *v,
			const struct pair **bad)
{
	bool any = false;

	for (size_t i = 0; i < v->npairs && !any; i++)
		any = w->place[v->pairs[i].earlier] - w->base < WINDOW;
	if (any)
		prove_cells_fill(w);
	for (size_t i = 0; i < v->npairs && any; i++)
		if (!known_before(w, &v->pairs[i])) {
			*bad = &v->pairs[i];
			return false;
		}
	return true;
}

/* Returns how a step uses cells; additions do not exclude each other. */
static enum use prove_cells_exclusive(const struct proof *p, uint32_t step,
				      const struct access *a)
{
	switch (p->step[step]->kind) {
	case STEP_FETCH_ADD:
	case STEP_COMPARE_SWAP:
		return READS;
	default:
		return a->use;
	}
}

/* Returns the first place of an access among those that several ranks use: all
 * cells, then all boards. NO_PLACE: it is the rank's own memory. */
enum { NO_PLACE = SIZE_MAX };
static size_t shared_place(const struct proof *p, uint32_t step,
			   const struct access *a)
{
	int owner = a->remote ? p->step[step]->peer : p->rank_of[step];
	const struct prove_rank *r = &p->ranks[owner];
	size_t board = r->base[BUF_BOARD];

	if (a->cells)
		return prove_cell(p, step, a);
	if (a->at < board || a->at >= board + r->len[BUF_BOARD])
		return NO_PLACE;
	return (size_t)p->n * p->ncells + r->board + a->at - board;
}

static void prove_cells_visit(const struct proof *p, struct visits *v,
			      uint32_t step)
{
	uint8_t kind = p->step[step]->kind;
	struct access a[ACCESSES];
	int n = prove_accesses(p, step, a);

	if (kind == STEP_SIGNAL || kind == STEP_WAIT_MEMORY)
		return; /* these may happen in any order */
	for (int i = 0; i < n; i++) {
		size_t first = shared_place(p, step, &a[i]);

		for (size_t w = 0; first != NO_PLACE && w < a[i].count; w++)
			visits_add(v, first + w, step,
				   prove_cells_exclusive(p, step, &a[i]));
	}
}

/* Sets place[], and visits the cells in that order. */
static void visit_all(const struct proof *p, struct visits *v, uint32_t *place)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->norder; i++) {
		uint32_t step = p->order[i];

		if (step_is_message(p->step[step]->kind)) {
			prove_cells_visit(p, v, p->partner[step]);
			place[p->partner[step]] = n++;
		}
		prove_cells_visit(p, v, step);
		place[step] = n++;
	}
}

static bool prove_cells_orders(struct proof *p, struct known *w,
			       struct visits *v, uint32_t *place)
{
	const struct pair *bad = NULL;

	visit_all(p, v, place);
	if (v->no_mem)
		return prove_wrong(p, NO_STEP, "no memory");
	for (w->base = 0; w->base < p->nsteps; w->base += WINDOW)
		if (!prove_pairs(w, v, &bad))
			return prove_wrong(
			    p, bad->later,
			    "on shared memory, no order with rank %d step %u",
			    p->rank_of[bad->earlier],
			    bad->earlier + 1 -
				p->ranks[p->rank_of[bad->earlier]].first);
	return true;
}

bool prove_cells(struct proof *p)
{
	uint32_t *place = prove_alloc(p, p->nsteps, sizeof(*place));
	size_t places = (size_t)p->n * p->ncells + p->nboard;
	size_t words = places ? (size_t)p->nsteps * WINDOW_WORDS : 0;
	struct visits v = {.places = prove_alloc(p, places, sizeof(*v.places))};
	struct known w = {.p = p,
			  .rows = prove_alloc(p, words, sizeof(*w.rows)),
			  .words = WINDOW_WORDS,
			  .place = place};
	bool good;

	if (!place || !v.places || !w.rows)
		return false;
	good = !places || prove_cells_orders(p, &w, &v, place);
	visits_fini(&v);
	return good;
}

/* ---- Barriers ----------------------------------------------------------- */

static bool all_begun(struct proof *p, const struct known *w, int rank)
{
	const struct prove_rank *r = &p->ranks[rank];
	uint64_t *all = prove_alloc(p, w->words, sizeof(*all));

	if (!all)
		return false;
	set_bit(w, all, (uint32_t)rank);
	for (uint32_t i = 0; i < r->plan.nsteps; i++)
		prove_cells_learn(w, all, prove_cells_row(w, r->first + i));
	for (int other = 0; other < p->n; other++)
		if (!(all[other / 64] >> (other % 64) & 1))
			return prove_wrong(
			    p, NO_STEP,
			    "rank %d leaves before rank %d has begun", rank,
			    other);
	return true;
}

bool prove_begun(struct proof *p)
{
	struct known w = {.p = p, .ranks = true};

	if (p->c->collective != COLL_BARRIER && !p->ncells)
		return true;
	w.words = (size_t)(p->n + 63) / 64;
	w.rows = prove_alloc(p, p->nsteps * w.words, sizeof(*w.rows));
	if (!w.rows)
		return false;
	prove_cells_fill(&w);
	for (int r = 0; r < p->n; r++)
		if (!all_begun(p, &w, r))
			return false;
	return true;
}
