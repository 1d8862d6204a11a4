/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_binary.c: segments travel up a binary tree; each rank reduces one
 * while the next arrives. The tree keeps rank order; an operation that is not
 * commutative is reduced to rank 0, which passes the segments on to the root.
 *
 * Source: J. Pjesivac-Grbovic et al., "Performance analysis of MPI collective
 * operations", Cluster Computing 10 (2007), section 4 (binary tree).
 * Cost: about 2 (log2 n + s) (latency + bytes / s / bandwidth) for s segments:
 * few steps for many ranks, but half of the bandwidth, as inner ranks receive
 * everything twice.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

static void reduce_binary_build(struct plan *plan, const struct shape *shape,
				int rank)
{
	struct shape above = *shape;
	int segments = tree_segments(shape);
	struct tree tree;
	struct tree_up up;

	if (plan_alone(plan, shape))
		return;
	if (!shape->commutative)
		above.root = 0;
	tree = tree_binary(&above, rank);
	if (rank == above.root && rank != shape->root)
		tree.parent = shape->root;
	tree_up_init(plan, &up, tree,
		     plan_block(shape->count, segments, 0).count);
	for (int s = 0; s < segments; s++) {
		struct block b = plan_block(shape->count, segments, s);
		struct part whole = {ref(BUF_RECV, b.at), b.count, (unsigned)s};
		uint32_t done = tree_up(plan, &up, b, (unsigned)s);

		if (rank == shape->root && rank != above.root)
			plan_recv(plan, above.root, whole, done, 0);
	}
}

/* Returns the rounds that passing the result from rank 0 to the root adds: one
 * for the last segment, or one for each segment if the root has as many
 * children as any rank and so becomes the busiest. */
static double move_rounds(const struct shape *shape)
{
	struct shape above = *shape;
	struct tree t;
	int most = shape->size < 4 ? 1 : 2;

	above.root = 0;
	t = tree_binary(&above, shape->root);
	if ((t.left >= 0) + (t.right >= 0) == most)
		return tree_segments(shape);
	return 1;
}

static void reduce_binary_cost(const struct shape *shape, struct cost *c)
{
	double m = shape_bytes(shape), s = tree_segments(shape);

	tree_cost_binary(shape, c);
	c->reduced = c->bytes;
	if (shape->commutative || !shape->root)
		return;
	c->rounds += move_rounds(shape);
	c->bytes = c->rounds * m / s;
	c->sends += s;
	c->moved += m;
}

const struct algorithm reduce_binary = {
    .name = "binary",
    ALGORITHM_ARG("segment", SEGMENT_BYTES, 1),
    .formula = "2 (ceil(log2 n) - 1 + m / k) (a + k b + k c)",
    .build = reduce_binary_build,
    .cost = reduce_binary_cost,
};
