/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inter_args.c: checks of what an intercommunicator's collectives are called
 * with. Those that only move are exchanges among neighbours: of the root with
 * the ranks of the other group, or of each with these.
 */
#include "coll/args/inter_args.h"
#include "coll/args/coll_state.h"

#include "runtime/engine/proc.h"

/* What a rooted call asks of this rank. */
enum part_of_call { IS_ROOT, HAS_ROOT, TAKES_NO_PART };

static int check_root(const struct mrt_comm *comm, int root,
		      enum part_of_call *part)
{
	*part = root == MRT_ROOT	? IS_ROOT
		: root == MRT_PROC_NULL ? TAKES_NO_PART
					: HAS_ROOT;
	if (*part != HAS_ROOT || (root >= 0 && root < comm->size))
		return 0;
	return proc_fail(MRT_ERR_ROOT,
			 "root %d of a group of %d, and neither "
			 "MRT_ROOT nor MRT_PROC_NULL",
			 root, comm->size);
}

/* ---- What moves -----------------------------------------------------------
 */

static int exchange(const struct coll_args *a, const struct mrt_comm *comm,
		    struct mrt_neighbors neighbors, struct coll_call *call)
{
	struct coll_args among = *a;

	among.neighbors = &neighbors;
	return coll_args_neighbor(&among, comm->inter->merged, call);
}

/* Blocks of the ranks of the other group at root, lists of them or not, and one
 * at these. */
static int with_root(const struct coll_args *a, const struct mrt_comm *comm,
		     bool to_root, bool lists, struct coll_call *call)
{
	const int *peers = comm->inter->peers;
	struct mrt_neighbors neighbors = {0};
	struct coll_args side = *a;
	enum part_of_call part;
	int n, rc = check_root(comm, a->root, &part);

	if (rc)
		return rc;
	call->collective = COLL_NEIGHBOR_ALLTOALL;
	n = part == IS_ROOT ? comm->size : part == HAS_ROOT ? 1 : 0;
	if (part == HAS_ROOT)
		peers += a->root;
	side.lists = lists && part == IS_ROOT;
	if (to_root == (part == IS_ROOT)) {
		neighbors.nsources = n;
		neighbors.sources = peers;
		side.sendbuf = NULL;
	} else {
		neighbors.ndests = n;
		neighbors.dests = peers;
		side.recvbuf = NULL;
	}
	return exchange(&side, comm, neighbors, call);
}

static int with_all(const struct coll_args *a, const struct mrt_comm *comm,
		    enum collective collective, bool lists,
		    struct coll_call *call)
{
	const int *peers = comm->inter->peers;
	struct mrt_neighbors neighbors = {.nsources = comm->size,
					  .sources = peers,
					  .ndests = comm->size,
					  .dests = peers};
	struct coll_args side = *a;

	call->collective = collective;
	side.lists = lists;
	return exchange(&side, comm, neighbors, call);
}

/* ---- Plans of two groups --------------------------------------------------
 */

/* *part of this rank, and call->root: the root's rank of both groups, -1 if
 * this rank takes no part. */
static int find_root(const struct coll_args *a, const struct mrt_comm *comm,
		     struct coll_call *call, enum part_of_call *part)
{
	const struct comm_inter *i = comm->inter;
	int rc = check_root(comm, a->root, part);

	if (!rc)
		call->root = *part == IS_ROOT	 ? i->merged->rank
			     : *part == HAS_ROOT ? i->peers[a->root]
						 : -1;
	return rc;
}

static int check_bcast(const struct coll_args *a, const struct mrt_comm *comm,
		       struct coll_call *call)
{
	struct side buf = {"buf",	 "count",     "type", a->recvbuf,
			   a->recvcount, a->recvtype, 1,      false};
	enum part_of_call part;
	int rc = find_root(a, comm, call, &part);

	if (rc || part == TAKES_NO_PART)
		return rc;
	call->recv = a->recvbuf;
	return coll_check_side(&buf, &call->count);
}

/* nsend blocks of a->recvcount elements are sent, and one block of nrecv
 * elements is received; 0: none. */
static int check_vectors(const struct coll_args *a, size_t nsend, size_t nrecv,
			 struct coll_call *call)
{
	struct side send = {"sendbuf", "count",	    "type", a->sendbuf,
			    nsend,     a->recvtype, 1,	    a->packed};
	struct side recv = {"recvbuf", "count",	    "type", a->recvbuf,
			    nrecv,     a->recvtype, 1,	    a->packed};
	size_t sent = 0, received = 0;
	int rc;

