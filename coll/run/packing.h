/* SPDX-License-Identifier: Apache-2.0 */
/*
 * packing.h: collectives of types with holes. All below moves and reduces
 * packed elements, so such a call packs what it sends when it begins, into room
 * of its own, gets room for what it receives, and unpacks that at its end.
 */
#ifndef COLL_PACKING_H
#define COLL_PACKING_H

#include "coll/args/coll_args.h"

struct packing;

/*
 * For a call whose check has returned COLL_PACK. It holds the types, and needs
 * the caller's lists no more. Errors as of the check.
 */
int packing_create(const struct coll_args *args, const struct mrt_comm *comm,
		   enum collective collective, struct packing **packing);
/* NULL is fine. */
void packing_destroy(struct packing *packing);

/* The same call on packed elements. */
const struct coll_args *packing_args(const struct packing *packing);

/* At the beginning of each use, and at its end. */
void packing_pack(struct packing *packing);
void packing_unpack(struct packing *packing);
#endif
