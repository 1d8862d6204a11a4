/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_compare_swap.c: like allreduce_fetch_add.c, for every predefined
 * operation on elements of up to 8 bytes. A rank guesses what is in its
 * parent's word, at first that it is empty, and replaces it with the combined
 * value by compare-and-swap; if the guess was wrong it tries again with the
 * value found. Every failure means that another rank has succeeded.
 *
 * Sums of floating-point numbers depend on the order of arrival, so that
 * another run may give other last bits. In one run all ranks have the same
 * bits, since the result is computed once and passed down.
 *
 * Source: M. Herlihy, "Wait-free synchronization", ACM TOPLAS 13 (1991), for
 * what compare-and-swap can do; combining.h for the tree.
 * Cost: as fetch_add if children come at different times; if they come at once,
 * up to radix / 2 times the atomics.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/combining.h"

static bool allreduce_compare_swap_fits(const struct shape *shape)
{
	return shape->combine != COMBINE_NONE && combining_fits(shape);
}

static void allreduce_compare_swap_build(struct plan *plan,
					 const struct shape *shape, int rank)
{
	combining_allreduce(plan, shape, rank, STEP_COMPARE_SWAP);
}

const struct algorithm allreduce_compare_swap = {
    .name = "compare_swap",
    ALGORITHM_ARG("radix", COMBINING_RADIX, 2),
    .cells = true,
    .formula = "ceil(log_k n) (k (1 + count) a + m b + m c)",
    .fits = allreduce_compare_swap_fits,
    .build = allreduce_compare_swap_build,
    .cost = combining_cost,
};
