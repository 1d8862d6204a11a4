/* SPDX-License-Identifier: Apache-2.0 */
/* packing_sides.h: which blocks of a call count at this rank; for packing.c. */
#ifndef COLL_PACKING_SIDES_H
#define COLL_PACKING_SIDES_H

#include "coll/args/coll_args.h"

/* How the arguments of a side lie. */
struct plain {
	int blocks; /* that count at this rank */
	bool in, out;
	bool lists;	  /* a count for each */
	const int *ranks; /* neighbours of the blocks, or NULL */
};

/* What the call sends, and what it receives. */
void packing_describe(const struct coll_args *a, const struct mrt_comm *comm,
		      enum collective collective, struct plain *send,
		      struct plain *recv);
#endif
