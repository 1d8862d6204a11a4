/* SPDX-License-Identifier: Apache-2.0 */
/* prove.c: builds the plans of all ranks and asks the parts of the prover in
 * turn. */
#include "coll/prove/prove_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/plan/algorithm.h"
#include "coll/plan/select.h"

/* ---- Complaints and memory ---------------------------------------------- */

bool prove_wrong(struct proof *k, uint32_t step, const char *format, ...)
{
	const struct shape *s = prove_shape(k, 0);
	size_t room = sizeof(k->complaint), n;
	va_list args;

	n = (size_t)snprintf(
	    k->complaint, room, "%s/%s size %d root %d count %zu arg %zu%s: ",
	    coll_tables[k->c->collective].name, k->c->algorithm->name, s->size,
	    s->root, s->count, s->arg, s->commutative ? "" : " in order");
	if (step != NO_STEP) {
		int rank = k->rank_of[step];

		n += (size_t)snprintf(
		    k->complaint + n, room - n, "rank %d%s step %u: ", rank,
		    prove_shape(k, rank)->in_place ? " (in place)" : "",
		    step - k->ranks[rank].first + 1);
	}
	va_start(args, format);
	vsnprintf(k->complaint + n, room - n, format, args);
	va_end(args);
	return false;
}

struct prove_room {
	struct prove_room *next;
	_Alignas(16) char items[];
};

void *prove_room(struct proof *k, size_t n, size_t size)
{
	struct prove_room *room = calloc(1, sizeof(*room) + n * size);

	if (!room) {
		prove_wrong(k, NO_STEP, "no memory");
		return NULL;
	}
	room->next = k->rooms;
	k->rooms = room;
	return room->items;
}

/* ---- Plans -------------------------------------------------------------- */

static bool build(struct proof *k)
{
	uint64_t steps = 0;

	for (int r = 0; r < k->n; r++) {
		struct prove_rank *rank = &k->ranks[r];

		if (plan_build(k->c->algorithm, prove_shape(k, r), r,
			       &rank->plan))
			return prove_wrong(k, NO_STEP, "no memory");
		if (rank->plan.ncells != k->ranks[0].plan.ncells)
			return prove_wrong(
			    k, NO_STEP, "rank %d has %u cells, rank 0 %u", r,
			    rank->plan.ncells, k->ranks[0].plan.ncells);
		rank->first = (uint32_t)steps;
		steps += rank->plan.nsteps;
		prove_layout(k, r);
	}
	if (steps >= NO_STEP)
		return prove_wrong(k, NO_STEP, "too many steps");
	k->nsteps = (uint32_t)steps;
	k->ncells = k->ranks[0].plan.ncells;
	return true;
}

static bool number(struct proof *k)
{
	uint32_t i = 0;

	k->step = prove_room(k, k->nsteps, sizeof(*k->step));
	k->rank_of = prove_room(k, k->nsteps, sizeof(*k->rank_of));
	k->partner = prove_room(k, k->nsteps, sizeof(*k->partner));
	k->order = prove_room(k, k->nsteps, sizeof(*k->order));
	if (!k->step || !k->rank_of || !k->partner || !k->order)
		return false;
	for (int r = 0; r < k->n; r++)
		for (uint32_t j = 0; j < k->ranks[r].plan.nsteps; j++, i++) {
			k->step[i] = &k->ranks[r].plan.steps[j];
			k->rank_of[i] = r;
			k->partner[i] = NO_STEP;
		}
	return true;
}

static void clear(struct proof *k)
{
	for (int r = 0; k->ranks && r < k->n; r++)
		plan_fini(&k->ranks[r].plan);
	while (k->rooms) {
		struct prove_room *next = k->rooms->next;

		free(k->rooms);
		k->rooms = next;
	}
}

const char *prove_plans(const struct prove_case *c, struct prove_counts *counts)
{
	static char complaint[sizeof(((struct proof *)NULL)->complaint)];
	struct proof k = {.c = c, .n = c->shapes[0].size};
	bool good;

	k.ranks = prove_room(&k, (size_t)k.n, sizeof(*k.ranks));
	good = k.ranks && build(&k) && number(&k) && prove_steps(&k) &&
	       prove_match(&k) && prove_races(&k) && prove_counters(&k) &&
	       prove_deadlock(&k) && prove_cells(&k) && prove_begun(&k) &&
	       prove_flow(&k);
	if (counts) {
		counts->sets++;
		counts->plans += (size_t)k.n;
		counts->steps += k.nsteps;
	}
	memcpy(complaint, k.complaint, sizeof(complaint));
	clear(&k);
	return good ? NULL : complaint;
}
