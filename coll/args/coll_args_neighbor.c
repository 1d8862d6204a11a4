/* SPDX-License-Identifier: Apache-2.0 */
/* coll_args_neighbor.c: checks of collectives among neighbours. */
#include "coll/args/coll_args.h"
#include "coll/args/coll_state.h"
#include "coll/plan/neighbor.h"
#include "p2p/args.h"

/* ---- Neighbours --------------------------------------------------------- */

/* How many of list[n] are the own rank; out of range: -1, and *bad which
 * one. */
static int count_rank(const int *list, int n, const struct mrt_comm *comm,
		      int *bad)
{
	int own = 0;

	for (*bad = 0; *bad < n; ++*bad) {
		if (list[*bad] == MRT_PROC_NULL)
			continue;
		if (list[*bad] < 0 || list[*bad] >= comm->size)
			return -1;
		own += list[*bad] == comm->rank;
	}
	return own;
}

static int check_neighbors(const struct mrt_neighbors *n,
			   const struct mrt_comm *comm)
{
	int bad, from, to;

	if (!n)
		return proc_fail(MRT_ERR_ARG, "neighbors is NULL");
	if (n->nsources < 0 || n->ndests < 0)
		return proc_fail(MRT_ERR_ARG, "%d sources and %d dests",
				 n->nsources, n->ndests);
	if (n->grid && (n->nsources % 2 || n->nsources != n->ndests))
		return proc_fail(MRT_ERR_ARG,
				 "%d sources and %d dests are not "
				 "the pairs of a grid",
				 n->nsources, n->ndests);
	if ((n->nsources && !n->sources) || (n->ndests && !n->dests))
		return proc_fail(MRT_ERR_ARG, "sources or dests is NULL");
	from = count_rank(n->sources, n->nsources, comm, &bad);
	if (from < 0)
		return proc_fail(MRT_ERR_RANK, "source %d is rank %d of %d",
				 bad, n->sources[bad], comm->size);
	to = count_rank(n->dests, n->ndests, comm, &bad);
	if (to < 0)
		return proc_fail(MRT_ERR_RANK, "dest %d is rank %d of %d", bad,
				 n->dests[bad], comm->size);
	if (from != to)
		return proc_fail(MRT_ERR_ARG,
				 "rank %d is %d times its own "
				 "source and %d times its own dest",
				 comm->rank, from, to);
	return 0;
}

static int take_neighbors(const struct mrt_neighbors *n,
			  const struct mrt_comm *comm, struct coll_call *call)
{
	int rc = check_neighbors(n, comm);

	if (rc)
		return rc;
	call->neighbor_lists = (struct neighbors){
	    n->nsources, n->ndests, n->sources, n->dests, n->grid != 0};
	call->neighbors = &call->neighbor_lists;
	return 0;
}

/* ---- Blocks ------------------------------------------------------------- */

/* What a rank has for itself is as long on both sides, and lies apart. */
static int check_own(const struct coll_call *call, const struct mrt_comm *comm)
{
	const struct neighbors *nb = &call->neighbor_lists;
	struct shape s = {.count = call->count,
			  .send = call->send_blocks,
			  .recv = call->recv_blocks};

	for (int i = 0; i < nb->ndests; i++) {
		struct block out = {0, call->count}, in;
		int rc;

		if (nb->dests[i] != comm->rank)
			continue;
		if (call->collective == COLL_NEIGHBOR_ALLTOALL)
			out = shape_send(&s, i);
		in = shape_recv(&s, neighbor_own_source(nb, i));
		rc = coll_check_equal(out.count, in.count);
		if (!rc)
			rc = coll_check_overlap(
			    coll_place(call->send, &out), out.count,
			    coll_place(call->recv, &in), in.count);
		if (rc)
			return rc;
	}
	return 0;
}

static struct block *make_room(struct mrt_comm *comm,
			       const struct coll_call *call)
{
	const struct neighbors *nb = &call->neighbor_lists;
	struct block *blocks =
	    coll_blocks(comm, (size_t)nb->nsources + (size_t)nb->ndests);

	if (!blocks)
		proc_fail(MRT_ERR_NO_MEM, "blocks of neighbours");
	return blocks;
}

/* Blocks received that are not as long as those sent. */
static int take_lengths(struct mrt_comm *comm, struct coll_call *call,
			size_t received)
{
	struct block *in = make_room(comm, call);

	if (!in)
		return MRT_ERR_NO_MEM;
	for (int i = 0; i < call->neighbor_lists.nsources; i++)
		in[i] = (struct block){(size_t)i * received, received};
	call->recv_blocks = in;
	return 0;
}

static int of_one_length(const struct coll_args *a, struct mrt_comm *comm,
			 struct coll_call *call, int nsend)
{
	struct side send = coll_send_side(a, nsend);
	struct side recv = coll_recv_side(a, call->neighbor_lists.nsources);
	size_t sent = 0, received = 0;
	int rc;

	if (send.n && (rc = coll_check_side(&send, &sent)))
		return rc;
	if (recv.n && (rc = coll_check_side(&recv, &received)))
		return rc;
	rc = coll_check_overlap(a->sendbuf, sent * (size_t)send.n, a->recvbuf,
				received * (size_t)recv.n);
	call->send = send.n ? a->sendbuf : NULL;
	call->recv = recv.n ? a->recvbuf : NULL;
	call->count = send.n ? sent : received;
	if (!rc && received != call->count)
		rc = take_lengths(comm, call, received);
	return rc;
}

static int of_many(const struct coll_args *a, struct mrt_comm *comm,
		   struct coll_call *call, int nsend)
{
	struct lists out = coll_send_lists(a), in = coll_recv_lists(a);
	struct side send = coll_send_side(a, nsend);
	struct block *blocks = make_room(comm, call);
	int rc;

	if (!blocks)
		return MRT_ERR_NO_MEM;
	call->send = a->sendbuf;
	call->recv = a->recvbuf;
	call->recv_blocks = blocks;
	rc = coll_make_blocks(&in, call->neighbor_lists.nsources, blocks);
	if (rc)
		return rc;
	if (call->collective == COLL_NEIGHBOR_ALLGATHER)
		return send.n ? coll_check_side(&send, &call->count) : 0;
	blocks += call->neighbor_lists.nsources;
	call->send_blocks = blocks;
	return coll_make_blocks(&out, nsend, blocks);
}

int coll_args_neighbor(const struct coll_args *a, struct mrt_comm *comm,
		       struct coll_call *call)
{
	int rc = take_neighbors(a->neighbors, comm, call);
	int nsend = call->neighbor_lists.ndests;

	if (rc)
		return rc;
	if (call->collective == COLL_NEIGHBOR_ALLGATHER)
		nsend = nsend != 0;
	rc = a->lists ? of_many(a, comm, call, nsend)
		      : of_one_length(a, comm, call, nsend);
	return rc ? rc : check_own(call, comm);
}
