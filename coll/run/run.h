/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.h: executes a plan on point-to-point messages: a state machine driven
 * by completions, so that blocking, nonblocking and persistent calls are the
 * same code.
 *
 * A run is made for one shape and used again for calls of that shape, one at
 * a time: run_bind, run_start and wait, once or, persistent, again and again,
 * run_unbind. Using it allocates nothing but room for temporaries, and that
 * only when no room kept from earlier calls is free and large enough.
 */
#ifndef COLL_RUN_H
#define COLL_RUN_H

#include "coll/op/op.h"
#include "coll/plan/plan.h"
#include "coll/plan/select.h"
#include "p2p/comm.h"
#include "p2p/request.h"

/* What a call brings along that is not in its shape. */
struct run_args {
	const void *send; /* in place: where shape_offset puts it */
	void *recv;
	const struct mrt_op *op; /* NULL where nothing is reduced */
	const struct mrt_type *type;
	struct packing *packing; /* owned; NULL: nothing is packed */
};

/* Begins with its request, whose comm is set for good. */
struct run;

/* Runs, each of which begins with a request. */
extern struct pool run_pool;

/* Selects the algorithm, makes the plan and allocates the run. Fails with
 * MRT_ERR_NO_MEM, or MRT_ERR_UNSUPPORTED if there is no algorithm. */
int run_create(enum collective collective, const struct shape *shape,
	       struct mrt_comm *comm, struct run **run);
/* Not while it is under way. NULL is fine. */
void run_destroy(struct run *run);

bool run_is_for(const struct run *run, enum collective collective,
		const struct shape *shape);

/* Buffers and operation for what follows; holds the operation, the
 * type and the communicator until run_unbind, which leaves the communicator to
 * the caller's comm_release. */
void run_bind(struct run *run, const struct run_args *args);
void run_unbind(struct run *run);

/* After run_bind: takes a number, which must be the same on all ranks, and
 * temporaries for all uses. MRT_ERR_NO_MEM. */
int run_persist(struct run *run);

struct check; /* check.h */

/*
 * Starts a run; with a check (not NULL), which it owns from then on, once the
 * ranks agree, and under the number of the check. The request (kind REQ_COLL)
 * completes in this call or in a later progress, when this rank's part is done.
 * Takes the next of the communicator's collective numbers, also when it fails.
 * MRT_ERR_NO_MEM.
 *
 * A message that is too long or too short is an error of this rank, but the
 * run goes on to its end, so that the other ranks get their messages.
 */
int run_start(struct run *run, struct check *check);

/*
 * For tests and tools: the sum of step_hash over what the last run that ended
 * has started; kept once asked for, by the first call of this.
 */
uint64_t run_hash(void);

/* The run of a request in words (request_ops). */
void run_describe(const struct mrt_request *req, char *text, size_t len);

/* Waits for a started run; its error, or a fault, after which no request of
 * the run is in any queue. */
int run_wait(struct run *run);
#endif
