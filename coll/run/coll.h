/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll.h: collectives for the rest of the library. They take checked arguments
 * and choose how the call runs: directly (direct.h) inside a node, else by a
 * plan. The caller holds the lock of the process (proc_enter). Functions that
 * return int return 0 or MRT_ERR_*.
 */
#ifndef COLL_COLL_H
#define COLL_COLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coll/call/coll_call.h"
#include "coll/plan/select.h"
#include "p2p/comm.h"
#include "p2p/type/datatype.h"
#include "p2p/request.h"
#include "runtime/base/counters.h"

/* Finds the topology and the machine now. Returns 0 or MRT_ERR_*. */
int coll_find_topology(struct mrt_comm *comm);

/* Sets *choice to what a call with blocks of `bytes` bytes uses, with a sum of
 * doubles if it reduces. choice->algorithm is NULL if the call is direct. */
int coll_choice(struct mrt_comm *comm, enum collective collective, size_t bytes,
		struct choice *choice);

/* Ends the job if the error is that this rank has no memory to take part in a
 * collective: the other ranks do not know that and would wait for ever. Returns
 * the error. */
int coll_cannot(enum collective collective, const struct mrt_comm *comm,
		int error);
/* Runs a call to its end; blocking. Sets the rest of its shape if it goes by a
 * plan. */
int coll_run(struct mrt_comm *comm, struct coll_call *call);
/* Like coll_run, but by a plan whatever the size. */
int coll_run_plan(struct mrt_comm *comm, struct coll_call *call);
/* Make *request for a call: coll_start for the nonblocking form, which it
 * starts, coll_prepare for the persistent form, which it does not start. The
 * public calls complete the request. The functions own call->packing and
 * call->check from then on, also when they fail. */
int coll_start(struct mrt_comm *comm, struct coll_call *call,
	       struct mrt_request **request);
int coll_prepare(struct mrt_comm *comm, struct coll_call *call,
		 struct mrt_request **request);
/* Like coll_prepare, with shared memory of its own for a short call. For that
 * it waits for rank 0. */
int coll_persist(struct mrt_comm *comm, struct coll_call *call,
		 struct mrt_request **request);
/* Releases a request of these functions. */
void coll_release(struct mrt_request *req);

/* Adds what collectives have counted so far to *t. */
void coll_stats(struct counters *t);

/* Returns a number that is the same on all ranks that have begun the same
 * collectives of the communicator. */
uint64_t coll_calls(const struct mrt_comm *comm);

/* Blocks until all ranks of the communicator have called this function. */
int coll_barrier(struct mrt_comm *comm);
/* Waits until no rank acts on the memory of another rank any more in
 * collectives of this communicator. */
int coll_quiesce(struct mrt_comm *comm);
/* Like coll_quiesce, but waits only for this rank's calls on cells and then
 * makes *request, which completes when no rank acts any more. For a
 * communicator of several ranks. Owns check. */
int coll_quiesce_start(struct mrt_comm *comm, struct check *check,
		       struct mrt_request **request);
/* Reduces n words of 64 bits in place; blocking. */
int coll_allreduce_words(struct mrt_comm *comm, uint64_t *words, size_t n,
			 struct mrt_op *op);
/* Gathers words[comm->size], of which each rank gives its own, in place;
 * blocking. */
int coll_allgather_words(struct mrt_comm *comm, uint64_t *words);

/* Reduces words by messages, for cells and boards (turns.h). */
int coll_combine_words(struct mrt_comm *comm, uint64_t *words, size_t n);

/* ---- For coll*.c alone --------------------------------------------------- */

/* Sets what of the call's shape depends on the communicator, the operation and
 * the type. Only blocking calls may make boards. Returns 0 or MRT_ERR_*. */
int coll_complete_shape(struct mrt_comm *comm, struct coll_call *call,
			bool blocking);
/* Runs a call for which is_direct is true by shared memory. */
int coll_run_direct(struct mrt_comm *comm, const struct coll_call *call);
struct direct_call; /* direct_started.h */
/* Tells whether a nonblocking or persistent call may go the direct way, where
 * there are lines for it, and describes it but for its end. */
bool coll_starts_direct(const struct mrt_comm *comm,
			const struct coll_call *call, struct direct_call *c);
/* Returns the elements of all blocks of a reduce_scatter, which all ranks
 * know. */
size_t coll_list_total(const struct mrt_comm *comm,
		       const struct coll_call *call);
#endif
