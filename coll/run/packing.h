/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edge.h: collectives of types with holes. All below moves and reduces packed
 * elements, so such a call packs what it sends when it begins, into room of its
 * own, gets room for what it receives, and unpacks that at its end.
 */
#ifndef COLL_EDGE_H
#define COLL_EDGE_H

#include "coll/args/coll_args.h"

struct edge;

/*
 * For a call whose check has returned COLL_PACK. It holds the types, and needs
 * the caller's lists no more. Errors as of the check.
 */
int edge_create(const struct coll_args *args, const struct mrt_comm *comm,
		enum collective collective, struct edge **edge);
/* NULL is fine. */
void edge_destroy(struct edge *edge);

/* The same call on packed elements. */
const struct coll_args *edge_args(const struct edge *edge);

/* At the beginning of each use, and at its end. */
void edge_pack(struct edge *edge);
void edge_unpack(struct edge *edge);
#endif
