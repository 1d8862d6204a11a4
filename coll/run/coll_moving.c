/* SPDX-License-Identifier: Apache-2.0 */
/* coll_moving.c: the public collectives that move blocks of one length. */
#include "coll/run/coll_short.h"
#include "coll/run/entry.h"

int mrt_barrier(struct mrt_comm *comm)
{
	int rc = short_barrier(comm);

	return rc > 0
		   ? coll_blocking("mrt_barrier", COLL_BARRIER, ARGS(0), comm)
		   : proc_result("mrt_barrier", rc);
}

int mrt_ibarrier(struct mrt_comm *comm, struct mrt_request **request)
{
	return coll_nonblocking("mrt_ibarrier", COLL_BARRIER, ARGS(0), comm,
				request);
}

int mrt_barrier_init(struct mrt_comm *comm, struct mrt_request **request)
{
	return coll_persistent("mrt_barrier_init", COLL_BARRIER, ARGS(0), comm,
			       request);
}

#define BCAST_PARAMETERS                                                       \
	void *buf, size_t count, struct mrt_type *type, int root,              \
	    struct mrt_comm *comm
#define BCAST_ARGS                                                             \
	ARGS(.recv = {.buf = buf, .count = count, .type = type}, .root = root)

int mrt_bcast(BCAST_PARAMETERS)
{
	int rc = short_bcast(buf, count, type, root, comm);

	return rc > 0 ? coll_blocking("mrt_bcast", COLL_BCAST, BCAST_ARGS, comm)
		      : proc_result("mrt_bcast", rc);
}

int mrt_ibcast(BCAST_PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_ibcast", COLL_BCAST, BCAST_ARGS, comm,
				request);
}

int mrt_bcast_init(BCAST_PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_bcast_init", COLL_BCAST, BCAST_ARGS, comm,
			       request);
}

#define ROOTED_PARAMETERS                                                      \
	SEND_PARAMETERS, RECV_PARAMETERS, int root, struct mrt_comm *comm
#define ROOTED_ARGS ARGS(SEND, RECV, .root = root)

int mrt_gather(ROOTED_PARAMETERS)
{
	int rc = short_moves(COLL_GATHER, ROOTED_ARGS, comm);

	return rc > 0
		   ? coll_blocking("mrt_gather", COLL_GATHER, ROOTED_ARGS, comm)
		   : proc_result("mrt_gather", rc);
}

int mrt_igather(ROOTED_PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_igather", COLL_GATHER, ROOTED_ARGS, comm,
				request);
}

int mrt_gather_init(ROOTED_PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_gather_init", COLL_GATHER, ROOTED_ARGS,
			       comm, request);
}

int mrt_scatter(ROOTED_PARAMETERS)
{
	int rc = short_moves(COLL_SCATTER, ROOTED_ARGS, comm);

	return rc > 0 ? coll_blocking("mrt_scatter", COLL_SCATTER, ROOTED_ARGS,
				      comm)
		      : proc_result("mrt_scatter", rc);
}

int mrt_iscatter(ROOTED_PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_iscatter", COLL_SCATTER, ROOTED_ARGS, comm,
				request);
}

int mrt_scatter_init(ROOTED_PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_scatter_init", COLL_SCATTER, ROOTED_ARGS,
			       comm, request);
}

#define PARAMETERS SEND_PARAMETERS, RECV_PARAMETERS, struct mrt_comm *comm
#define MOVE_ARGS ARGS(SEND, RECV)

int mrt_allgather(PARAMETERS)
{
	int rc = short_moves(COLL_ALLGATHER, MOVE_ARGS, comm);

	return rc > 0 ? coll_blocking("mrt_allgather", COLL_ALLGATHER,
				      MOVE_ARGS, comm)
		      : proc_result("mrt_allgather", rc);
}

int mrt_iallgather(PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_iallgather", COLL_ALLGATHER, MOVE_ARGS,
				comm, request);
}

int mrt_allgather_init(PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_allgather_init", COLL_ALLGATHER, MOVE_ARGS,
			       comm, request);
}

int mrt_alltoall(PARAMETERS)
{
	int rc = short_moves(COLL_ALLTOALL, MOVE_ARGS, comm);

	return rc > 0 ? coll_blocking("mrt_alltoall", COLL_ALLTOALL, MOVE_ARGS,
				      comm)
		      : proc_result("mrt_alltoall", rc);
}

int mrt_ialltoall(PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_ialltoall", COLL_ALLTOALL, MOVE_ARGS, comm,
				request);
}

int mrt_alltoall_init(PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_alltoall_init", COLL_ALLTOALL, MOVE_ARGS,
			       comm, request);
}
