/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_chain.c: segments travel in a chain through all ranks to the root;
 * each rank adds its own part to one segment while the next arrives.
 *
 * Source: J. Pjesivac-Grbovic et al., "Performance analysis of MPI collective
 * operations", Cluster Computing 10 (2007), section 4 (pipeline).
 * Cost: (n - 2 + s) (latency + bytes / s / bandwidth) for s segments. The chain
 * begins at the root: rank order only for root 0.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

static void reduce_chain_build(struct plan *plan, const struct shape *shape,
			       int rank)
{
	int n = shape->size, v = (rank - shape->root + n) % n;
	int up = (rank + 1) % n, down = (rank - 1 + n) % n;
	int segments = plan_segments(shape, shape->count, shape->arg);
	size_t longest = plan_block(shape->count, segments, 0).count;
	uint32_t free_after[2] = {0, 0}, added;
	struct ref stage[2] = {{0}, {0}};

	if (plan_alone(plan, shape))
		return;
	for (int k = 0; k < 2 && v < n - 1; k++)
		stage[k] = ref(plan_tmp(plan, longest), 0);
	for (int s = 0; s < segments; s++) {
		struct block b = plan_block(shape->count, segments, s);
		struct part part = {ref(BUF_SEND, b.at), b.count, (unsigned)s};
		struct ref st = stage[s % 2];
		struct ref dst = v ? st : ref(BUF_RECV, b.at);

		if (v == n - 1) {
			plan_send(plan, down, part, 0, 0);
			continue;
		}
		added = plan_recv_reduce(
		    plan, up, part.tag,
		    (struct operands){st, part.ref, dst, b.count}, true,
		    free_after[s % 2]);
		part.ref = st;
		free_after[s % 2] =
		    v ? plan_send(plan, down, part, added, 0) : added;
	}
}

/* The chain is in rank order only for root 0. */
static bool fits_root(const struct shape *shape)
{
	return shape->commutative || shape->root == 0;
}

static void reduce_chain_cost(const struct shape *shape, struct cost *c)
{
	tree_cost_chain(shape, c);
	c->reduced = c->bytes;
}

const struct algorithm reduce_chain = {
    .name = "chain",
    ALGORITHM_ARG("segment", SEGMENT_BYTES, 1),
    .formula = "(n - 2 + m / k) (a + k b + k c)",
    .fits = fits_root,
    .build = reduce_chain_build,
    .cost = reduce_chain_cost,
};
