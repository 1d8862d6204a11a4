/* SPDX-License-Identifier: Apache-2.0 */
/*
 * double_tree.c: bcast, reduce and allreduce by segments that alternate between
 * two binary trees, down from the root, up to it, or up to rank 0 and down
 * again, when the first ones go down while others go up. A rank with children
 * in one tree is a leaf of the other, so that every rank sends each segment
 * about once and all links are used in both directions. The second tree does
 * not keep rank order: reductions are of commutative operations.
 *
 * Source: P. Sanders, J. Speck, J. L. Traff, "Two-tree algorithms for full
 * bandwidth broadcast, reduction and scan", Parallel Computing 35 (2009). There
 * ranks take turns by a colouring of the edges; here whatever has arrived is
 * sent.
 * Cost: about (2 log2 n + s) (latency + bytes / s / bandwidth) for s segments,
 * twice that for allreduce: for long vectors and many ranks.
 *
 * bcast has the first tree alone, too, as binary: half of the bandwidth, as
 * inner ranks send everything twice. Source: J. Pjesivac-Grbovic et al.,
 * "Performance analysis of MPI collective operations", Cluster Computing 10
 * (2007), section 4 (binary tree); the root has one child, see tree.h.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

enum { UP_TAG = 0, DOWN_TAG = 64 };

static void double_tree_down(struct plan *plan, const struct shape *shape,
			     int rank, int trees)
{
	int segments = tree_segments(shape);

	for (int s = 0; s < segments; s++) {
		struct block b = plan_block(shape->count, segments, s);
		struct tree tree = tree_double(shape, rank, s % trees);

		tree_down(
		    plan, &tree,
		    (struct part){ref(BUF_RECV, b.at), b.count, (unsigned)s},
		    0);
	}
}

static void double_tree_reduce(struct plan *plan, const struct shape *shape,
			       int rank, bool back)
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

		if (back)
			tree_down(plan, &up[s % 2].tree, whole, done);
	}
}

static void reduce_cost(const struct shape *shape, struct cost *c)
{
	tree_cost_double(shape, c);
	c->reduced = c->bytes;
}

static void allreduce_cost(const struct shape *shape, struct cost *c)
{
	reduce_cost(shape, c);
	cost_both_ways(c);
}

#define TREES(collective, title, text, fit, price, way, how)                   \
	static void collective##_##title##_build(                              \
	    struct plan *plan, const struct shape *shape, int rank)            \
	{                                                                      \
		double_tree_##way(plan, shape, rank, how);                     \
	}                                                                      \
	const struct algorithm collective##_##title = {                        \
	    .name = #title,                                                    \
	    ALGORITHM_ARG("segment", SEGMENT_BYTES, 1),                        \
	    .formula = text,                                                   \
	    .fits = fit,                                                       \
	    .build = collective##_##title##_build,                             \
	    .cost = price,                                                     \
	};
TREES(bcast, binary, "2 (ceil(log2 n) - 1 + m / k) (a + k b)", NULL,
      tree_cost_binary, down, 1)
TREES(bcast, double_tree, "(2 ceil(log2 n) + m / k) (a + k b)", NULL,
      tree_cost_double, down, 2)
TREES(reduce, double_tree, "(2 ceil(log2 n) + m / k) (a + k b + k c)",
      fits_commutative, reduce_cost, reduce, false)
TREES(allreduce, double_tree, "(2 ceil(log2 n) + m / k) (2 a + 2 k b + k c)",
      fits_commutative, allreduce_cost, reduce, true)
