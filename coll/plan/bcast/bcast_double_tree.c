/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bcast_double_tree.c: segments alternate between two binary trees. A rank with
 * children in one tree is a leaf of the other, so that every rank sends each
 * segment about once and all links are used in both directions.
 *
 * Source: P. Sanders, J. Speck, J. L. Traff, "Two-tree algorithms for full
 * bandwidth broadcast, reduction and scan", Parallel Computing 35 (2009). There
 * ranks take turns by a colouring of the edges; here whatever has arrived is
 * sent.
 * Cost: about (2 log2 n + s) (latency + bytes / s / bandwidth) for s segments:
 * for long vectors and many ranks.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

static void bcast_double_tree_build(struct plan *plan,
				    const struct shape *shape, int rank)
{
	struct tree trees[2] = {tree_double(shape, rank, 0),
				tree_double(shape, rank, 1)};
	int segments = tree_segments(shape);

	for (int s = 0; s < segments; s++) {
		struct block b = plan_block(shape->count, segments, s);

		tree_down(
		    plan, &trees[s % 2],
		    (struct part){ref(BUF_RECV, b.at), b.count, (unsigned)s},
		    0);
	}
}

const struct algorithm bcast_double_tree = {
    .name = "double_tree",
    ALGORITHM_ARG("segment", SEGMENT_BYTES, 1),
    .formula = "(2 ceil(log2 n) + m / k) (a + k b)",
    .build = bcast_double_tree_build,
    .cost = tree_cost_double,
};
