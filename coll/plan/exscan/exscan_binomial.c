/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exscan_binomial.c: on the way up rank r, if r + 1 is an odd multiple of 2^k,
 * collects the result over the 2^k ranks that end with itself and sends it to
 * the rank 2^k above; on the way down the ranks that have the result over all
 * before them send it to those that need it. An exscan also keeps the result
 * without its own part.
 *
 * Source: G. Blelloch, "Scans as primitive parallel operations", IEEE Trans.
 * Computers 38 (1989); P. Sanders, J. L. Träff, "Parallel prefix (scan)
 * algorithms for MPI", EuroPVM/MPI 2006 (binomial tree). Cost: about 2 log2 n
 * (latency + bytes / bandwidth + bytes of reduction) but less than 2 n
 * messages, where recursive doubling has n log2 n: where ranks share cores.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/prefix.h"

static void build(struct plan *plan, const struct shape *shape, int rank)
{
	prefix_binomial(plan, shape, rank, true);
}

static void cost(const struct shape *shape, struct cost *c)
{
	prefix_binomial_cost(shape, c);
	c->reduced = 2 * c->bytes;
}

const struct algorithm exscan_binomial = {
    .name = "binomial",
    .formula = "2 log2 n (a + m b + 2 m c)",
    .build = build,
    .cost = cost,
};
