/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prove_race.c: no step writes what a step without an order to it uses.
 *
 * Memory is divided into places at every bound of a range that a step uses. In
 * the order of the plan, each use of a place must have an order to the last
 * write there, and a write to all reads since then: orders are transitive, so
 * these few pairs stand for all. Whether a pair has an order is read from sets
 * of predecessors, WINDOW possible predecessors at a time.
 * Cost: steps log steps for the places; steps * steps / 64 for the orders.
 */
#include "coll/prove/prove_state.h"

#include <stdlib.h>
#include <string.h>

/* ---- Pairs -------------------------------------------------------------- */

/* Returns the items with capacity for one more, or NULL, which leaves them. */
static void *prove_race_grow(void *items, size_t n, size_t *capacity,
			     size_t size)
{
	size_t more = *capacity ? 2 * *capacity : 64;

	if (n < *capacity)
		return items;
	items = realloc(items, more * size);
	if (items)
		*capacity = more;
	return items;
}

static void prove_race_need(struct visits *v, uint32_t earlier, uint32_t later)
{
	const struct pair *last = v->npairs ? &v->pairs[v->npairs - 1] : NULL;
	struct pair *pairs;

	if (earlier == later ||
	    (last && last->earlier == earlier && last->later == later))
		return;
	pairs = prove_race_grow(v->pairs, v->npairs, &v->pairs_capacity,
				sizeof(*pairs));
	v->no_mem |= !pairs;
	if (!pairs)
		return;
	v->pairs = pairs;
	pairs[v->npairs++] = (struct pair){earlier, later};
}

static void add_reader(struct visits *v, struct place *p, uint32_t step)
{
	struct reader *readers;

	if (p->readers && v->readers[p->readers - 1].step == step)
		return;
	readers = prove_race_grow(v->readers, v->nreaders, &v->readers_capacity,
				  sizeof(*readers));
	v->no_mem |= !readers;
	if (!readers)
		return;
	v->readers = readers;
	readers[v->nreaders++] = (struct reader){step, p->readers};
	p->readers = (uint32_t)v->nreaders;
}

void visits_add(struct visits *v, size_t place, uint32_t step, enum use use)
{
	struct place *p = &v->places[place];

	if (p->writer && (use == READS || !p->readers))
		prove_race_need(v, p->writer - 1, step);
	if (use == READS) {
		add_reader(v, p, step);
		return;
	}
	for (uint32_t i = p->readers; i; i = v->readers[i - 1].next)
		prove_race_need(v, v->readers[i - 1].step, step);
	p->writer = step + 1;
	p->readers = 0;
}

void visits_fini(struct visits *v)
{
	free(v->readers);
	free(v->pairs);
}

/* ---- Orders inside a plan ------------------------------------------------ */

/* Fills a row of bits for each step from `base` on: which of the steps base ..
 * base + WINDOW - 1 have finished when it has. */
static void fill_window(const struct plan *plan, uint64_t *rows, uint32_t base)
{
	for (uint32_t i = base; i < plan->nsteps; i++) {
		uint64_t *row = rows + (size_t)(i - base) * WINDOW_WORDS;

		memset(row, 0, WINDOW_WORDS * sizeof(*row));
		for (int a = 0; a < 2; a++) {
			const uint64_t *before;

			if (plan->steps[i].after[a] <= base)
				continue;
			before = rows +
				 (size_t)(plan->steps[i].after[a] - 1 - base) *
				     WINDOW_WORDS;
			for (int w = 0; w < WINDOW_WORDS; w++)
				row[w] |= before[w];
		}
		if (i - base < WINDOW)
			row[(i - base) / 64] |= 1ull << (i % 64);
	}
}

/* Returns the first of the pairs (of steps of the plan) without an order, or
 * NULL. */
