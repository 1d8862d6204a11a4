/* SPDX-License-Identifier: Apache-2.0 */
/* bench_fabric.h: a fabric of round numbers for the tests of the simulator. */
#ifndef TESTS_SIM_BENCH_FABRIC_H
#define TESTS_SIM_BENCH_FABRIC_H

#include "tools/sim/sim.h"

/* Returns a fabric whose levels do not differ: all messages are eager, or those
 * from 4097 bytes on go by rendezvous. */
static inline struct sim_fabric bench_fabric(bool rendezvous)
{
	struct sim_range near = {.max_bytes = SIM_NO_LIMIT,
				 .L = 1000,
				 .o_s = 500,
				 .o_r = 700,
				 .g = 100,
				 .G = 0.04};
	struct sim_range far = near;
	struct sim_fabric f = {.name = "bench", .reduce = 0.03};

	far.rendezvous = true;
	if (rendezvous)
		near.max_bytes = 4096;
	for (int l = 0; l < SIM_LEVELS; l++)
		f.levels[l] = (struct sim_link){.nranges = 1 + rendezvous,
						.ranges = {near, far},
						.atomic = 250};
	return f;
}
#endif
