/* SPDX-License-Identifier: Apache-2.0 */
/*
 * neighbor.h: what the neighbourhood collectives have in common.
 */
#ifndef COLL_NEIGHBOR_H
#define COLL_NEIGHBOR_H

#include "coll/plan/algorithm.h"

/* Messages with all neighbours at once. alike: all get SEND[count], not a
 * block each. */
void neighbor_exchange(struct plan *plan, const struct shape *shape, int rank,
		       bool alike);

/* The place of a source, and of a dest, among the messages with its rank. */
unsigned neighbor_source_tag(const struct neighbors *nb, int i);
unsigned neighbor_dest_tag(const struct neighbors *nb, int i);

/* Which source of a rank's is its dest i, itself; -1: none. */
int neighbor_own_source(const struct neighbors *nb, int i);

/* As if all ranks had as many neighbours as this one, others than itself. */
void neighbor_cost(const struct shape *shape, struct cost *c);
#endif
