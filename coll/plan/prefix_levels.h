/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prefix_levels.h: one rank's part in a scan or exscan by node, or, on a single
 * node, by cache: the same collective in each group, an exscan of the groups'
 * results among their last ranks, and a broadcast of what comes before a group
 * to its ranks, which put it in front of their own result.
 *
 * Each group must be a range of ranks, also where the operation commutes: the
 * result of a group of scattered ranks comes before none of the others.
 */
#ifndef COLL_PREFIX_LEVELS_H
#define COLL_PREFIX_LEVELS_H

#include "coll/plan/algorithm.h"

/* A value for `fits`. */
bool prefix_levels_fit(const struct shape *shape);
/* collective: COLL_SCAN or COLL_EXSCAN. shape->arg names the algorithm of the
 * exscan by its row; the tables of both collectives have the same order. */
void prefix_levels(struct plan *plan, const struct shape *shape, int rank,
		   enum collective collective);
void prefix_levels_cost(const struct shape *shape, enum collective collective,
			struct cost *cost);
#endif
