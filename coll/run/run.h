/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.h: runs, which execute plans on point-to-point messages. A run is a state
 * machine driven by completions, so that blocking, nonblocking and persistent
 * calls share one code.
 *
 * A run is made for one shape and serves calls of that shape, one at a time:
 * run_bind; run_start and a wait, once or, if persistent, repeatedly;
 * run_unbind. A use allocates nothing but memory for temporaries, and that only
 * if no memory kept from earlier calls (scratch.h) is free and large enough.
 */
#ifndef COLL_RUN_H
#define COLL_RUN_H

#include "coll/call/coll_call.h"
#include "coll/op/op.h"
#include "coll/plan/plan.h"
#include "coll/plan/select.h"
#include "p2p/comm.h"
#include "p2p/request.h"

/* A run begins with its request, whose comm never changes. */
struct run;

/* The pool of all runs, which are requests, too. */
extern struct pool run_pool;

/* Selects the algorithm, makes the plan and allocates the run. Returns 0,
 * MRT_ERR_NO_MEM, or MRT_ERR_UNSUPPORTED if there is no algorithm. */
int run_create(struct mrt_comm *comm, const struct coll_call *call,
	       struct run **run);
/* Frees a run, which must not be under way. Does nothing for NULL. */
void run_destroy(struct run *run);

/* Tells whether the run can serve such a call: it was made for this shape, and
 * no choice has been forced since. */
bool run_is_for(const struct run *run, const struct coll_call *call);

/* Returns about how many bytes of memory the run keeps. */
size_t run_bytes(const struct run *run);
/* Tells whether the run has been bound more than once or run_set_repeated has
 * been called. */
bool run_has_repeated(const struct run *run);
void run_set_repeated(struct run *run);

/* run_bind sets buffers, operation and type for the following starts to those
 * of the call, and holds the operation, the type and the communicator; it takes
 * over call->packing. run_unbind releases all but the
 * communicator, which the caller releases (comm_release). */
void run_bind(struct run *run, const struct coll_call *call);
void run_unbind(struct run *run);

/* Makes a bound run persistent: it takes a number of the communicator, which
 * must be the same on all ranks, and temporaries, both for all its uses.
 * Returns 0 or MRT_ERR_NO_MEM. */
int run_persist(struct run *run);

struct direct_started; /* direct_started.h */
/* Gives a bound run a call in lines of shared memory, which it then owns and
 * uses in place of its plan. When a use of it has ended, run_started_done is to
 * be called with the run. */
void run_set_started(struct run *run, struct direct_started *started);
void run_started_done(void *run, int error);
/* The await of requests that are runs (p2p/request.h). */
int run_await(struct mrt_request *req, struct wait *w);

struct check; /* check.h */

/*
 * Starts a run. With a check (not NULL), which it owns from then on, the run
 * begins once the ranks agree, and under the number of the check. The request
 * (kind REQ_COLL) completes in this call or in a later progress, when this
 * rank's part is done. Takes the next of the communicator's collective numbers,
 * also when it fails; a persistent run takes none. Returns 0 or MRT_ERR_NO_MEM.
 *
 * A message that is too long or too short is an error of this rank, but the
 * run goes on to its end, so that the other ranks get their messages.
 */
int run_start(struct run *run, struct check *check);

/* Makes a trace, if there is one, have runs and their steps; once, at start. */
void run_trace(void);

/*
 * Returns, for tests and tools, the sum of step_hash over the steps that the
 * last run to end has started. Only runs that end after the first call of this
 * function count.
 */
uint64_t run_hash(void);

/* Describes the run of a request in words, as `describe` of request_ops. */
void run_describe(const struct mrt_request *req, char *text, size_t len);

/* Waits for a started run. Returns 0, the run's error, or the error of a fault,
 * after which no request of the run is in any queue. */
int run_wait(struct run *run);
#endif
