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

/* What a regular call with blocks of so many bytes uses, a sum of doubles if it
 * reduces; algorithm NULL: the direct way. */
int coll_choice(struct mrt_comm *comm, enum collective collective, size_t bytes,
		struct choice *choice);

/* Runs it to the end. */
int coll_run(struct mrt_comm *comm, const struct coll_call *call);
/* The same by a plan, whatever the size. */
int coll_run_plan(struct mrt_comm *comm, const struct coll_call *call);
/* The nonblocking form, and the persistent one (not yet started): *request,
 * which the public calls complete. */
int coll_start(struct mrt_comm *comm, const struct coll_call *call,
	       struct mrt_request **request);
int coll_prepare(struct mrt_comm *comm, const struct coll_call *call,
		 struct mrt_request **request);
/* The release of such a request. */
void coll_release(struct mrt_request *req);

/* Adds what has been counted so far. */
void coll_stats(struct counters *t);

/* How many this rank has begun, as any number that is the same on all ranks
 * that have called the same. */
uint64_t coll_calls(const struct mrt_comm *comm);

int coll_barrier(struct mrt_comm *comm);
/* Waits until no rank acts on the memory of another, in collectives of this
 * communicator, any more. */
int coll_quiesce(struct mrt_comm *comm);
/* The same as a request, of a communicator of several ranks. Owns verify. */
int coll_quiesce_start(struct mrt_comm *comm, struct check *check,
		       struct mrt_request **request);
/* Its cells; NULL if no plan needs them. */
struct cells *coll_cells(const struct mrt_comm *comm);
/* Over `words` of 64 bits, in place. */
int coll_allreduce_words(struct mrt_comm *comm, uint64_t *words, size_t n,
			 struct mrt_op *op);

/* ---- For coll*.c alone --------------------------------------------------- */

/* The shape of a call but for its topology. */
struct shape coll_shape(const struct mrt_comm *comm,
			const struct coll_call *call);
/* The call by shared memory; is_direct has said so. */
int coll_run_direct(struct mrt_comm *comm, const struct coll_call *call);
#endif
