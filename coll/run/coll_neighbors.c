/* SPDX-License-Identifier: Apache-2.0 */
/* coll_neighbors.c: the public collectives among neighbours. */
#include "coll/run/entry_lists.h"

#define LAST_PARAMETERS                                                        \
	const struct mrt_neighbors *neighbors, struct mrt_comm *comm
#define PARAMETERS SEND_PARAMETERS, RECV_PARAMETERS, LAST_PARAMETERS
#define ALLGATHERV_PARAMETERS                                                  \
	SEND_PARAMETERS, RECV_LIST_PARAMETERS, LAST_PARAMETERS
#define ALLTOALLV_PARAMETERS V_PARAMETERS, LAST_PARAMETERS
#define ALLTOALLW_PARAMETERS W_PARAMETERS, LAST_PARAMETERS
#define BLOCK_ARGS ARGS(SEND, RECV, .neighbors = neighbors)
#define LIST_ARGS(...) ARGS(__VA_ARGS__, .neighbors = neighbors, .lists = true)

int mrt_neighbor_allgather(PARAMETERS)
{
	return coll_blocking("mrt_neighbor_allgather", COLL_NEIGHBOR_ALLGATHER,
			     BLOCK_ARGS, comm);
}

int mrt_ineighbor_allgather(PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_ineighbor_allgather",
				COLL_NEIGHBOR_ALLGATHER, BLOCK_ARGS, comm,
				request);
}

int mrt_neighbor_allgather_init(PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_neighbor_allgather_init",
			       COLL_NEIGHBOR_ALLGATHER, BLOCK_ARGS, comm,
			       request);
}

int mrt_neighbor_allgatherv(ALLGATHERV_PARAMETERS)
{
	return coll_blocking("mrt_neighbor_allgatherv", COLL_NEIGHBOR_ALLGATHER,
			     LIST_ARGS(SEND, RECV_LIST), comm);
}

int mrt_ineighbor_allgatherv(ALLGATHERV_PARAMETERS,
			     struct mrt_request **request)
{
	return coll_nonblocking("mrt_ineighbor_allgatherv",
				COLL_NEIGHBOR_ALLGATHER,
				LIST_ARGS(SEND, RECV_LIST), comm, request);
}

int mrt_neighbor_allgatherv_init(ALLGATHERV_PARAMETERS,
				 struct mrt_request **request)
{
	return coll_persistent("mrt_neighbor_allgatherv_init",
			       COLL_NEIGHBOR_ALLGATHER,
			       LIST_ARGS(SEND, RECV_LIST), comm, request);
}

int mrt_neighbor_alltoall(PARAMETERS)
{
	return coll_blocking("mrt_neighbor_alltoall", COLL_NEIGHBOR_ALLTOALL,
			     BLOCK_ARGS, comm);
}

int mrt_ineighbor_alltoall(PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_ineighbor_alltoall",
				COLL_NEIGHBOR_ALLTOALL, BLOCK_ARGS, comm,
				request);
}

int mrt_neighbor_alltoall_init(PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_neighbor_alltoall_init",
			       COLL_NEIGHBOR_ALLTOALL, BLOCK_ARGS, comm,
			       request);
}

int mrt_neighbor_alltoallv(ALLTOALLV_PARAMETERS)
{
	return coll_blocking("mrt_neighbor_alltoallv", COLL_NEIGHBOR_ALLTOALL,
			     LIST_ARGS(V_LISTS), comm);
}

int mrt_ineighbor_alltoallv(ALLTOALLV_PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_ineighbor_alltoallv",
				COLL_NEIGHBOR_ALLTOALL, LIST_ARGS(V_LISTS),
				comm, request);
}

int mrt_neighbor_alltoallv_init(ALLTOALLV_PARAMETERS,
				struct mrt_request **request)
{
	return coll_persistent("mrt_neighbor_alltoallv_init",
			       COLL_NEIGHBOR_ALLTOALL, LIST_ARGS(V_LISTS), comm,
			       request);
}

int mrt_neighbor_alltoallw(ALLTOALLW_PARAMETERS)
{
	return coll_blocking("mrt_neighbor_alltoallw", COLL_NEIGHBOR_ALLTOALL,
			     LIST_ARGS(W_LISTS), comm);
}

int mrt_ineighbor_alltoallw(ALLTOALLW_PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_ineighbor_alltoallw",
				COLL_NEIGHBOR_ALLTOALL, LIST_ARGS(W_LISTS),
				comm, request);
}

int mrt_neighbor_alltoallw_init(ALLTOALLW_PARAMETERS,
				struct mrt_request **request)
{
	return coll_persistent("mrt_neighbor_alltoallw_init",
			       COLL_NEIGHBOR_ALLTOALL, LIST_ARGS(W_LISTS), comm,
			       request);
}
