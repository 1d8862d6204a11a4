/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bcast_chain.c: segments travel from the root through all ranks in a chain;
 * each rank forwards one segment while the next arrives.
 *
 * Source: J. Pjesivac-Grbovic et al., "Performance analysis of MPI collective
 * operations", Cluster Computing 10 (2007), section 4 (pipeline).
 * Cost: (n - 2 + s) (latency + bytes / s / bandwidth) for s segments. Every
 * rank sends the vector once: the best for long vectors and few ranks.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

static void bcast_chain_build(struct plan *plan, const struct shape *shape,
			      int rank)
{
	int n = shape->size, v = (rank - shape->root + n) % n;
	int segments = plan_segments(shape, shape->count, shape->arg);
	uint32_t got = 0;

	for (int s = 0; s < segments; s++) {
		struct block b = plan_block(shape->count, segments, s);
		struct part part = {ref(BUF_RECV, b.at), b.count, (unsigned)s};

		if (v > 0)
			got = plan_recv(plan, (rank - 1 + n) % n, part, 0, 0);
		if (v < n - 1)
			plan_send(plan, (rank + 1) % n, part, got, 0);
	}
}

const struct algorithm bcast_chain = {
    .name = "chain",
    ALGORITHM_ARG("segment", SEGMENT_BYTES, 1),
    .formula = "(n - 2 + m / k) (a + k b)",
    .build = bcast_chain_build,
    .cost = tree_cost_chain,
};
