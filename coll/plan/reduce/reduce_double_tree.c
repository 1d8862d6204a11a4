/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_double_tree.c: segments alternate between two binary trees, up to the
 * root. A rank with children in one tree is a leaf of the other, so that every
 * rank receives each segment about once and all links are used in both
 * directions.
 *
 * Source: P. Sanders, J. Speck, J. L. Traff, "Two-tree algorithms for full
 * bandwidth broadcast, reduction and scan", Parallel Computing 35 (2009).
 * Cost: about (2 log2 n + s) (latency + bytes / s / bandwidth) for s segments:
 * for long vectors and many ranks. The second tree does not keep rank order:
 * for commutative operations.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

static void reduce_double_tree_build(struct plan *plan,
				     const struct shape *shape, int rank)
{
	int segments = tree_segments(shape);
	struct tree_up up[2];

	if (plan_alone(plan, shape))
		return;
	for (int k = 0; k < 2 && k < segments; k++)
		tree_up_init(plan, &up[k], tree_double(shape, rank, k),
			     plan_block(shape->count, segments, k).count);
	for (int s = 0; s < segments; s++)
		tree_up(plan, &up[s % 2], plan_block(shape->count, segments, s),
			(unsigned)s);
}

static void reduce_double_tree_cost(const struct shape *shape, struct cost *c)
{
	tree_cost_double(shape, c);
	c->reduced = c->bytes;
}

const struct algorithm reduce_double_tree = {
    .name = "double_tree",
    ALGORITHM_ARG("segment", SEGMENT_BYTES, 1),
    .formula = "(2 ceil(log2 n) + m / k) (a + k b + k c)",
    .fits = fits_commutative,
    .build = reduce_double_tree_build,
    .cost = reduce_double_tree_cost,
};
