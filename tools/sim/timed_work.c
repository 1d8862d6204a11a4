/* SPDX-License-Identifier: Apache-2.0 */
/* timed_work.c: how long a CPU works for an item, and what that moves through
 * the memory of its node, which all CPUs of the node share. */
#include <stdlib.h>

#include "tools/sim/timed.h"

static bool work_is_far(const struct timed *e, int rank, int peer)
{
	return machine_node(e->m, rank) != machine_node(e->m, peer);
}

size_t work_acts(const struct sim_step *s)
{
	switch (s->kind) {
	case STEP_FETCH_ADD:
	case STEP_COMPARE_SWAP:
		return s->count;
	case STEP_WRITE:
		return s->count > 0;
	default:
		return 1;
	}
}

bool work_opens(struct timed *e, int rank, bool *opens)
{
	uint32_t n = sim_plans_get(e->plans, rank)->skeleton->nsteps;
	double peers = 0, most = e->m->job->fabric->connected;
	bool *seen;

	*opens = false;
	if (!e->m->connect || n <= most)
		return true;
	seen = calloc((size_t)e->m->ranks, sizeof(*seen));
	for (uint32_t i = 0; seen && i < n; i++) {
		const struct sim_step s = timed_step(e, rank, i);
		int peer = step_has_peer(s.kind)
			       ? sim_plans_peer(e->plans, rank, &s)
			       : rank;

		peers += !seen[peer] && work_is_far(e, rank, peer);
		seen[peer] = true;
	}
	*opens = peers > most;
	free(seen);
	return seen;
}

/* Advances the CPU by a step. Returns the bytes that go through memory: what a
 * rendezvous sends does so later. */
static double timed_work_compute(struct timed *e, struct rank_state *r,
				 const struct sim_step *s)
{
	const struct range *range;
	uint64_t bytes = machine_bytes(e->m, s);
	int peer;

	if (s->kind == STEP_POST) { /* writes one cache line */
		machine_send(&r->cpu, machine_range(e->m, SIM_NODE, 1), 0);
		return 0;
	}
	if (!step_has_peer(s->kind)) {
		machine_compute(e->m, &r->cpu, s, 0);
		return s->cold;
	}
	peer = sim_plans_peer(e->plans, r->rank, s);
	if (s->kind != STEP_SEND && s->kind != STEP_WRITE)
		bytes = sizeof(uint64_t);
	range = machine_range(e->m, machine_level(e->m, r->rank, peer), bytes);
	if (r->opens && work_is_far(e, r->rank, peer))
		moment_add(&r->cpu, SIM_OVERHEAD, e->m->connect);
	for (size_t k = work_acts(s); k; k--)
		machine_send(&r->cpu, range, range->rendezvous ? 0 : bytes);
	return range->rendezvous ? 0 : s->cold;
}

/* Advances the CPU by its work for an item. Returns the bytes that go through
 * memory. Inside a node the receiver's CPU fetches the data of a rendezvous,
 * and what was posted. */
static double work(struct timed *e, struct rank_state *r, const struct item *i)
{
	int64_t began = r->cpu.t;
	struct sim_step s;

	if (i->kind == ITEM_STEP || i->kind == ITEM_LOAD ||
	    i->kind == ITEM_EAGER || i->kind == ITEM_DATA)
		s = timed_step(e, r->rank, i->to_step);
	if ((i->kind == ITEM_EAGER || i->kind == ITEM_RTS) && i->far &&
	    !i->opened && r->opens)
		moment_add(&r->cpu, SIM_OVERHEAD, e->m->connect);
	switch (i->kind) {
	case ITEM_WAIT: /* the rank polls its own memory */
		return 0;
	case ITEM_STEP:
		return timed_work_compute(e, r, &s);
	case ITEM_LOAD:
		net_load(i, &r->cpu);
		if (s.kind == STEP_LOAD_REDUCE)
			machine_compute(e->m, &r->cpu, &s, r->cpu.t - began);
		return s.cold;
	case ITEM_EAGER:
	case ITEM_DATA:
		machine_receive(&r->cpu, i->range, i->bytes);
		if (s.kind == STEP_RECV_REDUCE)
			machine_compute(e->m, &r->cpu, &s, 0);
		return s.cold;
	case ITEM_RTS:
		machine_receive(&r->cpu, i->range, 0);
		if (i->far)
			return 0;
		net_fetch(i, &r->cpu);
		return i->cold;
	default:
		machine_receive(&r->cpu, i->range, 0);
		return 0;
	}
}

/* Work that began then ends no sooner than the node's memory has served it. */
static void use_memory(const struct timed *e, struct rank_state *r,
		       int64_t began, double bytes)
{
	int64_t *free = &e->memory[machine_node(e->m, r->rank)];

	*free = (began > *free ? began : *free) + machine_memory(e->m, bytes);
	moment_queue(&r->cpu, *free);
}

void work_do(struct timed *e, struct rank_state *r, const struct item *i)
{
	int64_t began = r->cpu.t;
	double bytes = work(e, r, i);

	if (bytes > 0 && e->m->memory > 0)
		use_memory(e, r, began, bytes);
}
