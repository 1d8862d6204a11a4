/* SPDX-License-Identifier: Apache-2.0 */
/* coll_state.h: what coll keeps per communicator; for coll*.c alone. */
#ifndef COLL_COLL_STATE_H
#define COLL_COLL_STATE_H

#include "coll/coll.h"
#include "coll/direct.h"
#include "coll/model.h"
#include "coll/shape.h"
#include "runtime/base/list.h"

struct run;

enum { RUNS = 32 }; /* kept per communicator */

struct coll_comm {
	struct list link;
	struct mrt_comm *comm;
	struct machine machine;
	struct direct direct;
	/* which sizes, by class, go the direct way, and up to how many bytes */
	uint64_t direct_sizes[COLLECTIVES];
	size_t direct_max[COLLECTIVES];
	size_t short_max[COLLECTIVES]; /* the same, of coll_short.h */
	struct run *idle[RUNS]; /* [nidle] that used last is the last */
	int nidle;
	struct cells *cells; /* NULL: no plan needs them */
	struct block *blocks; /* [nblocks] coll_blocks; NULL: not yet */
	size_t nblocks;
	struct topology *topo;	/* valid if placed; NULL: says nothing */
	bool placed;
	struct list verifies; /* under way, in the order of calls (verify.h) */
};

/* Does a call of so many bytes (barrier: 0) go the direct way? */
static inline bool is_direct(const struct coll_comm *c,
			     enum collective collective, size_t bytes)
{
	return bytes <= c->direct_max[collective] &&
	       c->direct_sizes[collective] >> size_class(bytes) & 1;
}

/* The shape of a call but for its topology. */
struct shape coll_shape(const struct mrt_comm *comm,
			const struct coll_call *call);
/* The call by shared memory; is_direct has said so. */
int coll_run_direct(struct mrt_comm *comm, const struct coll_call *call);
#endif
