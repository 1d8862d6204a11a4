/* SPDX-License-Identifier: Apache-2.0 */
/* prove.c: builds the plans of all ranks and applies the parts of the prover in
 * turn. */
#include "coll/prove/prove_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/plan/algorithm.h"
#include "coll/plan/select.h"

/* ---- Complaints and memory ---------------------------------------------- */

bool prove_wrong(struct proof *p, uint32_t step, const char *format, ...)
{
	const struct shape *s = prove_shape(p, 0);
	size_t len = sizeof(p->complaint), n;
	va_list args;

	n = (size_t)snprintf(
	    p->complaint, len, "%s/%s size %d root %d count %zu arg %zu%s: ",
	    coll_tables[p->c->collective].name, p->c->algorithm->name, s->size,
	    s->root, s->count, s->arg, s->commutative ? "" : " in order");
	if (step != NO_STEP) {
		int rank = p->rank_of[step];

		n += (size_t)snprintf(
		    p->complaint + n, len - n, "rank %d%s step %u: ", rank,
		    prove_shape(p, rank)->in_place ? " (in place)" : "",
		    step - p->ranks[rank].first + 1);
	}
	va_start(args, format);
	vsnprintf(p->complaint + n, len - n, format, args);
	va_end(args);
	return false;
}

struct prove_memory {
	struct prove_memory *next;
	_Alignas(16) char items[];
};

void *prove_alloc(struct proof *p, size_t n, size_t size)
{
	struct prove_memory *memory = calloc(1, sizeof(*memory) + n * size);

	if (!memory) {
		prove_wrong(p, NO_STEP, "no memory");
		return NULL;
	}
	memory->next = p->memory;
	p->memory = memory;
	return memory->items;
}

/* ---- Plans -------------------------------------------------------------- */

static bool prove_build(struct proof *p)
{
	uint64_t steps = 0;

	for (int r = 0; r < p->n; r++) {
		struct prove_rank *rank = &p->ranks[r];

		if (plan_build(p->c->algorithm, prove_shape(p, r), r,
			       &rank->plan))
			return prove_wrong(p, NO_STEP, "no memory");
		if (rank->plan.ncells != p->ranks[0].plan.ncells)
			return prove_wrong(
			    p, NO_STEP, "rank %d has %u cells, rank 0 %u", r,
			    rank->plan.ncells, p->ranks[0].plan.ncells);
		rank->first = (uint32_t)steps;
		steps += rank->plan.nsteps;
		prove_layout(p, r);
		rank->board = p->nboard;
		p->nboard += rank->len[BUF_BOARD];
	}
	if (steps >= NO_STEP)
		return prove_wrong(p, NO_STEP, "too many steps");
	p->nsteps = (uint32_t)steps;
	p->ncells = p->ranks[0].plan.ncells;
	return true;
}

static bool prove_number(struct proof *p)
{
	uint32_t i = 0;

	p->step = prove_alloc(p, p->nsteps, sizeof(*p->step));
	p->rank_of = prove_alloc(p, p->nsteps, sizeof(*p->rank_of));
	p->partner = prove_alloc(p, p->nsteps, sizeof(*p->partner));
	p->order = prove_alloc(p, p->nsteps, sizeof(*p->order));
	if (!p->step || !p->rank_of || !p->partner || !p->order)
		return false;
	for (int r = 0; r < p->n; r++)
		for (uint32_t j = 0; j < p->ranks[r].plan.nsteps; j++, i++) {
			p->step[i] = &p->ranks[r].plan.steps[j];
			p->rank_of[i] = r;
			p->partner[i] = NO_STEP;
		}
	return true;
}

static void prove_clear(struct proof *p)
{
	for (int r = 0; p->ranks && r < p->n; r++)
		plan_fini(&p->ranks[r].plan);
	while (p->memory) {
		struct prove_memory *next = p->memory->next;

		free(p->memory);
		p->memory = next;
	}
}

const char *prove_plans(const struct prove_case *c, struct prove_counts *counts)
{
	static char complaint[sizeof(((struct proof *)NULL)->complaint)];
	struct proof p = {.c = c, .n = c->shapes[0].size};
	bool good;

	p.ranks = prove_alloc(&p, (size_t)p.n, sizeof(*p.ranks));
	good = p.ranks && prove_build(&p) && prove_number(&p) &&
	       prove_posts(&p) && prove_steps(&p) && prove_match(&p) &&
	       prove_races(&p) && prove_counters(&p) && prove_deadlock(&p) &&
	       prove_cells(&p) && prove_begun(&p) && prove_dataflow(&p);
	if (counts) {
		counts->sets++;
		counts->plans += (size_t)p.n;
		counts->steps += p.nsteps;
	}
	memcpy(complaint, p.complaint, sizeof(complaint));
	prove_clear(&p);
	return good ? NULL : complaint;
}
