/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prove_counters.c: the kinds of cells, and the waits on counters. A plan waits
 * for a counter once, for all its signals, so that the wait depends on each of
 * them.
 */
#include "coll/prove/prove_state.h"

/* A counter: its wait, as step + 1, and the number of its signals. */
struct cell {
	uint32_t wait, signals;
};

size_t prove_cell(const struct proof *p, uint32_t step, const struct access *a)
{
	int rank = a->remote ? p->step[step]->peer : p->rank_of[step];

	return (size_t)rank * p->ncells + a->at;
}

static enum cell_kind kind_for(enum step_kind kind)
{
	switch (kind) {
	case STEP_SIGNAL:
	case STEP_WAIT_MEMORY:
		return CELL_COUNTER;
	case STEP_FETCH_ADD:
	case STEP_COMPARE_SWAP:
	case STEP_TAKE:
		return CELL_ACCUMULATOR;
	default:
		return CELL_BUFFER;
	}
}

static enum cell_kind kind_of(size_t cell)
{
	return cell < CELLS_COUNTERS			    ? CELL_COUNTER
	       : cell < CELLS_COUNTERS + CELLS_ACCUMULATORS ? CELL_ACCUMULATOR
							    : CELL_BUFFER;
}

static bool prove_kind(struct proof *p, uint32_t step)
{
	enum cell_kind kind = kind_for(p->step[step]->kind);
	struct access a[ACCESSES];
	int n = prove_accesses(p, step, a);

	for (int i = 0; i < n; i++)
		if (a[i].cells && (kind_of(a[i].at) != kind ||
				   kind_of(a[i].at + a[i].count - 1) != kind))
			return prove_wrong(p, step,
					   "uses cell %zu for what it is not",
					   a[i].at);
	return true;
}

static bool note_wait(struct proof *p, struct cell *c, uint32_t step)
{
	if (c->wait)
		return prove_wrong(p, step, "waits for a counter again");
	c->wait = step + 1;
	return true;
}

static bool note_signal(struct proof *p, struct cell *c, uint32_t step)
{
	if (!c->wait)
		return prove_wrong(p, step, "nobody waits for this signal");
	p->partner[step] = c->wait - 1;
	c->signals++;
	return true;
}

static bool enough_signals(struct proof *p, struct cell *c, uint32_t step)
{
	return c->signals == p->step[step]->count ||
	       prove_wrong(p, step, "waits for %zu signals of %u",
			   p->step[step]->count, c->signals);
}

/* Calls f for each step of a kind, with the counter that it uses. */
static bool each_step(struct proof *p, struct cell *cells, enum step_kind kind,
		      bool (*f)(struct proof *, struct cell *, uint32_t))
{
	struct access a[ACCESSES];

	for (uint32_t i = 0; i < p->nsteps; i++) {
		if (p->step[i]->kind != kind)
			continue;
		prove_accesses(p, i, a);
		if (!f(p, &cells[prove_cell(p, i, &a[0])], i))
			return false;
	}
	return true;
}

bool prove_counters(struct proof *p)
{
	struct cell *cells;

	if (!p->ncells)
		return true;
	for (uint32_t i = 0; i < p->nsteps; i++)
		if (!prove_kind(p, i))
			return false;
	cells = prove_alloc(p, (size_t)p->n * p->ncells, sizeof(*cells));
	return cells && each_step(p, cells, STEP_WAIT_MEMORY, note_wait) &&
	       each_step(p, cells, STEP_SIGNAL, note_signal) &&
	       each_step(p, cells, STEP_WAIT_MEMORY, enough_signals);
}