	if ((nsend && (rc = coll_check_side(&send, &sent))) ||
	    (nrecv && (rc = coll_check_side(&recv, &received))) ||
	    (rc = coll_check_overlap(a->sendbuf, sent, a->recvbuf, received)))
		return rc;
	call->send = nsend ? a->sendbuf : NULL;
	call->recv = nrecv ? a->recvbuf : NULL;
	return 0;
}

static int check_reduce(const struct coll_args *a, const struct mrt_comm *comm,
			struct coll_call *call)
{
	size_t n = a->recvcount;
	enum part_of_call part;
	int rc = find_root(a, comm, call, &part);

	if (rc || part == TAKES_NO_PART)
		return rc;
	rc = coll_check_op(call, a->recvtype, a->op);
	call->count = n;
	return rc ? rc
		  : check_vectors(a, part == HAS_ROOT ? n : 0,
				  part == IS_ROOT ? n : 0, call);
}

static int check_allreduce(const struct coll_args *a, struct coll_call *call)
{
	int rc = coll_check_op(call, a->recvtype, a->op);

	call->count = a->recvcount;
	return rc ? rc : check_vectors(a, call->count, call->count, call);
}

/* The blocks of the own group, at their ranks of both. */
static int check_reduce_scatter(const struct coll_args *a,
				const struct mrt_comm *comm, bool lists,
				struct coll_call *call)
{
	struct mrt_comm *merged = comm->inter->merged;
	struct block *blocks = coll_blocks(merged, (size_t)merged->size);
	int rc = coll_check_op(call, a->recvtype, a->op);
	size_t total = 0;

	if (!blocks)
		return proc_fail(MRT_ERR_NO_MEM, "blocks of %d ranks",
				 merged->size);
	if (!rc && lists && !a->recvcounts)
		return proc_fail(MRT_ERR_ARG, "recvcounts is NULL");
	for (int r = 0; r < merged->size && !rc; r++) {
		int own = r - comm->inter->own;
		size_t n = own < 0 || own >= comm->own_size ? 0
			   : lists			    ? a->recvcounts[own]
							    : a->recvcount;

		if (n > SIZE_MAX / 128 - total)
			return proc_fail(MRT_ERR_COUNT,
					 "%zu elements for "
					 "rank %d (a negative count?)",
					 n, own);
		blocks[r] = (struct block){total, n};
		total += n;
	}
	call->collective = COLL_REDUCE_SCATTER;
	call->recv_blocks = blocks;
	return rc ? rc
		  : check_vectors(a, total, blocks[merged->rank].count, call);
}

/* ---- All ------------------------------------------------------------------
 */

static int check_move(const struct coll_args *a, const struct mrt_comm *comm,
		      struct coll_call *call)
{
	switch (call->collective) {
	case COLL_GATHER:
		return with_root(a, comm, true, false, call);
	case COLL_GATHERV:
		return with_root(a, comm, true, true, call);
	case COLL_SCATTER:
		return with_root(a, comm, false, false, call);
	case COLL_SCATTERV:
		return with_root(a, comm, false, true, call);
	case COLL_ALLGATHER:
		return with_all(a, comm, COLL_NEIGHBOR_ALLGATHER, false, call);
	case COLL_ALLGATHERV:
		return with_all(a, comm, COLL_NEIGHBOR_ALLGATHER, true, call);
	case COLL_ALLTOALL:
		return with_all(a, comm, COLL_NEIGHBOR_ALLTOALL, false, call);
	case COLL_ALLTOALLV:
		return with_all(a, comm, COLL_NEIGHBOR_ALLTOALL, true, call);
	default:
		return proc_fail(MRT_ERR_COMM, "not for intercommunicators");
	}
}

int inter_args_check(const struct coll_args *a, struct mrt_comm *comm,
		     struct coll_call *call)
{
	const struct comm_inter *i = comm->inter;

	call->type = type_get(MRT_BYTE);
	if (call->collective == COLL_BARRIER) {
		call->type = NULL;
		return 0;
	}
	call->low = i->own ? i->own : i->other;
	switch (call->collective) {
	case COLL_BCAST:
		return check_bcast(a, comm, call);
	case COLL_REDUCE:
		return check_reduce(a, comm, call);
	case COLL_ALLREDUCE:
		return check_allreduce(a, call);
	case COLL_REDUCE_SCATTER_BLOCK:
		return check_reduce_scatter(a, comm, false, call);
	case COLL_REDUCE_SCATTER:
		return check_reduce_scatter(a, comm, true, call);
	default:
		call->low = 0;
		return check_move(a, comm, call);
	}
}
