/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inter_args.c: turns calls on an intercommunicator into calls on its hidden
 * communicator of both groups (comm.h). Collectives that only move data become
 * exchanges among neighbours: between the root and the ranks of the other
 * group, or between each rank and the ranks of the other group. The other
 * collectives have plans for two groups (inter/inter.h).
 */
#include "coll/call/coll_args.h"
#include "runtime/engine/proc.h"

int inter_check_root(const struct coll_args *a, const struct mrt_comm *comm,
		     struct coll_call *call)
{
	const struct rule *rule = &rules[call->collective];

	if (!rule->intercommunicator)
		return proc_fail(MRT_ERR_COMM, "not for intercommunicators");
	if (!rule->rooted)
		return 0;
	if (a->root == MRT_ROOT)
		call->shape.root = comm->inter->merged->rank;
	else if (a->root == MRT_PROC_NULL)
		call->shape.root = -1;
	else if (a->root >= 0 && a->root < comm->size)
		call->shape.root = comm->inter->peers[a->root];
	else
		return proc_fail(MRT_ERR_ROOT,
				 "root %d of a group of %d, and neither "
				 "MRT_ROOT nor MRT_PROC_NULL",
				 a->root, comm->size);
	return 0;
}

void inter_translate(const struct coll_args *a, const struct mrt_comm *comm,
		     struct coll_call *call)
{
	const struct rule *rule = &rules[call->collective];
	const int *peers = comm->inter->peers;

	if (rule->reduces || rule->send.holds == HOLDS_NOTHING) {
		call->shape.low = comm_low(comm);
		if (rule->send.holds == HOLDS_EACH)
			call->collective = COLL_REDUCE_SCATTER;
		return;
	}
	call->collective = rule->rooted || rule->send.holds == HOLDS_EACH
			       ? COLL_NEIGHBOR_ALLTOALL
			       : COLL_NEIGHBOR_ALLGATHER;
	if (rule->rooted && a->root >= 0)
		peers += a->root;
	/* the one block of an allgather goes to all ranks of the other group */
	call->neighbor_lists =
	    (struct neighbors){.nsources = a->recv.n,
			       .ndests = rule->rooted ? a->send.n : comm->size,
			       .sources = peers,
			       .dests = peers};
	call->shape.neighbors = &call->neighbor_lists;
	call->shape.root = 0;
}
