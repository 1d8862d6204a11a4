/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll.h: collectives for the rest of the library: checked arguments in, the
 * right way chosen (direct.h inside a node, else a plan), the result out.
 * Called with the process locked (proc_enter).
 */
#ifndef COLL_COLL_H
#define COLL_COLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coll/args/coll_call.h"
#include "coll/plan/select.h"
#include "p2p/comm.h"
#include "p2p/type/datatype.h"
#include "p2p/request.h"
#include "runtime/base/counters.h"

/* After communicators, before the first collective; coll_fini in reverse.
 * MRT_ERR_ENV for choices other than those of another rank. */
int coll_init(void);
void coll_fini(void);

/*
 * What coll keeps per communicator. Creating is collective over the new
 * communicator, whose point to point works already; destroying is local, but
 * no rank may use it any more. destroy: NULL coll is fine. An
 * intercommunicator's is empty and local: its collectives run elsewhere.
 */
int coll_comm_create(struct mrt_comm *comm);
void coll_comm_destroy(struct mrt_comm *comm);

/*
 * The same in parts: what is local, before the communicator has an id; rank 0's
 * number, to be told to all; with it, the end of it without cells, local again;
 * and the cells, collective.
 */
int coll_comm_prepare(struct mrt_comm *comm);
int32_t coll_comm_region(const struct mrt_comm *comm);
void coll_comm_attach(struct mrt_comm *comm, int32_t region);
int coll_comm_complete(struct mrt_comm *comm);

/* Where its ranks run. */
struct machine;
const struct machine *coll_machine(const struct mrt_comm *comm);

/* Forces an algorithm from now on, as select_force:
 * for the plans that are made then, and no longer those kept. */
int coll_force(enum collective collective, const char *text);

/* Sets *choice to what a call with blocks of `bytes` bytes uses, with a sum of
 * doubles if it reduces. Its algorithm is NULL if that is the direct way. */
int coll_choice(struct mrt_comm *comm, enum collective collective, size_t bytes,
		struct choice *choice);

/* Runs a call to its end. */
int coll_run(struct mrt_comm *comm, const struct coll_call *call);
/* Like coll_run, but by a plan whatever the size. */
int coll_run_plan(struct mrt_comm *comm, const struct coll_call *call);
/* Make *request for the nonblocking form of a call, and for the persistent
 * form, which is not started yet. The public calls complete it. Both own
 * call->packing and call->check from then on, also when they fail. */
int coll_start(struct mrt_comm *comm, const struct coll_call *call,
	       struct mrt_request **request);
int coll_prepare(struct mrt_comm *comm, const struct coll_call *call,
		 struct mrt_request **request);
/* Releases such a request. */
void coll_release(struct mrt_request *req);

/* Adds what has been counted so far. */
void coll_stats(struct counters *t);

/* Returns a number that is the same on all ranks that have begun the same
 * collectives of the communicator. */
uint64_t coll_calls(const struct mrt_comm *comm);

int coll_barrier(struct mrt_comm *comm);
/* Waits until no rank acts on the memory of another, in collectives of this
 * communicator, any more. */
int coll_quiesce(struct mrt_comm *comm);
/* Like coll_quiesce, as a request, for a communicator of several ranks. Owns
 * check. */
int coll_quiesce_start(struct mrt_comm *comm, struct check *check,
		       struct mrt_request **request);
/* Returns the cells of the communicator, or NULL if no plan needs them. */
struct cells *coll_cells(const struct mrt_comm *comm);
/* Reduces n words of 64 bits in place. */
int coll_allreduce_words(struct mrt_comm *comm, uint64_t *words, size_t n,
			 struct mrt_op *op);

/* ---- For coll*.c alone --------------------------------------------------- */

/* Returns the shape of a call without its topology. */
struct shape coll_shape(const struct mrt_comm *comm,
			const struct coll_call *call);
/* Runs a call for which is_direct is true by shared memory. */
int coll_run_direct(struct mrt_comm *comm, const struct coll_call *call);
#endif
