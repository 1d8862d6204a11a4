/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_counters.c: what each cell is for, and the waits on counters. A counter
 * is waited for once in a plan, for all its signals, so that a wait depends on
 * each of them.
 */
#include "coll/check_state.h"

enum purpose { FREE, COUNTER, ACCUMULATOR, ROOM };

struct cell {
	uint8_t purpose;
	uint32_t wait, signals; /* of a counter: step + 1; how many */
};

size_t check_cell(const struct check *k, uint32_t step, const struct access *a)
{
	int rank = a->remote ? k->step[step]->peer : k->rank_of[step];

	return (size_t)rank * k->ncells + a->at;
}

static enum purpose purpose_of(enum step_kind kind)
{
	switch (kind) {
	case STEP_SIGNAL:
	case STEP_WAIT_MEMORY:
		return COUNTER;
	case STEP_FETCH_ADD:
	case STEP_COMPARE_SWAP:
	case STEP_TAKE:
		return ACCUMULATOR;
	default:
		return ROOM;
	}
}

static bool note_purpose(struct check *k, struct cell *cells, uint32_t step)
{
	enum purpose purpose = purpose_of(k->step[step]->kind);
	struct access a[ACCESSES];
	int n = check_accesses(k, step, a);

	for (int i = 0; i < n; i++)
		for (size_t w = 0; a[i].cells && w < a[i].count; w++) {
			struct cell *c = &cells[check_cell(k, step, &a[i]) + w];

			if (c->purpose && c->purpose != purpose)
				return check_wrong(k, step,
						   "uses cell %zu for two "
						   "purposes",
						   a[i].at + w);
			c->purpose = (uint8_t)purpose;
		}
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
	return cells && each_step(k, cells, note_purpose) &&
	       each_step(k, cells, note_wait) &&
	       each_step(k, cells, note_signal) &&
	       each_step(k, cells, enough_signals);
}
