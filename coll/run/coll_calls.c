/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_calls.c: the public collectives, each in its three forms. Arguments have
 * the names that they have in mrt.h.
 */
#include "coll/run/coll_short.h"
#include "coll/run/entry.h"

/* Defines mrt_NAME, mrt_iNAME and mrt_NAME_init, which collect their arguments
 * and call a function of entry.h. short_cut returns what is said in
 * coll_short.h. */
#define FORMS(name, upper, short_cut, args, ...)                               \
	int mrt_##name(__VA_ARGS__)                                            \
	{                                                                      \
		int rc = short_cut;                                            \
                                                                               \
		return rc > 0 ? coll_blocking("mrt_" #name, COLL_##upper,      \
					      args, comm)                      \
			      : proc_result("mrt_" #name, rc);                 \
	}                                                                      \
	int mrt_i##name(__VA_ARGS__, struct mrt_request **request)             \
	{                                                                      \
		return coll_nonblocking("mrt_i" #name, COLL_##upper, args,     \
					comm, request);                        \
	}                                                                      \
	int mrt_##name##_init(__VA_ARGS__, struct mrt_request **request)       \
	{                                                                      \
		return coll_persistent("mrt_" #name "_init", COLL_##upper,     \
				       args, comm, request);                   \
	}
enum { NO_SHORT_CUT = 1 };

#define ARGS(...) (&(struct coll_args){__VA_ARGS__})
#define COMM struct mrt_comm *comm

/* ---- Blocks of one length ------------------------------------------------ */

#define SEND .send = {.buf = sendbuf, .count = sendcount, .type = sendtype}
#define RECV .recv = {.buf = recvbuf, .count = recvcount, .type = recvtype}
#define SEND_PARAMETERS                                                        \
	const void *sendbuf, size_t sendcount, struct mrt_type *sendtype
#define RECV_PARAMETERS                                                        \
	void *recvbuf, size_t recvcount, struct mrt_type *recvtype
#define ROOTED ARGS(SEND, RECV, .root = root)
#define MOVED ARGS(SEND, RECV)

FORMS(barrier, BARRIER, short_barrier(comm), ARGS(0), COMM)
FORMS(bcast, BCAST, short_bcast(buf, count, type, root, comm),
      ARGS(.recv = {.buf = buf, .count = count, .type = type}, .root = root),
      void *buf, size_t count, struct mrt_type *type, int root, COMM)
FORMS(gather, GATHER, short_moves(COLL_GATHER, ROOTED, comm), ROOTED,
      SEND_PARAMETERS, RECV_PARAMETERS, int root, COMM)
FORMS(scatter, SCATTER, short_moves(COLL_SCATTER, ROOTED, comm), ROOTED,
      SEND_PARAMETERS, RECV_PARAMETERS, int root, COMM)
FORMS(allgather, ALLGATHER, short_moves(COLL_ALLGATHER, MOVED, comm), MOVED,
      SEND_PARAMETERS, RECV_PARAMETERS, COMM)
FORMS(alltoall, ALLTOALL, short_moves(COLL_ALLTOALL, MOVED, comm), MOVED,
      SEND_PARAMETERS, RECV_PARAMETERS, COMM)

/* ---- Reductions ---------------------------------------------------------- */

#define REDUCED(n)                                                             \
	.send = {.buf = sendbuf, .count = n, .type = type},                    \
	.recv = {.buf = recvbuf, .count = n, .type = type}, .op = op
#define VECTOR ARGS(REDUCED(count))
#define VECTOR_PARAMETERS                                                      \
	const void *sendbuf, void *recvbuf, size_t count,                      \
	    struct mrt_type *type, struct mrt_op *op
#define SHORT sendbuf, recvbuf, count, type, op

FORMS(reduce, REDUCE, short_reduce(SHORT, root, comm),
      ARGS(REDUCED(count), .root = root), VECTOR_PARAMETERS, int root, COMM)
FORMS(allreduce, ALLREDUCE, short_allreduce(SHORT, comm), VECTOR,
      VECTOR_PARAMETERS, COMM)
FORMS(scan, SCAN, short_prefix(COLL_SCAN, SHORT, comm), VECTOR,
      VECTOR_PARAMETERS, COMM)
FORMS(exscan, EXSCAN, short_prefix(COLL_EXSCAN, SHORT, comm), VECTOR,
      VECTOR_PARAMETERS, COMM)
FORMS(reduce_scatter_block, REDUCE_SCATTER_BLOCK, NO_SHORT_CUT,
      ARGS(REDUCED(recvcount)), const void *sendbuf, void *recvbuf,
      size_t recvcount, struct mrt_type *type, struct mrt_op *op, COMM)
FORMS(reduce_scatter, REDUCE_SCATTER, NO_SHORT_CUT,
      ARGS(.send = {.buf = sendbuf, .type = type},
	   .recv = {.buf = recvbuf, .type = type, .counts = recvcounts},
	   .op = op),
      const void *sendbuf, void *recvbuf, const size_t recvcounts[],
      struct mrt_type *type, struct mrt_op *op, COMM)

/* ---- A count, and perhaps a type, for each rank -------------------------- */

#define LISTS(side, d, member)                                                 \
	.side = {.buf = side##buf,                                             \
		 .counts = side##counts,                                       \
		 .displs = d,                                                  \
		 .member = side##member}
#define SEND_LIST_PARAMETERS(d)                                                \
	const void *sendbuf, const size_t sendcounts[], const ptrdiff_t d[]
#define RECV_LIST_PARAMETERS(d)                                                \
	void *recvbuf, const size_t recvcounts[], const ptrdiff_t d[]
#define GATHERED                                                               \
	SEND_PARAMETERS, RECV_LIST_PARAMETERS(displs), struct mrt_type *recvtype
/* Lists on both sides; W: of types, too. */
#define V_LISTS LISTS(send, sdispls, type), LISTS(recv, rdispls, type)
#define V_PARAMETERS                                                           \
	SEND_LIST_PARAMETERS(sdispls)                                          \
	, struct mrt_type *sendtype, RECV_LIST_PARAMETERS(rdispls),            \
	    struct mrt_type *recvtype
#define W_LISTS LISTS(send, sdispls, types), LISTS(recv, rdispls, types)
#define W_PARAMETERS                                                           \
	SEND_LIST_PARAMETERS(sdispls)                                          \
	, struct mrt_type *const sendtypes[], RECV_LIST_PARAMETERS(rdispls),   \
	    struct mrt_type *const recvtypes[]

FORMS(gatherv, GATHERV, NO_SHORT_CUT,
      ARGS(SEND, LISTS(recv, displs, type), .root = root), GATHERED, int root,
      COMM)
FORMS(scatterv, SCATTERV, NO_SHORT_CUT,
      ARGS(LISTS(send, displs, type), RECV, .root = root),
      SEND_LIST_PARAMETERS(displs), struct mrt_type *sendtype, RECV_PARAMETERS,
      int root, COMM)
FORMS(allgatherv, ALLGATHERV, NO_SHORT_CUT,
      ARGS(SEND, LISTS(recv, displs, type)), GATHERED, COMM)
FORMS(alltoallv, ALLTOALLV, NO_SHORT_CUT, ARGS(V_LISTS), V_PARAMETERS, COMM)
FORMS(alltoallw, ALLTOALLV, NO_SHORT_CUT, ARGS(W_LISTS), W_PARAMETERS, COMM)

/* ---- Neighbours ---------------------------------------------------------- */

#define NEAR const struct mrt_neighbors *neighbors, COMM
#define NEAR_BLOCKS ARGS(SEND, RECV, .neighbors = neighbors)
#define NEAR_LISTS(...) ARGS(__VA_ARGS__, .neighbors = neighbors, .lists = true)

FORMS(neighbor_allgather, NEIGHBOR_ALLGATHER, NO_SHORT_CUT, NEAR_BLOCKS,
      SEND_PARAMETERS, RECV_PARAMETERS, NEAR)
FORMS(neighbor_allgatherv, NEIGHBOR_ALLGATHER, NO_SHORT_CUT,
      NEAR_LISTS(SEND, LISTS(recv, displs, type)), GATHERED, NEAR)
FORMS(neighbor_alltoall, NEIGHBOR_ALLTOALL, NO_SHORT_CUT, NEAR_BLOCKS,
      SEND_PARAMETERS, RECV_PARAMETERS, NEAR)
FORMS(neighbor_alltoallv, NEIGHBOR_ALLTOALL, NO_SHORT_CUT, NEAR_LISTS(V_LISTS),
      V_PARAMETERS, NEAR)
FORMS(neighbor_alltoallw, NEIGHBOR_ALLTOALL, NO_SHORT_CUT, NEAR_LISTS(W_LISTS),
      W_PARAMETERS, NEAR)
