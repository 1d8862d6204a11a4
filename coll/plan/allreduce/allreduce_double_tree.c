/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_double_tree.c: segments alternate between two binary trees, up to
 * rank 0 and down again; the first ones are going down while others go up. A
 * rank with children in one tree is a leaf of the other.
 *
 * Source: P. Sanders, J. Speck, J. L. Traff, "Two-tree algorithms for full
 * bandwidth broadcast, reduction and scan", Parallel Computing 35 (2009).
 * Cost: about (4 log2 n + 2 s) (latency + bytes / s / bandwidth) for s
 * segments: nearly the bandwidth of a ring, with far fewer rounds for many
 * ranks. The second tree does not keep rank order: for commutative operations.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

enum { UP_TAG = 0, DOWN_TAG = 64 };

static void allreduce_double_tree_build(struct plan *plan,
					const struct shape *shape, int rank)
{
	int segments = tree_segments(shape);
	struct tree_up up[2];

	if (plan_alone(plan, shape))
		return;
	for (int k = 0; k < 2 && k < segments; k++)
		tree_up_init(plan, &up[k], tree_double(shape, rank, k),
			     plan_block(shape->count, segments, k).count);
	for (int s = 0; s < segments; s++) {
		struct block b = plan_block(shape->count, segments, s);
		struct part whole = {ref(BUF_RECV, b.at), b.count,
				     (unsigned)(DOWN_TAG + s)};
		uint32_t done =
		    tree_up(plan, &up[s % 2], b, (unsigned)(UP_TAG + s));

		tree_down(plan, &up[s % 2].tree, whole, done);
	}
}

static void allreduce_double_tree_cost(const struct shape *shape,
				       struct cost *c)
{
	tree_cost_double(shape, c);
	c->reduced = c->bytes;
	cost_both_ways(c);
}

const struct algorithm allreduce_double_tree = {
    .name = "double_tree",
    ALGORITHM_ARG("segment", SEGMENT_BYTES, 1),
    .formula = "(2 ceil(log2 n) + m / k) (2 a + 2 k b + k c)",
    .fits = fits_commutative,
    .build = allreduce_double_tree_build,
    .cost = allreduce_double_tree_cost,
};
