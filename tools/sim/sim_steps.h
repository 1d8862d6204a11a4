/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim_steps.h: plans as the engines need them: short steps without buffers, of
 * few ranks at a time; those used first are forgotten and built again when they
 * are wanted. Most ranks do the same as those in the same place of the node
 * before, and then have one plan together.
 */
#ifndef APPS_SIM_STEPS_H
#define APPS_SIM_STEPS_H

#include "tools/sim/symmetry.h"
#include "coll/plan/algorithm.h"

struct sim_step {
	uint8_t kind;
	bool in_place; /* a copy of a place to itself */
	uint16_t tag;
	int away; /* the peer, less the rank */
	uint32_t after[2];
	uint32_t word; /* of one-sided steps and waits: the cell */
	size_t count;
};

struct sim_plan {
	uint32_t nsteps;
	int users;		/* ranks */
	struct sim_step *steps; /* number k is steps[k - 1] */
	/* the steps after step k, from 0: followers[first[k] .. first[k+1]] */
	uint32_t *first, *followers;
};

struct sim_plans {
	const struct algorithm *algorithm;
	const struct shape *shape;
	struct symmetry symmetry; /* of its first `plans` ranks */
	int apart; /* so many ranks before is perhaps the same plan */
	struct sim_plan **of; /* [plans], NULL: not here */
	int *ring;	      /* ranks that are here, a queue */
	int head, here;
	size_t bytes, budget;
	struct plan room; /* for building */
	uint64_t built;
};

/* Keeps about so many bytes. MRT_ERR_NO_MEM leaves nothing to fini. */
int sim_plans_init(struct sim_plans *p, const struct algorithm *algorithm,
		   const struct shape *shape, struct symmetry symmetry,
		   int apart, size_t budget);
void sim_plans_fini(struct sim_plans *p);

/* The rank's, until the next call. NULL: no memory. */
const struct sim_plan *sim_plans_get(struct sim_plans *p, int rank);

/* The peer of a step of the rank's plan. */
static inline int sim_plans_peer(const struct sim_plans *p, int rank,
				 const struct sim_step *s)
{
	int first = symmetry_first(rank, p->symmetry.plans);

	return symmetry_move(&p->symmetry, first + s->away, rank - first);
}
#endif
