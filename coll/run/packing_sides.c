/* SPDX-License-Identifier: Apache-2.0 */
/* packing_sides.c: what each collective sends and receives at a rank (shape.h).
 */
#include "coll/run/packing_sides.h"

static void describe_neighbors(const struct coll_args *a, bool alike,
			       struct plain *send, struct plain *recv)
{
	const struct mrt_neighbors *neighbors = a->neighbors;

	send->blocks = alike ? neighbors->ndests != 0 : neighbors->ndests;
	send->ranks = alike ? NULL : neighbors->dests;
	send->lists = a->lists && !alike;
	recv->blocks = neighbors->nsources;
	recv->ranks = neighbors->sources;
	recv->lists = a->lists;
}

/* Between two groups: at most one side of a rooted call, never in place. */
static void describe_inter(const struct coll_args *a,
			   const struct mrt_comm *comm,
			   enum collective collective, struct plain *send,
			   struct plain *recv)
{
	bool root = a->root == MRT_ROOT, part = a->root != MRT_PROC_NULL;
	int n = comm->size;

	switch (collective) {
	case COLL_BCAST:
		send->blocks = 0;
		recv->blocks = part;
		recv->in = root;
		recv->out = !root;
		break;
	case COLL_GATHER:
	case COLL_GATHERV:
		send->blocks = part && !root;
		recv->blocks = root ? n : 0;
		break;
	case COLL_SCATTER:
	case COLL_SCATTERV:
		send->blocks = root ? n : 0;
		recv->blocks = part && !root;
		break;
	case COLL_ALLGATHER:
	case COLL_ALLGATHERV:
	case COLL_ALLTOALL:
	case COLL_ALLTOALLV:
		recv->blocks = n;
		if (collective == COLL_ALLTOALL || collective == COLL_ALLTOALLV)
			send->blocks = n;
		break;
	case COLL_REDUCE:
		send->blocks = part && !root;
		recv->blocks = root;
		break;
	case COLL_REDUCE_SCATTER_BLOCK:
		send->blocks = comm->own_size;
		break;
	default:
		break;
	}
}

static void describe_group(const struct coll_args *a,
			   const struct mrt_comm *comm,
			   enum collective collective, struct plain *send,
			   struct plain *recv)
{
	bool in_place = a->sendbuf == MRT_IN_PLACE;
	bool root = comm->rank == a->root;
	int n = comm->size;

	send->blocks = !in_place;
	recv->in = in_place;
	switch (collective) {
	case COLL_BCAST:
		send->blocks = 0;
		recv->in = root;
		recv->out = !root;
		break;
	case COLL_GATHER:
	case COLL_GATHERV:
		recv->blocks = root ? n : 0;
		break;
	case COLL_SCATTER:
	case COLL_SCATTERV:
		send->blocks = root && !in_place ? n : 0;
		recv->in = false;
		recv->blocks = a->recvbuf != MRT_IN_PLACE;
		break;
	case COLL_ALLGATHER:
	case COLL_ALLGATHERV:
		recv->blocks = n;
		break;
	case COLL_ALLTOALL:
	case COLL_ALLTOALLV:
		send->blocks = in_place ? 0 : n;
		recv->blocks = n;
		break;
	case COLL_REDUCE:
		recv->blocks = root;
		break;
	case COLL_EXSCAN:
		recv->blocks = comm->rank > 0 || in_place;
		recv->out = comm->rank > 0;
		break;
	case COLL_REDUCE_SCATTER_BLOCK:
		send->blocks = in_place ? 0 : n;
		recv->blocks = in_place ? n : 1;
		break;
	case COLL_NEIGHBOR_ALLGATHER:
	case COLL_NEIGHBOR_ALLTOALL:
		describe_neighbors(a, collective == COLL_NEIGHBOR_ALLGATHER,
				   send, recv);
		break;
	default:
		break;
	}
}

void packing_describe(const struct coll_args *a, const struct mrt_comm *comm,
		      enum collective collective, struct plain *send,
		      struct plain *recv)
{
	*send = (struct plain){1, true, false, false, NULL};
	*recv = (struct plain){1, false, true, false, NULL};
	send->lists =
	    collective == COLL_SCATTERV || collective == COLL_ALLTOALLV;
	recv->lists = collective == COLL_GATHERV ||
		      collective == COLL_ALLGATHERV ||
		      collective == COLL_ALLTOALLV;
	if (comm->inter)
		describe_inter(a, comm, collective, send, recv);
	else
		describe_group(a, comm, collective, send, recv);
}
