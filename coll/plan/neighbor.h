/* SPDX-License-Identifier: Apache-2.0 */
/*
 * neighbor.h: what the neighbourhood collectives share.
 */
#ifndef COLL_NEIGHBOR_H
#define COLL_NEIGHBOR_H

#include "coll/plan/algorithm.h"

/* Return the index of source i, or of dest i, among the messages between this
 * rank and that neighbour. */
unsigned neighbor_source_tag(const struct neighbors *nb, int i);
unsigned neighbor_dest_tag(const struct neighbors *nb, int i);

/* For a rank that is its own dest i: returns the source that receives it, or -1
 * if there is none. */
int neighbor_own_source(const struct neighbors *nb, int i);
#endif
