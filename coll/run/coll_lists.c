/* SPDX-License-Identifier: Apache-2.0 */
/* coll_lists.c: the public collectives with a count, and perhaps a type, for
 * each rank. */
#include "coll/run/entry_lists.h"

#define GATHERV_PARAMETERS                                                     \
	SEND_PARAMETERS, RECV_LIST_PARAMETERS, int root, struct mrt_comm *comm
#define GATHERV_ARGS ARGS(SEND, RECV_LIST, .root = root)

int mrt_gatherv(GATHERV_PARAMETERS)
{
	return coll_blocking("mrt_gatherv", COLL_GATHERV, GATHERV_ARGS, comm);
}

int mrt_igatherv(GATHERV_PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_igatherv", COLL_GATHERV, GATHERV_ARGS,
				comm, request);
}

int mrt_gatherv_init(GATHERV_PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_gatherv_init", COLL_GATHERV, GATHERV_ARGS,
			       comm, request);
}

#define SCATTERV_PARAMETERS                                                    \
	const void *sendbuf, const size_t sendcounts[],                        \
	    const ptrdiff_t displs[], struct mrt_type *sendtype,               \
	    RECV_PARAMETERS, int root, struct mrt_comm *comm
#define SCATTERV_ARGS ARGS(LISTS(send, displs, type), RECV, .root = root)

int mrt_scatterv(SCATTERV_PARAMETERS)
{
	return coll_blocking("mrt_scatterv", COLL_SCATTERV, SCATTERV_ARGS,
			     comm);
}

int mrt_iscatterv(SCATTERV_PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_iscatterv", COLL_SCATTERV, SCATTERV_ARGS,
				comm, request);
}

int mrt_scatterv_init(SCATTERV_PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_scatterv_init", COLL_SCATTERV,
			       SCATTERV_ARGS, comm, request);
}

#define ALLGATHERV_PARAMETERS                                                  \
	SEND_PARAMETERS, RECV_LIST_PARAMETERS, struct mrt_comm *comm

int mrt_allgatherv(ALLGATHERV_PARAMETERS)
{
	return coll_blocking("mrt_allgatherv", COLL_ALLGATHERV,
			     ARGS(SEND, RECV_LIST), comm);
}

int mrt_iallgatherv(ALLGATHERV_PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_iallgatherv", COLL_ALLGATHERV,
				ARGS(SEND, RECV_LIST), comm, request);
}

int mrt_allgatherv_init(ALLGATHERV_PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_allgatherv_init", COLL_ALLGATHERV,
			       ARGS(SEND, RECV_LIST), comm, request);
}

#define ALLTOALLV_PARAMETERS V_PARAMETERS, struct mrt_comm *comm

int mrt_alltoallv(ALLTOALLV_PARAMETERS)
{
	return coll_blocking("mrt_alltoallv", COLL_ALLTOALLV, ARGS(V_LISTS),
			     comm);
}

int mrt_ialltoallv(ALLTOALLV_PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_ialltoallv", COLL_ALLTOALLV, ARGS(V_LISTS),
				comm, request);
}

int mrt_alltoallv_init(ALLTOALLV_PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_alltoallv_init", COLL_ALLTOALLV,
			       ARGS(V_LISTS), comm, request);
}

#define ALLTOALLW_PARAMETERS W_PARAMETERS, struct mrt_comm *comm

int mrt_alltoallw(ALLTOALLW_PARAMETERS)
{
	return coll_blocking("mrt_alltoallw", COLL_ALLTOALLV, ARGS(W_LISTS),
			     comm);
}

int mrt_ialltoallw(ALLTOALLW_PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_ialltoallw", COLL_ALLTOALLV, ARGS(W_LISTS),
				comm, request);
}

int mrt_alltoallw_init(ALLTOALLW_PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_alltoallw_init", COLL_ALLTOALLV,
			       ARGS(W_LISTS), comm, request);
}
