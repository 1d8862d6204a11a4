/* SPDX-License-Identifier: Apache-2.0 */
/*
 * barrier_dissemination.c: in round k every rank signals the rank 2^k above and
 * waits for the signal of the rank 2^k below, so that in each round a rank
 * hears from twice as many.
 *
 * Source: D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier
 * synchronization", Int. J. of Parallel Programming 17 (1988).
 * Cost: ceil(log2 n) rounds, n ceil(log2 n) messages: the fewest rounds.
 */
#include "coll/plan/algorithms.h"

static void barrier_dissemination_build(struct plan *plan,
					const struct shape *shape, int rank)
{
	int n = shape->size;
	unsigned round = 0;
	uint32_t sent = 0, heard = 0;

	for (int d = 1; d < n; d *= 2, round++) {
		struct part signal = {.tag = round};

		/* after the previous send, too, which waited for all the
		 * earlier rounds that this one must pass on */
		sent = plan_send(plan, (rank + d) % n, signal, heard, sent);
		heard = plan_recv(plan, (rank - d + n) % n, signal, 0, 0);
	}
}

static void barrier_dissemination_cost(const struct shape *shape,
				       struct cost *c)
{
	c->rounds = log2_ceil(shape->size);
	c->sends = c->rounds * shape->size;
}

const struct algorithm barrier_dissemination = {
    .name = "dissemination",
    .formula = "ceil(log2 n) a",
    .build = barrier_dissemination_build,
    .cost = barrier_dissemination_cost,
};
