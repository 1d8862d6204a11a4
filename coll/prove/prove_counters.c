/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prove_counters.c: what each cell is for, and the waits on counters. A counter
 * is waited for once in a plan, for all its signals, so that a wait depends on
 * each of them.
 */
#include "coll/prove/prove_state.h"

/* A counter. */
struct cell {
	uint32_t wait, signals; /* step + 1; how many */
};

size_t prove_cell(const struct proof *k, uint32_t step, const struct access *a)
{
	int rank = a->remote ? k->step[step]->peer : k->rank_of[step];

	return (size_t)rank * k->ncells + a->at;
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
		return CELL_ROOM;
	}
}

static enum cell_kind kind_of(size_t cell)
{
	return cell < CELLS_COUNTERS			    ? CELL_COUNTER
	       : cell < CELLS_COUNTERS + CELLS_ACCUMULATORS ? CELL_ACCUMULATOR
							    : CELL_ROOM;
}

static bool prove_kind(struct proof *k, struct cell *cells, uint32_t step)
{
	enum cell_kind kind = kind_for(k->step[step]->kind);
	struct access a[ACCESSES];
	int n = prove_accesses(k, step, a);

	(void)cells;
	for (int i = 0; i < n; i++)
		if (a[i].cells && (kind_of(a[i].at) != kind ||
				   kind_of(a[i].at + a[i].count - 1) != kind))
			return prove_wrong(k, step,
					   "uses cell %zu for what it is not",
					   a[i].at);
	return true;
}

static struct cell *counter(const struct proof *k, struct cell *cells,
			    uint32_t step)
{
	struct access a[ACCESSES];

	prove_accesses(k, step, a);
	return &cells[prove_cell(k, step, &a[0])];
}

static bool note_wait(struct proof *k, struct cell *cells, uint32_t step)
{
	struct cell *c;

	if (k->step[step]->kind != STEP_WAIT_MEMORY)
		return true;
	c = counter(k, cells, step);
	if (c->wait)
		return prove_wrong(k, step, "waits for a counter again");
	c->wait = step + 1;
	return true;
}

static bool note_signal(struct proof *k, struct cell *cells, uint32_t step)
{
	struct cell *c;

	if (k->step[step]->kind != STEP_SIGNAL)
		return true;
	c = counter(k, cells, step);
	if (!c->wait)
		return prove_wrong(k, step, "nobody waits for this signal");
	k->partner[step] = c->wait - 1;
	c->signals++;
	return true;
}

static bool enough_signals(struct proof *k, struct cell *cells, uint32_t step)
{
	struct cell *c;

	if (k->step[step]->kind != STEP_WAIT_MEMORY)
		return true;
	c = counter(k, cells, step);
	return c->signals == k->step[step]->count ||
	       prove_wrong(k, step, "waits for %zu signals of %u",
			   k->step[step]->count, c->signals);
}

static bool each_step(struct proof *k, struct cell *cells,
		      bool (*f)(struct proof *, struct cell *, uint32_t))
{
	for (uint32_t i = 0; i < k->nsteps; i++)
		if (!f(k, cells, i))
			return false;
	return true;
}

bool prove_counters(struct proof *k)
{
	struct cell *cells;

	if (!k->ncells)
		return true;
	cells = prove_room(k, (size_t)k->n * k->ncells, sizeof(*cells));
	return cells && each_step(k, cells, prove_kind) &&
	       each_step(k, cells, note_wait) &&
	       each_step(k, cells, note_signal) &&
	       each_step(k, cells, enough_signals);
}
