/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exscan_recursive_doubling.c: like scan_recursive_doubling.c; a rank also
 * keeps the result without its own part.
 *
 * Source: see scan_recursive_doubling.c.
 * Cost: ceil(log2 n) (latency + bytes / bandwidth + 2 bytes of reduction), any
 * n: the fewest rounds, for short vectors.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/prefix.h"

static void exscan_recursive_doubling_build(struct plan *plan,
					    const struct shape *shape, int rank)
{
	prefix_doubling(plan, shape, rank, true);
}

static void exscan_recursive_doubling_cost(const struct shape *shape,
					   struct cost *c)
{
	prefix_doubling_cost(shape, c);
	c->reduced = 2 * c->bytes;
}

const struct algorithm exscan_recursive_doubling = {
    .name = "recursive_doubling",
    .formula = "ceil(log2 n) (a + m b + 2 m c)",
    .build = exscan_recursive_doubling_build,
    .cost = exscan_recursive_doubling_cost,
};
