/* SPDX-License-Identifier: Apache-2.0 */
/*
 * barrier_linear.c: all ranks signal rank 0, which then releases all.
 *
 * Source: the central counter of J. Mellor-Crummey, M. Scott, ACM TOCS 9
 * (1991), section 2, with messages.
 * Cost: 2 (n - 1) messages, all at rank 0: for few ranks, or
 * many that share cores.
 */
#include "coll/plan/algorithms.h"

enum { UP, DOWN };

static void barrier_linear_build(struct plan *plan, const struct shape *shape,
				 int rank)
{
	struct part signal = {.tag = UP}, release = {.tag = DOWN};
	uint32_t all = 0;

	if (rank) {
		all = plan_send(plan, 0, signal, 0, 0);
		plan_recv(plan, 0, release, all, 0);
		return;
	}
	for (int r = 1; r < shape->size; r++)
		all = plan_join(plan, all, plan_recv(plan, r, signal, 0, 0));
	for (int r = 1; r < shape->size; r++)
		plan_send(plan, r, release, all, 0);
}

static void barrier_linear_cost(const struct shape *shape, struct cost *c)
{
	c->rounds = c->sends = 2.0 * (shape->size - 1);
	c->together = shape->size > 1 ? c->rounds - 2 : 0;
	c->peers = shape->size - 1;
}

const struct algorithm barrier_linear = {
    .name = "linear",
    .formula = "2 (n - 1) a",
    .build = barrier_linear_build,
    .cost = barrier_linear_cost,
};
