/* SPDX-License-Identifier: Apache-2.0 */
/* sim_machine.c: converts nanoseconds to picoseconds and ranks to levels. */
#include "tools/sim/sim_machine.h"

#include <math.h>
#include <stdlib.h>

#include "coll/plan/rules.h"
#include "mrt.h"

static int64_t to_ps(double ns)
{
	return (int64_t)llround(ns * 1e3);
}

double machine_vector(const struct sim_job *j)
{
	const struct rule *rule = &rules[j->collective];
	bool blocks =
	    rule->send.holds == HOLDS_EACH || rule->recv.holds == HOLDS_EACH;

	return (double)j->count * (double)j->type_size *
	       (blocks ? (double)sim_ranks(j) : 1);
}

/* Returns the ps per byte of work on vectors of which this part stays in a
 * cache. */
static double sim_machine_blend(double near, double far, double part)
{
	return (part * near + (1 - part) * far) * 1e3;
}

/* Lists where the ranks are, if nodes differ. */
static int place_ranks(struct sim_machine *m)
{
	const int *each = m->job->node_ranks;
	int rank = 0;

	if (!each)
		return MRT_SUCCESS;
	m->node_of =
	    malloc(((size_t)m->ranks + (size_t)m->job->nodes) * sizeof(int));
	if (!m->node_of)
		return MRT_ERR_NO_MEM;
	m->first = m->node_of + m->ranks;
	for (int node = 0; node < m->job->nodes; node++) {
		m->first[node] = rank;
		for (int k = 0; k < each[node]; k++)
			m->node_of[rank++] = node;
	}
	return MRT_SUCCESS;
}

void machine_fini(struct sim_machine *m)
{
	free(m->node_of);
	m->node_of = NULL;
}

int machine_init(struct sim_machine *m, const struct sim_job *job)
{
	const struct sim_fabric *f = job->fabric;
	double bytes = machine_vector(job);
	double part = f->cache > 0 && bytes > f->cache ? f->cache / bytes : 1;

	*m = (struct sim_machine){
	    .job = job,
	    .ranks = sim_ranks(job),
	    .hop = to_ps(job->topology.hop),
	    .call = to_ps(f->call + job->allocated * f->fresh +
			  job->allocated_huge * f->fresh_huge),
	    .spread = to_ps(f->spread),
	    .connect = f->connected > 0 ? to_ps(f->connect) : 0,
	    .reduce = sim_machine_blend(f->reduce, f->reduce_far, part),
	    .copy = sim_machine_blend(f->copy, f->copy_far, part),
	    .turn = to_ps(f->turn)};
	/* a rank's own costs contain what it alone needs */
	if (job->ppn > 1 && bytes > 0)
		m->memory = f->memory / 2 * 1e3;
	for (int l = 0; l < SIM_LEVELS; l++) {
		const struct sim_link *link = &f->levels[l];

		m->atomic[l] = to_ps(link->atomic);
		for (int k = 0; k < link->nranges; k++) {
			const struct sim_range *r = &link->ranges[k];

			m->ranges[l][k] = (struct range){
			    r->max_bytes,  r->rendezvous, to_ps(r->L),
			    to_ps(r->o_s), to_ps(r->o_r), to_ps(r->g),
			    r->G * 1e3,	   r->O_s * 1e3,  r->O_r * 1e3};
			m->exchanged[l][k] = m->ranges[l][k];
			if (l >= SIM_LEAF && r->rendezvous && f->exchange > 0)
				m->exchanged[l][k].G *= f->exchange;
		}
	}
	return place_ranks(m);
}

int machine_node(const struct sim_machine *m, int rank)
{
	rank = rotate_back(&m->rotation, rank);
	if (m->job->ppn == 1)
		return rank;
	if (m->node_of)
		return m->node_of[rank];
	return m->job->cyclic ? rank % m->job->nodes : rank / m->job->ppn;
}

int machine_place(const struct sim_machine *m, int rank)
{
	if (m->node_of)
		return rank - m->first[m->node_of[rank]];
	return m->job->cyclic ? rank / m->job->nodes : rank % m->job->ppn;
}

int machine_rank(const struct sim_machine *m, int node, int place)
{
	return m->job->cyclic ? place * m->job->nodes + node
			      : node * m->job->ppn + place;
}

