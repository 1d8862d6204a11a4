/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan_chain.c: segments travel in a chain from rank 0 through all ranks; each
 * rank adds its own part and keeps what it passes on.
 *
 * Source: P. Sanders, J. L. Träff, "Parallel prefix (scan) algorithms for
 * MPI", EuroPVM/MPI 2006 (linear pipeline).
 * Cost: (n - 2 + s) (latency + bytes / s (/ bandwidth + of reduction)) for s
 * segments; the vector moves n - 1 times: for long vectors.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

static void scan_chain_build(struct plan *plan, const struct shape *shape,
			     int rank)
{
	int n = shape->size;
	int segments = plan_segments(shape, shape->count, shape->arg);
	size_t longest = plan_block(shape->count, segments, 0).count;
	uint32_t added[2] = {0, 0};
	uint8_t stage[2] = {0, 0};

	for (int k = 0; k < 2 && rank; k++)
		stage[k] = plan_tmp(plan, longest);
	for (int s = 0; s < segments; s++) {
		struct block b = plan_block(shape->count, segments, s);
		struct ref own = ref(BUF_SEND, b.at), st = ref(stage[s % 2], 0);
		struct part all = {ref(BUF_RECV, b.at), b.count, (unsigned)s};
		struct operands o = {st, own, all.ref, b.count};
		uint32_t got;

		if (rank) {
			got = plan_recv(plan, rank - 1,
					(struct part){st, b.count, all.tag},
					added[s % 2], 0);
			added[s % 2] = plan_reduce(plan, o, got, 0);
		} else {
			if (!shape->in_place)
				plan_copy(plan, own, all.ref, b.count, 0);
			all.ref = own;
		}
		if (rank + 1 < n)
			plan_send(plan, rank + 1, all, added[s % 2], 0);
	}
}

static void scan_chain_cost(const struct shape *shape, struct cost *c)
{
	tree_cost_chain(shape, c);
	c->reduced = c->bytes;
}

const struct algorithm scan_chain = {
    .name = "chain",
    ALGORITHM_ARG("segment", SEGMENT_BYTES, 1),
    .formula = "(n - 2 + m / k) (a + k b + k c)",
    .build = scan_chain_build,
    .cost = scan_chain_cost,
};
