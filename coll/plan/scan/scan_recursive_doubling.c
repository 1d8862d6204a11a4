/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan_recursive_doubling.c: in round k a rank sends the result over the 2^k
 * ranks that end with itself to the rank 2^k above, and puts what it receives
 * from the rank 2^k below in front of its own.
 *
 * Source: W. D. Hillis, G. L. Steele, "Data parallel algorithms", CACM 29
 * (1986).
 * Cost: ceil(log2 n) (latency + bytes / bandwidth + bytes of reduction), any n:
 * the fewest rounds, for short vectors.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/prefix.h"

static void scan_recursive_doubling_build(struct plan *plan,
					  const struct shape *shape, int rank)
{
	prefix_doubling(plan, shape, rank, false);
}

static void scan_recursive_doubling_cost(const struct shape *shape,
					 struct cost *c)
{
	prefix_doubling_cost(shape, c);
	c->reduced = c->bytes;
}

const struct algorithm scan_recursive_doubling = {
    .name = "recursive_doubling",
    .formula = "ceil(log2 n) (a + m b + m c)",
    .build = scan_recursive_doubling_build,
    .cost = scan_recursive_doubling_cost,
};
