/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bcast_binomial.c: the vector goes down a binomial tree. The farthest child is
 * served first because it has the deepest subtree.
 *
 * Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective
 * communication operations in MPICH", IJHPCA 19 (2005), section 4.3.
 * Cost: ceil(log2 n) (latency + bytes / bandwidth); n - 1 messages.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

static void bcast_binomial_build(struct plan *plan, const struct shape *shape,
				 int rank)
{
	int n = shape->size, v = (rank - shape->root + n) % n, low = 1;
	struct part all = {ref(BUF_RECV, 0), shape->count, 0};
	uint32_t got = 0;

	while (low < n && !(v & low))
		low *= 2;
	if (v)
		got = plan_recv(plan, (rank - low + n) % n, all, 0, 0);
	for (low /= 2; low; low /= 2) {
		if (v + low < n)
			plan_send(plan, (rank + low) % n, all, got, 0);
	}
}

static void bcast_binomial_cost(const struct shape *shape, struct cost *c)
{
	c->rounds = log2_ceil(shape->size);
	c->together = c->rounds - knomial_depth(shape->size, 2);
	c->bytes = c->rounds * shape_bytes(shape);
	c->sends = shape->size - 1;
	c->moved = c->sends * shape_bytes(shape);
	c->reach = REACH_RANGES;
}

const struct algorithm bcast_binomial = {
    .name = "binomial",
    .formula = "ceil(log2 n) (a + m b)",
    .build = bcast_binomial_build,
    .cost = bcast_binomial_cost,
};
