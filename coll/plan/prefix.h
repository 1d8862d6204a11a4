/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prefix.h: one rank's part in a scan or exscan: its window, the result over
 * some consecutive ranks that end with this one, grows downwards by the windows
 * of others until it reaches rank 0. Operands keep the order of ranks.
 */
#ifndef COLL_PREFIX_H
#define COLL_PREFIX_H

#include "coll/plan/plan.h"

/* Source, cost: scan_recursive_doubling.c, scan_binomial.c. */
void prefix_doubling(struct plan *plan, const struct shape *shape, int rank,
		     bool exclusive);
void prefix_binomial(struct plan *plan, const struct shape *shape, int rank,
		     bool exclusive);
/* All but what is reduced. */
struct cost;
void prefix_doubling_cost(const struct shape *shape, struct cost *c);
void prefix_binomial_cost(const struct shape *shape, struct cost *c);
#endif
