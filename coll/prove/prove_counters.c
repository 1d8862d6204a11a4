/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_counters.c: what each cell is for, and the waits on counters. A counter
 * is waited for once in a plan, for all its signals, so that a wait depends on
 * each of them.
 */
#include "coll/prove/prove_state.h"

/* A counter. */
struct cell {
	uint32_t wait, signals; /* step + 1; how many */
};

size_t check_cell(const struct check *k, uint32_t step, const struct access *a)
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
	return cell < CELLS_COUNTERS ? CELL_COUNTER
	       : cell < CELLS_COUNTERS + CELLS_ACCUMULATORS
		   ? CELL_ACCUMULATOR
		   : CELL_ROOM;
}

static bool check_kind(struct check *k, struct cell *cells, uint32_t step)
{
	enum cell_kind kind = kind_for(k->step[step]->kind);
	struct access a[ACCESSES];
	int n = check_accesses(k, step, a);

	(void)cells;
	for (int i = 0; i < n; i++)
		if (a[i].cells && (kind_of(a[i].at) != kind ||
				   kind_of(a[i].at + a[i].count - 1) != kind))
			return check_wrong(k, step,
					   "uses cell %zu for what it is not",
					   a[i].at);
	return true;
}

static struct cell *counter(const struct check *k, struct cell *cells,
			    uint32_t step)
{
	struct access a[ACCESSES];

	check_accesses(k, step, a);
	return &cells[check_cell(k, step, &a[0])];
}

static bool note_wait(struct check *k, struct cell *cells, uint32_t step)
{
	struct cell *c;

	if (k->step[step]->kind != STEP_WAIT_MEMORY)
		return true;
	c = counter(k, cells, step);
	if (c->wait)
		return check_wrong(k, step, "waits for a counter again");
	c->wait = step + 1;
	return true;
}

static bool note_signal(struct check *k, struct cell *cells, uint32_t step)
{
	struct cell *c;

	if (k->step[step]->kind != STEP_SIGNAL)
		return true;
	c = counter(k, cells, step);
	if (!c->wait)
		return check_wrong(k, step, "nobody waits for this signal");
	k->partner[step] = c->wait - 1;
	c->signals++;
	return true;
}

static bool enough_signals(struct check *k, struct cell *cells, uint32_t step)
{
	struct cell *c;

	if (k->step[step]->kind != STEP_WAIT_MEMORY)
		return true;
	c = counter(k, cells, step);
	return c->signals == k->step[step]->count ||
	       check_wrong(k, step, "waits for %zu signals of %u",
			   k->step[step]->count, c->signals);
}

static bool each_step(struct check *k, struct cell *cells,
		      bool (*f)(struct check *, struct cell *, uint32_t))
{
	for (uint32_t i = 0; i < k->nsteps; i++)
		if (!f(k, cells, i))
			return false;
	return true;
}

bool check_counters(struct check *k)
{
	struct cell *cells;

	if (!k->ncells)
		return true;
	cells = check_room(k, (size_t)k->n * k->ncells, sizeof(*cells));
	return cells && each_step(k, cells, check_kind) &&
	       each_step(k, cells, note_wait) &&
	       each_step(k, cells, note_signal) &&
	       each_step(k, cells, enough_signals);
}
