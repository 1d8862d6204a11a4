/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_ring.c: n blocks go around a ring twice: first each rank adds its
 * own part to what passes, then the finished blocks are handed to all. It is
 * the segmented ring with one segment per block.
 *
 * Source: P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for
 * clusters of workstations", JPDC 69 (2009).
 * Cost: 2 (n - 1) latency + 2 (n - 1) / n bytes / bandwidth, any n; for
 * commutative operations.
 */
#include "coll/plan/algorithms.h"

static struct shape in_one_piece(const struct shape *shape)
{
	struct shape s = *shape;

	s.arg = SIZE_MAX;
	return s;
}

static void allreduce_ring_build(struct plan *plan, const struct shape *shape,
				 int rank)
{
	struct shape s = in_one_piece(shape);

	allreduce_segmented_ring.build(plan, &s, rank);
}

static void allreduce_ring_cost(const struct shape *shape, struct cost *c)
{
	struct shape s = in_one_piece(shape);

	allreduce_segmented_ring.cost(&s, c);
}

const struct algorithm allreduce_ring = {
    .name = "ring",
    .formula = "2 (n - 1) a + 2 m b (n - 1) / n + m c (n - 1) / n",
    .fits = fits_commutative,
    .build = allreduce_ring_build,
    .cost = allreduce_ring_cost,
};
