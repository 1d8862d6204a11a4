/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim_caches.h: which bytes of a plan go through the memory of its node, since
 * the caches do not hold them. Each rank has an equal part of its node's
 * caches, which holds what the rank has used last, in the order of its plan. A
 * load from the board of another rank counts as a use of the own board: all
 * ranks are taken to be equally far.
 */
#ifndef TOOLS_SIM_SIM_CACHES_H
#define TOOLS_SIM_SIM_CACHES_H

#include "coll/plan/plan.h"

struct sim_caches {
	double room;  /* bytes of the caches that each rank has */
	size_t grain; /* bytes that are looked at together */
	double now;   /* bytes used so far */
	struct used {
		double *last; /* [n] value of `now` at the last use; 0: none */
		size_t n;
	} used[BUFS];
};

/* Begins a series of plans with vectors of at most so many bytes. */
void sim_caches_init(struct sim_caches *c, double room, double vector);
void sim_caches_fini(struct sim_caches *c);

/* Computes for each step of the plan how many bytes it reads from memory or
 * writes there, cold[nsteps]. Returns false if there is no memory. */
bool sim_caches_trace(struct sim_caches *c, const struct plan *plan,
		      const struct shape *shape, float *cold);
#endif
