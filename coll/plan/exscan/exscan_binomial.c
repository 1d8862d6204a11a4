/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exscan_binomial.c: like scan_binomial.c; a rank also keeps the result without
 * its own part.
 *
 * Source: see scan_binomial.c.
 * Cost: about 2 log2 n (latency + bytes / bandwidth + 2 bytes of reduction),
 * less than 2 n messages: where ranks share cores.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/prefix.h"

static void exscan_binomial_build(struct plan *plan, const struct shape *shape,
				  int rank)
{
	prefix_binomial(plan, shape, rank, true);
}

static void exscan_binomial_cost(const struct shape *shape, struct cost *c)
{
	prefix_binomial_cost(shape, c);
	c->reduced = 2 * c->bytes;
}

const struct algorithm exscan_binomial = {
    .name = "binomial",
    .formula = "2 log2 n (a + m b + 2 m c)",
    .build = exscan_binomial_build,
    .cost = exscan_binomial_cost,
};
