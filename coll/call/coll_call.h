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
 * A call whose arguments have been checked, from there to its run: its shape
 * and what is not in the shape. Data that only move are counted in bytes: type
 * is MRT_BYTE. In place, the buffer for which MRT_IN_PLACE was passed, send or
 * recv, is NULL.
 *
 * Whoever makes a call sets of its shape: root, low, count, in_place, no_cells
 * (use messages, not other ranks' memory), neighbors, and from coll_blocks send
 * and recv. The rest, which only plans need, is set when one is looked for
 * (coll_plan.c).
 */
struct coll_call {
	enum collective collective;
	const void *send;
	void *recv;
	const struct mrt_type *type; /* NULL for a barrier */
	const struct mrt_op *op;     /* NULL where nothing is reduced */
	/* Owned by the call. The nonblocking and persistent forms take over the
	 * ownership, also when they fail. NULL if nothing is packed. */
	struct packing *packing;
	struct check *check; /* owned, until coll_start takes it over */
	struct shape shape;
	struct neighbors neighbor_lists; /* of the shape, if it has any */
};
#endif
