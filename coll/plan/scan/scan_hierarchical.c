/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan_hierarchical.c: a scan inside each node, an exscan of the nodes' results
 * among their last ranks, and a broadcast inside each node of what comes before
 * it. The ranks of each node must be a range.
 *
 * Source: see hierarchy.h; P. Sanders, J. L. Träff, "Parallel prefix (scan)
 * algorithms for MPI", EuroPVM/MPI 2006 (clusters of multiprocessors).
 * Cost: the sum of the levels. Between nodes each round has one vector for each
 * node, not one for each rank.
 */
#include "coll/plan/prefix_levels.h"

static void scan_hierarchical_build(struct plan *plan,
				    const struct shape *shape, int rank)
{
	prefix_levels(plan, shape, rank, COLL_SCAN);
}

static void scan_hierarchical_cost(const struct shape *shape, struct cost *c)
{
	prefix_levels_cost(shape, COLL_SCAN, c);
}

const struct algorithm scan_hierarchical = {
    .name = "hierarchical",
    .arg = "algorithm",
    .arg_is_algorithm = true,
    .by_node = true,
    .formula = "the sum of its levels",
    .fits = prefix_levels_fit,
    .build = scan_hierarchical_build,
    .cost = scan_hierarchical_cost,
};
