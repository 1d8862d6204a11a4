/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timed_cells.c: one-sided steps. Each word is a server of its own: operations
 * on it are done one after the other, in the order of arrival. An addition to
 * several words is one message for each. A compare-and-swap reads first, and is
 * assumed to succeed at the first attempt.
 */
#include <stdlib.h>

#include "tools/sim/timed.h"
#include "coll/plan/plan.h"

/* ---- Words, in a hash table with linear probing ---- */

static struct word *timed_cells_probe(struct word *words, size_t capacity,
				      uint64_t key)
{
	size_t at = (size_t)(key * 0x9e3779b97f4a7c15 >> 20) & (capacity - 1);

	while (words[at].key && words[at].key != key)
		at = (at + 1) & (capacity - 1);
	return &words[at];
}

static bool timed_cells_grow(struct timed *e)
{
	size_t capacity = e->words_capacity ? 2 * e->words_capacity : 1024;
	struct word *words = calloc(capacity, sizeof(*words));

	if (!words) {
		e->no_mem = true;
		return false;
	}
	for (size_t k = 0; k < e->words_capacity; k++)
		if (e->words[k].key)
			*timed_cells_probe(words, capacity, e->words[k].key) =
			    e->words[k];
	free(e->words);
	e->words = words;
	e->words_capacity = capacity;
	return true;
}

/* Returns a word, valid until the next call; NULL if out of memory. */
static struct word *word_of(struct timed *e, int rank, uint32_t number)
{
	uint64_t key = (uint64_t)rank * CELLS_MAX + number + 1;
	struct word *w;

	if (2 * e->nwords >= e->words_capacity && !timed_cells_grow(e))
		return NULL;
	w = timed_cells_probe(e->words, e->words_capacity, key);
	if (!w->key) {
		*w = (struct word){.key = key, .waiting = NIL};
		e->nwords++;
	}
	return w;
}

/* ---- Operations ---- */

void cells_issue(struct timed *e, struct rank_state *r, uint32_t step)
{
	const struct sim_step s = timed_step(e, r->rank, step);
	bool write = s.kind == STEP_WRITE, signal = s.kind == STEP_SIGNAL;
	size_t n = signal ? 1 : s.count;
	struct item item = {.at = r->cpu,
			    .kind = ITEM_ACT,
			    .step_kind = s.kind,
			    .from = r->rank,
			    .from_step = step,
			    .to_step = s.word};
	uint32_t i;

	item.to = sim_plans_peer(e->plans, r->rank, &s);
	item.bytes = write ? machine_bytes(e->m, &s) : n * sizeof(uint64_t);
	item.far = machine_node(e->m, item.from) != machine_node(e->m, item.to);
	item.range = timed_count(e, item.from, item.to,
				 write ? item.bytes : sizeof(uint64_t),
				 write ? 1 : (double)n);
	i = item_new(e, &item);
	if (i != NIL)
		net_send(e, i);
}

/* Occupies each word of the step; the last one determines its end. */
static void timed_cells_act(struct timed *e, struct item *i, int64_t service)
{
	size_t n = i->bytes / sizeof(uint64_t);
	int64_t apart = i->far ? range_gap(i->range, sizeof(uint64_t)) : 0;
	struct moment at = i->at, end = i->at;

	for (size_t k = 0; k < n; k++) {
		struct moment done = at;
		struct word *w = word_of(e, i->to, i->to_step + (uint32_t)k);

		if (!w)
			return;
		moment_queue(&done, w->free);
		moment_add(&done, SIM_LATENCY, service);
		w->free = done.t;
		end = *moment_later(&done, &end);
		moment_add(&at, SIM_BANDWIDTH, apart);
	}
	i->at = end;
}

void cells_arrive(struct timed *e, uint32_t n)
{
	struct item *i = &e->items[n];
	int64_t atomic = e->m->atomic[machine_level(e->m, i->from, i->to)];

	if (i->step_kind == STEP_COMPARE_SWAP) {
		moment_add(&i->at, SIM_LATENCY, 2 * i->range->L);
		timed_cells_act(e, i, 2 * atomic);
	} else if (i->step_kind != STEP_WRITE) {
		timed_cells_act(e, i, atomic);
	}
	i->kind = ITEM_EFFECT;
	event_add(e, n);
}

/* ---- Waiting ---- */

static void try_wait(struct timed *e, struct rank_state *r, struct word *w,
		     const struct moment *at)
{
	struct sim_step s;
	struct item item = {.at = *at, .kind = ITEM_WAIT, .from = r->rank};
	uint32_t i;

	if (w->waiting == NIL)
		return;
	s = timed_step(e, r->rank, w->waiting);
	if (w->came < s.count)
		return;
	w->came -= s.count;
	item.to = r->rank;
	item.to_step = w->waiting;
	w->waiting = NIL;
	i = item_new(e, &item);
	if (i != NIL)
		rank_come(e, r->rank, i);
}

void cells_await(struct timed *e, struct rank_state *r, uint32_t step,
		 const struct moment *at)
{
	struct word *w = word_of(e, r->rank, timed_step(e, r->rank, step).word);

	if (!w)
		return;
	w->waiting = step;
	try_wait(e, r, w, at);
}

void cells_effect(struct timed *e, uint32_t n)
{
	struct item *i = &e->items[n];
	struct moment at = i->at;
	struct rank_state *r = rank_of(e, i->to);
	struct word *w;

	if (i->step_kind == STEP_SIGNAL) {
		w = word_of(e, i->to, i->to_step);
		if (!w)
			return;
		w->came++;
		try_wait(e, r, w, &at);
	}
	net_notify(e, n, ITEM_ACK);
}
