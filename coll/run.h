/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.h: executes a plan on point-to-point messages: a state machine driven
 * by completions, so that blocking and nonblocking calls are the same code.
 *
 * A run is made for one shape and used again for every call of that shape
 * (one at a time); starting it allocates nothing but room for temporaries,
 * and that only when the one kept from earlier calls is taken or too small.
 */
#ifndef COLL_RUN_H
#define COLL_RUN_H

#include "coll/op.h"
#include "coll/plan.h"
#include "coll/select.h"
#include "p2p/comm.h"
#include "p2p/request.h"

/* What a call brings along that is not in its shape. */
struct run_args {
	const void *send; /* NULL or the same as recv: in place */
	void *recv;
	const struct mrt_op *op; /* NULL where nothing is reduced */
	const struct mrt_type *type;
};

struct run; /* private, but for the request it begins with */

/* Selects, plans, allocates. NULL: no memory. */
struct run *run_create(enum collective collective, const struct shape *shape,
		       struct mrt_comm *comm);
/* Not while it is busy. NULL is fine. */
void run_destroy(struct run *run);

bool run_is_for(const struct run *run, enum collective collective,
		const struct shape *shape);
/* Started and not yet finished. */
bool run_is_busy(const struct run *run);

/*
 * Starts it; the request (kind REQ_COLL) completes in this call or in a later
 * progress, when this rank's part is done. Takes the next of the
 * communicator's collective numbers, also when it fails. MRT_ERR_NO_MEM.
 *
 * A message that is too long or too short is an error of this rank, but the
 * run goes on to its end, so that the other ranks get their messages.
 */
int run_start(struct run *run, const struct run_args *args);

/* Waits for a started run; its error, or a fault, after which no request of
 * the run is in any queue. */
int run_wait(struct run *run);

/* Frees the room kept for temporaries, at finalize. */
void run_fini(void);
#endif
