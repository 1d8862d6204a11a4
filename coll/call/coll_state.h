/* SPDX-License-Identifier: Apache-2.0 */
/* coll_state.h: the state that collectives keep per communicator. */
#ifndef COLL_COLL_STATE_H
#define COLL_COLL_STATE_H

#include "coll/call/coll_call.h"
#include "coll/node/direct.h"
#include "coll/plan/model.h"
#include "coll/plan/shape.h"
#include "runtime/base/list.h"

struct direct_lines; /* direct_started.h */
struct run;

/* These bound the idle runs that a communicator keeps. */
enum {
	RUNS = 32,
	RUNS_ONCE = 8, /* of these, runs that have served one call only */
	RUNS_BYTES = 8 << 20, /* of all, unless one alone has more */
	RUNS_MET = 256	      /* shapes of former runs that it knows again */
};

struct coll_comm {
	struct list link;
	struct mrt_comm *comm;
	struct machine machine;
	struct direct direct;
	struct direct_lines *lines; /* of nonblocking calls; NULL at first */
	struct run *idle[RUNS]; /* [nidle], the most recently used at the end */
	int nidle;
	size_t idle_bytes;
	uint32_t met[RUNS_MET];	  /* their hashes, by their low bits */
	struct cells *cells;	  /* NULL if no plan needs cells */
	struct node_board *board; /* NULL: no plan has wanted boards yet, or
				     they cannot be had (boardless) */
	bool boardless;
	/* size classes whose blocking calls have asked for boards since the
	 * choices that this generation stands for */
	uint64_t asked[COLLECTIVES];
	unsigned asked_generation;
	struct block *blocks; /* [nblocks], for coll_blocks; NULL at first */
	size_t nblocks;
	struct topology *topo; /* valid if placed; NULL if unknown */
	bool placed;
	struct list checks; /* checks in progress, in call order (check.h) */
};

/* Returns an array of n blocks, which the communicator owns and which is valid
 * until the next call of this function for it; or NULL, after a report, if
 * there is no memory. */
struct block *coll_blocks(struct mrt_comm *comm, size_t n);
#endif
