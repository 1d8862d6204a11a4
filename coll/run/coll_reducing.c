/* SPDX-License-Identifier: Apache-2.0 */
/* coll_reducing.c: the public reductions. */
#include "coll/run/coll_short.h"
#include "coll/run/entry.h"

#define VECTOR_PARAMETERS                                                      \
	const void *sendbuf, void *recvbuf, size_t count,                      \
	    struct mrt_type *type, struct mrt_op *op
#define VECTOR                                                                 \
	.send = {.buf = sendbuf, .count = count, .type = type},                \
	.recv = {.buf = recvbuf, .count = count, .type = type}, .op = op
#define PARAMETERS VECTOR_PARAMETERS, struct mrt_comm *comm
#define REDUCE_PARAMETERS VECTOR_PARAMETERS, int root, struct mrt_comm *comm

int mrt_reduce(REDUCE_PARAMETERS)
{
	int rc = short_reduce(sendbuf, recvbuf, count, type, op, root, comm);

	return rc > 0 ? coll_blocking("mrt_reduce", COLL_REDUCE,
				      ARGS(VECTOR, .root = root), comm)
		      : proc_result("mrt_reduce", rc);
}

int mrt_ireduce(REDUCE_PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_ireduce", COLL_REDUCE,
				ARGS(VECTOR, .root = root), comm, request);
}

int mrt_reduce_init(REDUCE_PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_reduce_init", COLL_REDUCE,
			       ARGS(VECTOR, .root = root), comm, request);
}

int mrt_allreduce(PARAMETERS)
{
	int rc = short_allreduce(sendbuf, recvbuf, count, type, op, comm);

	return rc > 0 ? coll_blocking("mrt_allreduce", COLL_ALLREDUCE,
				      ARGS(VECTOR), comm)
		      : proc_result("mrt_allreduce", rc);
}

int mrt_iallreduce(PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_iallreduce", COLL_ALLREDUCE, ARGS(VECTOR),
				comm, request);
}

int mrt_allreduce_init(PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_allreduce_init", COLL_ALLREDUCE,
			       ARGS(VECTOR), comm, request);
}

int mrt_scan(PARAMETERS)
{
	int rc =
	    short_prefix(COLL_SCAN, sendbuf, recvbuf, count, type, op, comm);

	return rc > 0 ? coll_blocking("mrt_scan", COLL_SCAN, ARGS(VECTOR), comm)
		      : proc_result("mrt_scan", rc);
}

int mrt_iscan(PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_iscan", COLL_SCAN, ARGS(VECTOR), comm,
				request);
}

int mrt_scan_init(PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_scan_init", COLL_SCAN, ARGS(VECTOR), comm,
			       request);
}

int mrt_exscan(PARAMETERS)
{
	int rc =
	    short_prefix(COLL_EXSCAN, sendbuf, recvbuf, count, type, op, comm);

	return rc > 0 ? coll_blocking("mrt_exscan", COLL_EXSCAN, ARGS(VECTOR),
				      comm)
		      : proc_result("mrt_exscan", rc);
}

int mrt_iexscan(PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_iexscan", COLL_EXSCAN, ARGS(VECTOR), comm,
				request);
}

int mrt_exscan_init(PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_exscan_init", COLL_EXSCAN, ARGS(VECTOR),
			       comm, request);
}

#define BLOCK_PARAMETERS                                                       \
	const void *sendbuf, void *recvbuf, size_t recvcount,                  \
	    struct mrt_type *type, struct mrt_op *op, struct mrt_comm *comm
#define BLOCK_ARGS                                                             \
	ARGS(.send = {.buf = sendbuf, .count = recvcount, .type = type},       \
	     .recv = {.buf = recvbuf, .count = recvcount, .type = type},       \
	     .op = op)

int mrt_reduce_scatter_block(BLOCK_PARAMETERS)
{
	return coll_blocking("mrt_reduce_scatter_block",
			     COLL_REDUCE_SCATTER_BLOCK, BLOCK_ARGS, comm);
}

int mrt_ireduce_scatter_block(BLOCK_PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_ireduce_scatter_block",
				COLL_REDUCE_SCATTER_BLOCK, BLOCK_ARGS, comm,
				request);
}

int mrt_reduce_scatter_block_init(BLOCK_PARAMETERS,
				  struct mrt_request **request)
{
	return coll_persistent("mrt_reduce_scatter_block_init",
			       COLL_REDUCE_SCATTER_BLOCK, BLOCK_ARGS, comm,
			       request);
}

#define COUNTS_PARAMETERS                                                      \
	const void *sendbuf, void *recvbuf, const size_t recvcounts[],         \
	    struct mrt_type *type, struct mrt_op *op, struct mrt_comm *comm
#define COUNTS_ARGS                                                            \
	ARGS(.send = {.buf = sendbuf, .type = type},                           \
	     .recv = {.buf = recvbuf, .type = type, .counts = recvcounts},     \
	     .op = op)

int mrt_reduce_scatter(COUNTS_PARAMETERS)
{
	return coll_blocking("mrt_reduce_scatter", COLL_REDUCE_SCATTER,
			     COUNTS_ARGS, comm);
}

int mrt_ireduce_scatter(COUNTS_PARAMETERS, struct mrt_request **request)
{
	return coll_nonblocking("mrt_ireduce_scatter", COLL_REDUCE_SCATTER,
				COUNTS_ARGS, comm, request);
}

int mrt_reduce_scatter_init(COUNTS_PARAMETERS, struct mrt_request **request)
{
	return coll_persistent("mrt_reduce_scatter_init", COLL_REDUCE_SCATTER,
			       COUNTS_ARGS, comm, request);
}
