/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symmetry.h: jobs whose ranks all do the same, each with those as far from it:
 * rings, exchanges with all. They are in a steady state from the first step on:
 * what rank r does, rank r + period does at the same time, so that the first
 * `period` ranks are enough (timed.h). The period is a node's ranks, or those of
 * the largest group of nodes.
 */
#ifndef APPS_SIM_SYMMETRY_H
#define APPS_SIM_SYMMETRY_H

#include "apps/sim/sim_machine.h"

/*
 * The period, or 0: ranks differ, or are not seen to be the same; that they do
 * the same is looked at on three of them. MRT_ERR_NO_MEM.
 */
int symmetry_find(const struct sim_machine *m,
		  const struct algorithm *algorithm, const struct shape *shape,
		  int *period);
#endif
