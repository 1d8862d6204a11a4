/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_fetch_add.c: sums of integers. Each rank adds its elements to words
 * of its parent in a tree of counters (combining.h); the parent takes the sum
 * when all children have signalled. Rank 0 gets the result and writes it back
 * down. Addition modulo 2^64 serves every shorter integer, too.
 *
 * Source: A. Gottlieb et al., "The NYU Ultracomputer", IEEE Trans. Computers
 * C-32 (1983), for fetch-and-add; combining.h for the tree.
 * Cost: count + 2 atomics and one write for each rank but 0. The parent's CPU
 * only waits for its children.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/combining.h"

static bool allreduce_fetch_add_fits(const struct shape *shape)
{
	return shape->combine == COMBINE_ADD && combining_fits(shape);
}

static void allreduce_fetch_add_build(struct plan *plan,
				      const struct shape *shape, int rank)
{
	combining_allreduce(plan, shape, rank, STEP_FETCH_ADD);
}

const struct algorithm allreduce_fetch_add = {
    .name = "fetch_add",
    ALGORITHM_ARG("radix", COMBINING_RADIX, 2),
    .cells = true,
    .formula = "ceil(log_k n) (k (1 + count) a + m b + m c)",
    .fits = allreduce_fetch_add_fits,
    .build = allreduce_fetch_add_build,
    .cost = combining_cost,
};
