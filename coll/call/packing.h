/* SPDX-License-Identifier: Apache-2.0 */
/*
 * packing.h: collectives of types with holes. The layers below move and reduce
 * packed elements only, so such a call packs what it sends into memory of its
 * own when it begins, receives into memory of its own, and unpacks what it has
 * received at its end.
 */
#ifndef COLL_PACKING_H
#define COLL_PACKING_H

#include "coll/call/coll_args.h"

struct packing;

/*
 * Creates the packing of a checked call of which at least one side has holes,
 * and changes the buffers and blocks of that side in *call to those of packed
 * elements. The packing holds the types and does not need the caller's lists
 * any more. Returns 0 or MRT_ERR_NO_MEM.
 */
int packing_create(const struct coll_args *a, struct coll_call *call,
		   struct packing **packing);
/* Does nothing for NULL. */
void packing_destroy(struct packing *packing);

/* Packs what the call reads, at the beginning of each of its uses. */
void packing_pack(struct packing *packing);
/* Unpacks what the call has received, at the end of each of its uses. */
void packing_unpack(struct packing *packing);
#endif
