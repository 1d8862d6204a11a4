/* SPDX-License-Identifier: Apache-2.0 */
/*
 * packing.h: collectives of types with holes. Everything below moves and
 * reduces packed elements, so such a call packs what it sends when it begins,
 * into room of its own, receives into such room, and unpacks that at its end.
 */
#ifndef COLL_PACKING_H
#define COLL_PACKING_H

#include "coll/args/coll_args.h"

struct packing;

/*
 * The packing of a checked call, of whose sides one has holes or both have. Its
 * buffers and blocks in *call become those of packed elements. The packing
 * holds the types, and needs the caller's lists no more. MRT_ERR_NO_MEM.
 */
int packing_create(const struct sides *sides, struct coll_call *call,
		   struct packing **packing);
/* NULL is fine. */
void packing_destroy(struct packing *packing);

/* At the beginning of each use of the call, and at its end. */
void packing_pack(struct packing *packing);
void packing_unpack(struct packing *packing);
#endif
