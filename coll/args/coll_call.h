/* SPDX-License-Identifier: Apache-2.0 */
/* coll_call.h: a collective call whose arguments have been checked. */
#ifndef COLL_COLL_CALL_H
#define COLL_COLL_CALL_H

#include <stdbool.h>
#include <stddef.h>

#include "coll/op/op.h"
#include "coll/plan/shape.h"
#include "p2p/comm.h"
#include "p2p/type/datatype.h"

/*
 * A call whose arguments have been checked, in the terms of its shape
 * (shape.h). Data that only move are counted in bytes: type is MRT_BYTE. In
 * place, the buffer for which MRT_IN_PLACE was passed, send or recv, is NULL.
 */
struct coll_call {
	enum collective collective;
	bool in_place;
	bool no_cells; /* use messages, not other ranks' memory */
	const void *send;
	void *recv;
	size_t count;
	const struct mrt_type *type; /* NULL for a barrier */
	const struct mrt_op *op;
	int root;
	int low; /* size of the first of two groups; 0 if there is one group */
	/* from coll_blocks; NULL if all blocks have `count` elements */
	struct block *send_blocks, *recv_blocks;
	/* Owned by the call. The nonblocking and persistent forms take over the
	 * ownership, also when they fail. NULL if nothing is packed. */
	struct packing *packing;
	struct check *check; /* owned, until coll_start takes it over */
	const struct neighbors *neighbors;
	struct neighbors
	    neighbor_lists; /* the target of `neighbors` if that is not NULL */
};
#endif
