/* SPDX-License-Identifier: Apache-2.0 */
/* coll_state.h: what collectives keep per communicator. */
#ifndef COLL_COLL_STATE_H
#define COLL_COLL_STATE_H

#include "coll/args/coll_call.h"
#include "coll/direct/direct.h"
#include "coll/plan/model.h"
#include "coll/plan/shape.h"
#include "runtime/base/list.h"

struct run;

enum { RUNS = 32 }; /* kept per communicator */

struct coll_comm {
	struct list link;
	struct mrt_comm *comm;
	struct machine machine;
	struct direct direct;
	struct run *idle[RUNS]; /* [nidle] that used last is the last */
	int nidle;
	struct cells *cells;  /* NULL: no plan needs them */
	struct block *blocks; /* [nblocks] coll_blocks; NULL: not yet */
	size_t nblocks;
	struct topology *topo; /* valid if placed; NULL: says nothing */
	bool placed;
	struct list checks; /* under way, in the order of calls (check.h) */
};

/* Returns room for n blocks of a call, which is valid until the next call of
 * this function for the communicator. NULL: no memory, which it has said. */
struct block *coll_blocks(struct mrt_comm *comm, size_t n);
#endif
