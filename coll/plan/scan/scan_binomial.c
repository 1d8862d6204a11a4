/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan_binomial.c: on the way up rank r, if r + 1 is an odd multiple of 2^k,
 * collects the result over the 2^k ranks that end with itself and sends it to
 * the rank 2^k above; on the way down the ranks that have the result over all
 * before them send it to those that need it.
 *
 * Source: G. Blelloch, "Scans as primitive parallel operations", IEEE Trans.
 * Computers 38 (1989); P. Sanders, J. L. Träff, "Parallel prefix (scan)
 * algorithms for MPI", EuroPVM/MPI 2006 (binomial tree).
 * Cost: about 2 log2 n (latency + bytes / bandwidth + bytes of reduction) but
 * less than 2 n messages, where recursive doubling has n log2 n: where ranks
 * share cores.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/prefix.h"

static void scan_binomial_build(struct plan *plan, const struct shape *shape,
				int rank)
{
	prefix_binomial(plan, shape, rank, false);
}

static void scan_binomial_cost(const struct shape *shape, struct cost *c)
{
	prefix_binomial_cost(shape, c);
	c->reduced = c->bytes;
}

const struct algorithm scan_binomial = {
    .name = "binomial",
    .formula = "2 log2 n (a + m b + m c)",
    .build = scan_binomial_build,
    .cost = scan_binomial_cost,
};
