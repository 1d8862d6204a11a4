/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exscan_recursive_doubling.c: in round k a rank sends the result over the 2^k
 * ranks that end with itself to the rank 2^k above, and puts what it receives
 * from the rank 2^k below in front of its own. An exscan also keeps the result
 * without its own part.
 *
 * Source: W. D. Hillis, G. L. Steele, "Data parallel algorithms", CACM 29
 * (1986). Cost: ceil(log2 n) (latency + bytes / bandwidth + bytes of
 * reduction), any n: the fewest rounds, for short vectors.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/prefix.h"

static void build(struct plan *plan, const struct shape *shape, int rank)
{
	prefix_doubling(plan, shape, rank, true);
}

static void cost(const struct shape *shape, struct cost *c)
{
	prefix_doubling_cost(shape, c);
	c->reduced = 2 * c->bytes;
}

const struct algorithm exscan_recursive_doubling = {
    .name = "recursive_doubling",
    .formula = "ceil(log2 n) (a + m b + 2 m c)",
    .build = build,
    .cost = cost,
};
