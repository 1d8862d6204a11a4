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
 * One call, its arguments checked; as the shape it makes (shape.h). What only
 * moves is counted in bytes: type is MRT_BYTE. In place the one of send and
 * recv that was not given is NULL.
 */
struct coll_call {
	enum collective collective;
	bool in_place;
	bool no_cells; /* by messages, not on the memory of others */
	const void *send;
	void *recv;
	size_t count;
	const struct mrt_type *type; /* NULL: barrier */
	const struct mrt_op *op;
	int root;
	int low; /* of two groups: ranks of the first; 0: there are none */
	/* of coll_blocks; NULL: all blocks have `count` elements */
	struct block *send_blocks, *recv_blocks;
	/* owned; of nonblocking and persistent forms, which have it from then
	 * on, also when they fail. NULL: nothing is packed. */
	struct packing *packing;
	struct check *check; /* owned too; coll_start's */
	const struct neighbors *neighbors;
	struct neighbors
	    neighbor_lists; /* what neighbors points to, if to anything */
};
#endif
