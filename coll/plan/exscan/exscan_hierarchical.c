/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exscan_hierarchical.c: an exscan inside each node, an exscan of the nodes'
 * results among their last ranks, and a broadcast inside each node of what
 * comes before it. The ranks of each node must be a range.
 *
 * Source: see hierarchy.h; P. Sanders, J. L. Träff, "Parallel prefix (scan)
 * algorithms for MPI", EuroPVM/MPI 2006 (clusters of multiprocessors).
 * Cost: the sum of the levels. Between nodes each round has one vector for each
 * node, not one for each rank.
 */
#include "coll/plan/prefix_levels.h"

static void exscan_hierarchical_build(struct plan *plan,
				      const struct shape *shape, int rank)
{
	prefix_levels(plan, shape, rank, COLL_EXSCAN);
}

static void exscan_hierarchical_cost(const struct shape *shape, struct cost *c)
{
	prefix_levels_cost(shape, COLL_EXSCAN, c);
}

const struct algorithm exscan_hierarchical = {
    .name = "hierarchical",
    .arg = "algorithm",
    .arg_is_algorithm = true,
    .by_node = true,
    .formula = "the sum of its levels",
    .fits = prefix_levels_fit,
    .build = exscan_hierarchical_build,
    .cost = exscan_hierarchical_cost,
};
