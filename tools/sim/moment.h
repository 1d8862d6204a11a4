/* SPDX-License-Identifier: Apache-2.0 */
/*
 * moment.h: a point in virtual time, with the parts of the chain of events that
 * led to it. Time is in whole picoseconds, so that sums do not depend on their
 * order; the parts are approximate, for people.
 */
#ifndef TOOLS_SIM_MOMENT_H
#define TOOLS_SIM_MOMENT_H

#include <stdint.h>

#include "tools/sim/sim.h"

struct moment {
	int64_t t; /* ps */
	/* ns of each part; SIM_REDUCTION is the rest */
	float part[SIM_PARTS - 1];
};

static inline void moment_add(struct moment *m, enum sim_part part, int64_t ps)
{
	m->t += ps;
	if (part < SIM_PARTS - 1)
		m->part[part] += (float)ps * 1e-3f;
}

/* Waits until a server is free. */
static inline void moment_queue(struct moment *m, int64_t free)
{
	if (free > m->t)
		moment_add(m, SIM_QUEUEING, free - m->t);
}

static inline const struct moment *moment_later(const struct moment *a,
						const struct moment *b)
{
	return a->t >= b->t ? a : b;
}
/* Writes the end of the critical path, which is on `rank`, into the result. */
static inline void moment_result(const struct moment *m, int rank,
				 struct sim_result *result)
{
	double rest = result->time = (double)m->t * 1e-3;

	for (int k = 0; k < SIM_PARTS - 1; k++)
		rest -= result->part[k] = (double)m->part[k];
	/* the parts are rounded */
	result->part[SIM_REDUCTION] = rest > result->time * 1e-5 ? rest : 0;
	result->last_rank = rank;
}
#endif
