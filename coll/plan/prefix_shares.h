/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prefix_shares.h: one rank's part in a scan or exscan with several leaders in
 * each node: the ranks of a node give each leader its share of their vectors, a
 * leader has the result over one, two and so on of them, an exscan among those
 * that lead one share in all nodes tells what comes before the node, and each
 * rank gets its result from the leaders of its node. Each node must be a range
 * of ranks.
 */
#ifndef COLL_PREFIX_SHARES_H
#define COLL_PREFIX_SHARES_H

#include "coll/plan/algorithm.h"

/* A value for `fits`. */
bool prefix_shares_fit(const struct shape *shape);
/* collective: COLL_SCAN or COLL_EXSCAN. */
void prefix_shares(struct plan *plan, const struct shape *shape, int rank,
		   enum collective collective);
void prefix_shares_cost(const struct shape *shape, enum collective collective,
			struct cost *cost);
#endif
