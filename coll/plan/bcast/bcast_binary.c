/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bcast_binary.c: segments travel down a binary tree; each rank forwards one to
 * its two children while the next arrives.
 *
 * Source: J. Pjesivac-Grbovic et al., "Performance analysis of MPI collective
 * operations", Cluster Computing 10 (2007), section 4 (binary tree). The root
 * has one child, see coll/plan/tree.h.
 * Cost: about 2 (log2 n + s) (latency + bytes / s / bandwidth) for s segments:
 * few steps for many ranks, but half of the bandwidth, as inner ranks send
 * everything twice.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

static void bcast_binary_build(struct plan *plan, const struct shape *shape,
			       int rank)
{
	struct tree tree = tree_binary(shape, rank);
	int segments = tree_segments(shape);

	for (int s = 0; s < segments; s++) {
		struct block b = plan_block(shape->count, segments, s);

		tree_down(
		    plan, &tree,
		    (struct part){ref(BUF_RECV, b.at), b.count, (unsigned)s},
		    0);
	}
}

const struct algorithm bcast_binary = {
    .name = "binary",
    ALGORITHM_ARG("segment", SEGMENT_BYTES, 1),
    .formula = "2 (ceil(log2 n) - 1 + m / k) (a + k b)",
    .build = bcast_binary_build,
    .cost = tree_cost_binary,
};
