/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_binomial.c: vectors are reduced up a binomial tree, k-nomial with
 * radix 2. An operation that is not commutative is reduced to rank 0 and sent
 * on.
 *
 * Source: Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005), section 4.4.
 * Cost: ceil(log2 n) (latency + bytes / bandwidth + bytes of reduction); n - 1
 * messages.
 */
#include "coll/plan/algorithms.h"

static struct shape with_radix(const struct shape *shape)
{
	struct shape s = *shape;

	s.arg = 2;
	return s;
}

static void reduce_binomial_build(struct plan *plan, const struct shape *shape,
				  int rank)
{
	struct shape s = with_radix(shape);

	reduce_knomial.build(plan, &s, rank);
}

static void reduce_binomial_cost(const struct shape *shape, struct cost *c)
{
	struct shape s = with_radix(shape);

	reduce_knomial.cost(&s, c);
}

const struct algorithm reduce_binomial = {
    .name = "binomial",
    .formula = "ceil(log2 n) (a + m b + m c)",
    .build = reduce_binomial_build,
    .cost = reduce_binomial_cost,
};
