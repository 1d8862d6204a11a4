/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim_steps.h: plans in the form that engines need: short steps without
 * buffers. What plans have in common is kept once: whole plans of ranks that do
 * the same as the ranks at their place in the node before, and the skeletons of
 * those that differ only in peers and lengths, as the ranks of many nodes in a
 * recursive algorithm.
 */
#ifndef TOOLS_SIM_SIM_STEPS_H
#define TOOLS_SIM_SIM_STEPS_H

#include "tools/sim/symmetry.h"
#include "coll/plan/algorithm.h"
#include "tools/sim/sim_caches.h"

struct sim_step {
	uint8_t kind;
	bool in_place; /* a copy of a place to itself */
	bool exchange; /* a send to a rank that sends here at that time */
	uint16_t tag;
	int away; /* the peer, relative to the rank */
	uint32_t after[2];
	uint32_t word; /* cell of a one-sided step or wait */
	size_t count;
	float cold; /* bytes through the node's memory (sim_caches.h) */
};

/* The steps of plans, without the operands below, and what follows each. */
struct sim_skeleton {
	struct sim_skeleton *next; /* of the same bucket */
	uint64_t hash;
	int users; /* number of plans */
	uint32_t nsteps;
	struct sim_step *steps; /* [nsteps]; step number k is steps[k - 1] */
	/* step k (from 0) is followed by followers[first[k] .. first[k+1]] */
	uint32_t *first, *followers;
};

struct sim_plan {
	struct sim_skeleton *skeleton;
	int users; /* number of ranks */
	struct sim_operand {
		int away;
		float cold;
		size_t count;
	} operands[]; /* [nsteps] */
};

enum { SIM_BUCKETS = 1 << 12 };

struct sim_plans {
	const struct algorithm *algorithm;
	const struct shape *shape;
	struct symmetry symmetry; /* plans of its first `plans` ranks */
	int apart; /* the rank that many before may have an equal plan */
	struct sim_skeleton *buckets[SIM_BUCKETS];
	struct sim_plan **of; /* [plans]; NULL: not built yet */
	size_t bytes, budget;
	bool in_turn; /* struct sim_job */
	bool full; /* a plan was not built since the others have the budget */
	struct plan scratch;	   /* scratch for building */
	struct sim_caches *caches; /* NULL: everything stays in them */
};

/* The plans may take about `budget` bytes. The caller destroys the caches
 * later. After MRT_ERR_NO_MEM there is nothing to fini. */
int sim_plans_init(struct sim_plans *p, const struct algorithm *algorithm,
		   const struct shape *shape, struct symmetry symmetry,
		   int apart, size_t budget, struct sim_caches *caches);
void sim_plans_fini(struct sim_plans *p);

/* Returns a rank's plan, valid until sim_plans_fini; NULL if out of memory, or
 * p->full. */
const struct sim_plan *sim_plans_get(struct sim_plans *p, int rank);

/* Returns step i, from 0. */
static inline struct sim_step sim_plan_step(const struct sim_plan *p,
					    uint32_t i)
{
	struct sim_step s = p->skeleton->steps[i];

	s.away = p->operands[i].away;
	s.count = p->operands[i].count;
	s.cold = p->operands[i].cold;
	return s;
}

/* Returns the peer of a step in the rank's plan. */
static inline int sim_plans_peer(const struct sim_plans *p, int rank,
				 const struct sim_step *s)
{
	int first = symmetry_first(rank, p->symmetry.plans);

	return symmetry_move(&p->symmetry, first + s->away, rank - first);
}
#endif
