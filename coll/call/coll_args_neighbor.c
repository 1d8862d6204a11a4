/* SPDX-License-Identifier: Apache-2.0 */
/* coll_args_neighbor.c: checks the neighbours of a neighbour collective. */
#include "coll/call/coll_args.h"
#include "coll/plan/neighbor.h"
#include "runtime/engine/proc.h"

/* Returns how often the own rank is in list[n]; or -1 if a rank is out of
 * range, with its index in *bad. */
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

int coll_check_neighbors(const struct mrt_neighbors *n,
			 const struct mrt_comm *comm, struct coll_call *call)
{
	int rc = check_neighbors(n, comm);

	if (rc)
		return rc;
	call->neighbor_lists = (struct neighbors){
	    n->nsources, n->ndests, n->sources, n->dests, n->grid != 0};
	call->shape.neighbors = &call->neighbor_lists;
	return 0;
}

int coll_check_own(const struct mrt_comm *comm, const struct coll_call *call,
		   bool packed)
{
	const struct neighbors *nb = call->shape.neighbors;
	bool alike = rules[call->collective].send.holds == HOLDS_ONE;
	struct shape s = {.count = call->shape.count,
			  .send = call->shape.send,
			  .recv = call->shape.recv};
	int rc = 0;

	for (int i = 0; i < nb->ndests && !rc; i++) {
		struct block out, in;

		if (nb->dests[i] != comm->rank)
			continue;
		out = shape_send(&s, alike ? 0 : i);
		in = shape_recv(&s, neighbor_own_source(nb, i));
		rc = coll_check_equal(out.count, in.count);
		if (!rc && !packed)
			rc = coll_check_overlap(
			    coll_place(call->send, &out), out.count,
			    coll_place(call->recv, &in), in.count);
	}
	return rc;
}
