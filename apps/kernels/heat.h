/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heat.h: the heat equation u_t = u_xx + u_yy on unit cells with insulated
 * walls, by explicit Euler steps with the 5-point stencil; stable up to a
 * time step of 1/4. Every cell is computed by the same operations in the same
 * order wherever it is, so the field does not depend on the number of ranks.
 */
#ifndef KERNELS_HEAT_H
#define KERNELS_HEAT_H

#include "apps/common/phases.h"
#include "apps/kernels/grid2d.h"

#include <stdint.h>

#define HEAT_DT_MAX 0.25

enum heat_phase { HEAT_SET_UP, HEAT_STENCIL, HEAT_HALO, HEAT_CHECK, HEAT_OUT };

struct heat {
	struct grid2d *g;
	double dt;
	double *now;
	double *next;
};

/* What is invariant or bounded, over all cells. */
struct heat_state {
	double total;  /* heat; kept, since the walls are insulated */
	double min;    /* may only rise */
	double max;    /* may only fall */
	uint64_t hash; /* of all bits of the field and where they are */
};

/* Hot letters, a ring and cold discs, whatever the size. */
void heat_init(struct heat *h, struct grid2d *g, double dt);
void heat_fini(struct heat *h);

/* One time step; inner cells are computed while edges travel. Collective. */
void heat_step(struct heat *h, struct phases *watch);

/* Collective; the same on every rank and for every number of ranks. */
void heat_state(const struct heat *h, struct heat_state *state);

#endif
