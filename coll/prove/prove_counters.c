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

static bool prove_kind(struct proof *p, struct cell *cells, uint32_t step)
{
	enum cell_kind kind = kind_for(p->step[step]->kind);
	struct access a[ACCESSES];
	int n = prove_accesses(p, step, a);

	(void)cells;
	for (int i = 0; i < n; i++)
		if (a[i].cells && (kind_of(a[i].at) != kind ||
				   kind_of(a[i].at + a[i].count - 1) != kind))
			return prove_wrong(p, step,
					   "uses cell %zu for what it is not",
					   a[i].at);
	return true;
}

static struct cell *counter(const struct proof *p, struct cell *cells,
			    uint32_t step)
{
	struct access a[ACCESSES];

	prove_accesses(p, step, a);
	return &cells[prove_cell(p, step, &a[0])];
}

static bool note_wait(struct proof *p, struct cell *cells, uint32_t step)
{
	struct cell *c;

	if (p->step[step]->kind != STEP_WAIT_MEMORY)
		return true;
	c = counter(p, cells, step);
	if (c->wait)
		return prove_wrong(p, step, "waits for a counter again");
	c->wait = step + 1;
	return true;
}

static bool note_signal(struct proof *p, struct cell *cells, uint32_t step)
{
	struct cell *c;

	if (p->step[step]->kind != STEP_SIGNAL)
		return true;
	c = counter(p, cells, step);
	if (!c->wait)
		return prove_wrong(p, step, "nobody waits for this signal");
	p->partner[step] = c->wait - 1;
	c->signals++;
	return true;
}

static bool enough_signals(struct proof *p, struct cell *cells, uint32_t step)
{
	struct cell *c;

	if (p->step[step]->kind != STEP_WAIT_MEMORY)
		return true;
	c = counter(p, cells, step);
	return c->signals == p->step[step]->count ||
	       prove_wrong(p, step, "waits for %zu signals of %u",
			   p->step[step]->count, c->signals);
}

static bool each_step(struct proof *p, struct cell *cells,
		      bool (*f)(struct proof *, struct cell *, uint32_t))
{
	for (uint32_t i = 0; i < p->nsteps; i++)
		if (!f(p, cells, i))
			return false;
	return true;
}

bool prove_counters(struct proof *p)
{
	struct cell *cells;

	if (!p->ncells)
		return true;
	cells = prove_alloc(p, (size_t)p->n * p->ncells, sizeof(*cells));
	return cells && each_step(p, cells, prove_kind) &&
	       each_step(p, cells, note_wait) &&
	       each_step(p, cells, note_signal) &&
	       each_step(p, cells, enough_signals);
}