int machine_cache(const struct sim_machine *m, int rank)
{
	const struct sim_job *j = m->job;
	long place = machine_place(m, rank);

	return j->caches > 1 ? (int)(place * j->caches / j->ppn) : 0;
}

enum sim_level machine_level(const struct sim_machine *m, int a, int b)
{
	const struct sim_topology *t = &m->job->topology;
	int x = machine_node(m, a), y = machine_node(m, b);

	if (x == y)
		return machine_cache(m, a) == machine_cache(m, b) ? SIM_CACHE
								  : SIM_NODE;
	return !t->tiers || machine_group(m, x, 0) == machine_group(m, y, 0)
		   ? SIM_LEAF
		   : SIM_OTHER;
}

/* Counts how often the distance, round the job, can be divided by 4. */
static int64_t sim_machine_spread(const struct sim_machine *m, int node_a,
				  int node_b)
{
	int away = node_a < node_b ? node_b - node_a : node_a - node_b;
	int back = m->job->nodes - away;
	int64_t ps = 0;

	for (int d = away < back ? away : back; d >= 4 && m->spread; d /= 4)
		ps += m->spread;
	return ps;
}

int64_t machine_spread(const struct sim_machine *m, int a, int b)
{
	return sim_machine_spread(m, machine_node(m, a), machine_node(m, b));
}

int64_t machine_hops(const struct sim_machine *m, int node_a, int node_b)
{
	const struct sim_topology *t = &m->job->topology;
	int hops = t->dimensions ? sim_torus_hops(t, machine_router(m, node_a),
						  machine_router(m, node_b))
				 : 0;

	for (int k = 0; k < t->tiers; k++)
		if (machine_group(m, node_a, k) != machine_group(m, node_b, k))
			hops = t->tier[k].hops;
	return hops * m->hop + sim_machine_spread(m, node_a, node_b);
}

const struct range *machine_range(const struct sim_machine *m,
				  enum sim_level level, uint64_t bytes)
{
	const struct range *r = m->ranges[level];

	while (bytes > r->max_bytes)
		r++;
	return r;
}

/* Returns how often a message counts as one between groups: by the links of a
 * torus, or once if it leaves an outermost group. */
static int sim_machine_crossed(const struct sim_machine *m, int node_a,
			       int node_b)
{
	const struct sim_topology *t = &m->job->topology;

	if (t->dimensions)
		return sim_torus_hops(t, machine_router(m, node_a),
				      machine_router(m, node_b));
	return t->tiers && machine_group(m, node_a, t->tiers - 1) !=
			       machine_group(m, node_b, t->tiers - 1);
}

const struct range *machine_count(const struct sim_machine *m,
				  struct sim_result *result, int from, int to,
				  uint64_t bytes, double messages)
{
	enum sim_level level = machine_level(m, from, to);
	const struct sim_link *link = &m->job->fabric->levels[level];

	result->messages[level] += messages;
	result->bytes[level] += messages * (double)bytes;
	result->between +=
	    messages * (double)bytes *
	    sim_machine_crossed(m, machine_node(m, from), machine_node(m, to));
	if (!link->measured_max)
		result->outside = "a level that was not measured";
	else if (bytes < link->measured_min || bytes > link->measured_max)
		result->outside = "a length that was not measured";
	return machine_range(m, level, bytes);
}

/* ---- CPUs ---- */

static int64_t per_byte(double ps, uint64_t bytes)
{
	return (int64_t)((double)bytes * ps + 0.5);
}

void machine_send(struct moment *at, const struct range *r, uint64_t bytes)
{
	moment_add(at, SIM_OVERHEAD, r->o_s + per_byte(r->O_s, bytes));
}

void machine_receive(struct moment *at, const struct range *r, uint64_t bytes)
{
	moment_add(at, SIM_OVERHEAD, r->o_r + per_byte(r->O_r, bytes));
}

void machine_compute(const struct sim_machine *m, struct moment *at,
		     const struct sim_step *s, int64_t beside)
{
	uint64_t bytes = machine_bytes(m, s);
	int64_t reduce = per_byte(m->reduce, bytes);
	/* three quarters of the shorter one overlap: docs/scaling.md */
	int64_t both = reduce < beside ? reduce : beside;

	if (step_reduces(s->kind))
		moment_add(at, SIM_REDUCTION, reduce - both * 3 / 4);
	else if (!s->in_place)
		moment_add(at, SIM_OVERHEAD, per_byte(m->copy, bytes));
}
