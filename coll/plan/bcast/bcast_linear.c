/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bcast_linear.c: the root sends to all ranks.
 *
 * Source: J. Pjesivac-Grbovic et al., "Performance analysis of MPI collective
 * operations", Cluster Computing 10 (2007), section 4 (flat tree). Cost: n - 1
 * messages, all from the root: for two or three ranks, and as a baseline for
 * the others.
 */
#include "coll/plan/algorithms.h"

static void build(struct plan *plan, const struct shape *shape, int rank)
{
	struct part all = {ref(BUF_RECV, 0), shape->count, 0};

	if (rank != shape->root)
		plan_recv(plan, shape->root, all, 0, 0);
	for (int r = 0; r < shape->size && rank == shape->root; r++)
		if (r != rank)
			plan_send(plan, r, all, 0, 0);
}

static void cost(const struct shape *shape, struct cost *c)
{
	c->rounds = c->sends = shape->size - 1;
	c->together = c->rounds > 0 ? c->rounds - 1 : 0;
	c->bytes = c->moved = c->sends * shape_bytes(shape);
}

const struct algorithm bcast_linear = {
    .name = "linear",
    .formula = "(n - 1) (a + m b)",
    .build = build,
    .cost = cost,
};
