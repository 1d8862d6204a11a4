/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prefix.h: one rank's part in a scan or exscan. The rank holds a window, the
 * result over some consecutive ranks that end with itself; other ranks' windows
 * extend it downwards until it reaches rank 0. Operands keep rank order.
 */
#ifndef COLL_PREFIX_H
#define COLL_PREFIX_H

#include "coll/plan/plan.h"

/* scan_recursive_doubling.c and scan_binomial.c give source and cost. */
void prefix_doubling(struct plan *plan, const struct shape *shape, int rank,
		     bool exclusive);
void prefix_binomial(struct plan *plan, const struct shape *shape, int rank,
		     bool exclusive);
/* Set all costs but `reduced`. */
struct cost;
void prefix_doubling_cost(const struct shape *shape, struct cost *c);
void prefix_binomial_cost(const struct shape *shape, struct cost *c);
#endif