static const struct pair *prove_race_unordered(const struct plan *plan,
					       uint64_t *rows,
					       const struct visits *v)
{
	for (uint32_t base = 0; base < plan->nsteps; base += WINDOW) {
		bool filled = false;

		for (size_t i = 0; i < v->npairs; i++) {
			uint32_t bit = v->pairs[i].earlier - base;
			const uint64_t *row;

			if (bit >= WINDOW)
				continue;
			if (!filled)
				fill_window(plan, rows, base);
			filled = true;
			row = rows +
			      (size_t)(v->pairs[i].later - base) * WINDOW_WORDS;
			if (!(row[bit / 64] >> (bit % 64) & 1))
				return &v->pairs[i];
		}
	}
	return NULL;
}

static uint64_t *rows_of(const struct plan *plan)
{
	return malloc(((size_t)plan->nsteps + 1) * WINDOW_WORDS *
		      sizeof(uint64_t));
}

bool prove_ordered(struct proof *p, uint32_t earlier, uint32_t later,
		   bool *ordered)
{
	const struct prove_rank *r = &p->ranks[p->rank_of[earlier]];
	struct pair pair = {earlier - r->first, later - r->first};
	struct visits v = {.pairs = &pair, .npairs = 1};
	uint64_t *rows = rows_of(&r->plan);

	if (!rows)
		return prove_wrong(p, NO_STEP, "no memory");
	*ordered = !prove_race_unordered(&r->plan, rows, &v);
	free(rows);
	return true;
}

/* ---- Places of a rank's memory ------------------------------------------- */

struct range {
	size_t lo, hi;
	uint32_t step; /* of the plan */
	enum use use;
};

struct ranges {
	struct range *item;
	size_t n;
	size_t *bound; /* sorted; place i lies between bounds i and i + 1 */
	size_t nbounds;
};

static int by_size(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

static void prove_race_collect(const struct proof *p,
			       const struct prove_rank *r, struct ranges *s)
{
	for (uint32_t i = 0; i < r->plan.nsteps; i++) {
		struct access a[ACCESSES];
		int n = prove_accesses(p, r->first + i, a);

		for (int j = 0; j < n; j++)
			if (!a[j].cells && !a[j].remote)
				s->item[s->n++] = (struct range){
				    a[j].at, a[j].at + a[j].count, i, a[j].use};
	}
	for (size_t i = 0; i < s->n; i++) {
		s->bound[2 * i] = s->item[i].lo;
		s->bound[2 * i + 1] = s->item[i].hi;
	}
	qsort(s->bound, 2 * s->n, sizeof(*s->bound), by_size);
	for (size_t i = 0; i < 2 * s->n; i++)
		if (!i || s->bound[i] != s->bound[s->nbounds - 1])
			s->bound[s->nbounds++] = s->bound[i];
}

static size_t place_of(const struct ranges *s, size_t at)
{
	size_t low = 0, high = s->nbounds;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (s->bound[middle] <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void visit_ranges(const struct ranges *s, struct visits *v)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct range *item = &s->item[i];

		for (size_t p = place_of(s, item->lo); s->bound[p] < item->hi;
		     p++)
			visits_add(v, p, item->step, item->use);
	}
}

static bool prove_race_races(struct proof *p, const struct prove_rank *r)
{
	size_t most = (size_t)r->plan.nsteps * ACCESSES + 1;
	struct ranges s = {malloc(most * sizeof(*s.item)), 0,
			   malloc(2 * most * sizeof(*s.bound)), 0};
	struct visits v = {.places = calloc(2 * most, sizeof(*v.places))};
	uint64_t *rows = rows_of(&r->plan);
	const struct pair *bad = NULL;

	v.no_mem = !s.item || !s.bound || !v.places || !rows;
	if (!v.no_mem) {
		prove_race_collect(p, r, &s);
		visit_ranges(&s, &v);
	}
	if (v.no_mem)
		prove_wrong(p, NO_STEP, "no memory");
	else if ((bad = prove_race_unordered(&r->plan, rows, &v)))
		prove_wrong(p, r->first + bad->later, "races step %u",
			    bad->earlier + 1);
	free(rows);
	free(v.places);
	free(s.bound);
	free(s.item);
	visits_fini(&v);
	return !*p->complaint;
}

bool prove_races(struct proof *p)
{
	for (int r = 0; r < p->n; r++)
		if (!prove_race_races(p, &p->ranks[r]))
			return false;
	return true;
}
