/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heat.h: the heat equation u_t = u_xx + u_yy on unit cells with insulated
 * walls, by explicit Euler steps with the 5-point stencil; stable up to a time
 * step of 1/4. Each cell is computed by the same operations in the same order
 * on whichever rank it is, so the field does not depend on the number of ranks.
 */
#ifndef KERNELS_HEAT_H
#define KERNELS_HEAT_H

#include "apps/common/phases.h"
#include "apps/kernels/grid2d.h"

#include <stdint.h>

#define HEAT_DT_MAX 0.25

enum heat_phase {
	HEAT_SET_UP,
	HEAT_STENCIL,
	HEAT_HALO,
	HEAT_CHECK,
	HEAT_SAVE,
	HEAT_OUT
};

struct heat {
	struct grid2d *g;
	double dt;
	double *now;
	double *next;
};

/* Invariants and bounds over all cells. */
struct heat_state {
	double total;  /* heat; constant, since the walls are insulated */
	double min;    /* never decreases */
	double max;    /* never increases */
	uint64_t hash; /* of the bits and places of all cells */
};

/* Sets the initial field: hot letters, a ring and cold discs, scaled to any
 * size. */
void heat_init(struct heat *h, struct grid2d *g, double dt);
void heat_fini(struct heat *h);

/* Computes one time step; edges are exchanged while inner cells are computed.
 * Collective. */
void heat_step(struct heat *h, struct phases *watch);

/* Returns a hash of the bits and places of all cells. Collective; the result is
 * the same on every rank and for every number of ranks. */
uint64_t heat_hash(const struct heat *h);

/* Sets the state of the whole field, which is the same on every rank and for
 * every number of ranks. Collective. */
void heat_state(const struct heat *h, struct heat_state *state);

#endif
