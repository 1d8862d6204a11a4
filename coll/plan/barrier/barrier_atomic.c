/* SPDX-License-Identifier: Apache-2.0 */
/*
 * barrier_atomic.c: a tree of counters on fetch-and-add (combining.h): signals
 * go up when all children have arrived, releases come down the same way. A
 * counter is never reset: a rank waits until it has grown by the number of its
 * children.
 *
 * Source: combining.h.
 * Cost: 2 (n - 1) atomics; those of rank 0's children (at most radix - 1 on
 * each level) come one after the other, and each level has a release. There are
 * no messages, so no rank needs another's CPU.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/combining.h"

static void barrier_atomic_build(struct plan *plan, const struct shape *shape,
				 int rank)
{
	struct combining t = combining_make(plan, shape, rank);
	uint32_t ready = combining_report(plan, &t, combining_gather(plan, &t));

	/* the farthest child first: it has the most to release */
	for (int k = t.children - 1; k >= 0; k--)
		combining_release(plan, &t, k, ready);
}

static void barrier_atomic_cost(const struct shape *shape, struct cost *c)
{
	c->atomics = combining_children(shape) + combining_depth(shape);
}

const struct algorithm barrier_atomic = {
    .name = "atomic",
    ALGORITHM_ARG("radix", COMBINING_RADIX, 2),
    .cells = true,
    .formula = "k ceil(log_k n) a",
    .build = barrier_atomic_build,
    .cost = barrier_atomic_cost,
};
