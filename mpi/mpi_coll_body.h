/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_coll_body.h: the collectives with counts, for int and for MPI_Count;
 * included by mpi_coll.c with COUNT, DISPL and NAME, and with COUNTS and
 * DISPLS, which convert lists for libmrt.
 */

/*
 * FORMS defines the blocking, nonblocking and persistent form of a collective.
 * Arguments: its parameters except comm, in parentheses, and the corresponding
 * arguments of libmrt. FORM defines one of them.
 */
#ifndef FORMS
#define LIST(...) __VA_ARGS__
#define EACH_FORM(FORM, Name, name, parameters, ...)                           \
	FORM(Name, mrt_##name, (LIST parameters, MPI_Comm comm), __VA_ARGS__,  \
	     to_comm(comm))                                                    \
	FORM(I##name, mrt_i##name,                                             \
	     (LIST parameters, MPI_Comm comm, MPI_Request * request),          \
	     __VA_ARGS__, to_comm(comm), to_requests(request))                 \
	FORM(Name##_init, mrt_##name##_init,                                   \
	     (LIST parameters, MPI_Comm comm, MPI_Info info,                   \
	      MPI_Request * request),                                          \
	     __VA_ARGS__, to_comm(comm), to_requests(request))
#define FORM(Name, call, parameters, ...)                                      \
	APIS(Name) parameters                                                  \
	{                                                                      \
		return mpi_result(comm, __func__, call(__VA_ARGS__));          \
	}
#define FORMS(...) EACH_FORM(FORM, __VA_ARGS__)

/* LIST_FORMS is for a collective with lists, which COUNTS and DISPLS copy. */
#define LIST_FORM(Name, call, parameters, ...)                                 \
	APIS(Name) parameters                                                  \
	{                                                                      \
		struct copies copies;                                          \
		int rc;                                                        \
                                                                               \
		copies_init(&copies);                                          \
		rc = call(__VA_ARGS__);                                        \
		return mpi_result(comm, __func__, copies_fini(&copies, rc));   \
	}
#define LIST_FORMS(...) EACH_FORM(LIST_FORM, __VA_ARGS__)

/* NEIGHBOR_FORMS is for a neighbourhood collective, with lists or without. */
#define NEIGHBOR_FORM(Name, call, parameters, ...)                             \
	APIS(Name) parameters                                                  \
	{                                                                      \
		struct copies copies;                                          \
		struct mrt_neighbors neighbors;                                \
		int rc = mpi_neighbors(comm, __func__, &neighbors);            \
                                                                               \
		if (rc)                                                        \
			return rc;                                             \
		copies_init(&copies);                                          \
		rc = call(__VA_ARGS__);                                        \
		return mpi_result(comm, __func__, copies_fini(&copies, rc));   \
	}
#define NEIGHBOR_FORMS(Name, name, parameters, ...)                            \
	EACH_FORM(NEIGHBOR_FORM, Name, name, parameters, __VA_ARGS__,          \
		  &neighbors)

/* Parameters that several collectives share, and the arguments of libmrt for
 * them. */
#define SEND_PARAMETERS                                                        \
	const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype
#define SEND sendbuf, (size_t)sendcount, to_type(sendtype)
#define RECV_PARAMETERS void *recvbuf, COUNT recvcount, MPI_Datatype recvtype
#define RECV recvbuf, (size_t)recvcount, to_type(recvtype)

/* v: n blocks. */
#define V_SEND_PARAMETERS                                                      \
	const void *sendbuf, const COUNT sendcounts[], const DISPL sdispls[],  \
	    MPI_Datatype sendtype
#define V_SEND(n)                                                              \
	sendbuf, COUNTS(sendcounts, n), DISPLS(sdispls, n), to_type(sendtype)
#define V_RECV_PARAMETERS                                                      \
	void *recvbuf, const COUNT recvcounts[], const DISPL rdispls[],        \
	    MPI_Datatype recvtype
#define V_RECV(n)                                                              \
	recvbuf, COUNTS(recvcounts, n), DISPLS(rdispls, n), to_type(recvtype)

/* w: a type for each block, displacements in bytes. */
#define W_SEND_PARAMETERS(displ)                                               \
	const void *sendbuf, const COUNT sendcounts[], const displ sdispls[],  \
	    const MPI_Datatype sendtypes[]
#define W_RECV_PARAMETERS(displ)                                               \
	void *recvbuf, const COUNT recvcounts[], const displ rdispls[],        \
	    const MPI_Datatype recvtypes[]
#define W_SEND(n)                                                              \
	sendbuf, COUNTS(sendcounts, n), DISPLS(sdispls, n), to_types(sendtypes)
#define W_RECV(n)                                                              \
	recvbuf, COUNTS(recvcounts, n), DISPLS(rdispls, n), to_types(recvtypes)

#define REDUCTION_PARAMETERS                                                   \
	const void *sendbuf, void *recvbuf, COUNT count,                       \
	    MPI_Datatype datatype, MPI_Op op
#define REDUCTION sendbuf, recvbuf, (size_t)count, to_type(datatype), to_op(op)
#endif

/* clang-format off */
FORMS(Bcast, bcast,
      (void *buffer, COUNT count, MPI_Datatype datatype, int root),
      buffer, (size_t)count, to_type(datatype), root)

FORMS(Gather, gather, (SEND_PARAMETERS, RECV_PARAMETERS, int root),
      SEND, RECV, root)
LIST_FORMS(Gatherv, gatherv, (SEND_PARAMETERS, V_RECV_PARAMETERS, int root),
	   SEND, V_RECV(ranks_at(comm, root)), root)
FORMS(Scatter, scatter, (SEND_PARAMETERS, RECV_PARAMETERS, int root),
      SEND, RECV, root)
LIST_FORMS(Scatterv, scatterv, (V_SEND_PARAMETERS, RECV_PARAMETERS, int root),
	   V_SEND(ranks_at(comm, root)), RECV, root)

FORMS(Allgather, allgather, (SEND_PARAMETERS, RECV_PARAMETERS), SEND, RECV)
LIST_FORMS(Allgatherv, allgatherv, (SEND_PARAMETERS, V_RECV_PARAMETERS),
	   SEND, V_RECV(coll_ranks(comm)))

FORMS(Alltoall, alltoall, (SEND_PARAMETERS, RECV_PARAMETERS), SEND, RECV)
LIST_FORMS(Alltoallv, alltoallv, (V_SEND_PARAMETERS, V_RECV_PARAMETERS),
	   V_SEND(ranks_unless(sendbuf, comm)), V_RECV(coll_ranks(comm)))
LIST_FORMS(Alltoallw, alltoallw,
	   (W_SEND_PARAMETERS(DISPL), W_RECV_PARAMETERS(DISPL)),
	   W_SEND(ranks_unless(sendbuf, comm)), W_RECV(coll_ranks(comm)))

FORMS(Reduce, reduce, (REDUCTION_PARAMETERS, int root), REDUCTION, root)
FORMS(Allreduce, allreduce, (REDUCTION_PARAMETERS), REDUCTION)
FORMS(Scan, scan, (REDUCTION_PARAMETERS), REDUCTION)
FORMS(Exscan, exscan, (REDUCTION_PARAMETERS), REDUCTION)
FORMS(Reduce_scatter_block, reduce_scatter_block, (REDUCTION_PARAMETERS),
      REDUCTION)
LIST_FORMS(Reduce_scatter, reduce_scatter,
	   (const void *sendbuf, void *recvbuf, const COUNT recvcounts[],
	    MPI_Datatype datatype, MPI_Op op),
	   sendbuf, recvbuf, COUNTS(recvcounts, own_ranks(comm)),
	   to_type(datatype), to_op(op))

NEIGHBOR_FORMS(Neighbor_allgather, neighbor_allgather,
	   (SEND_PARAMETERS, RECV_PARAMETERS), SEND, RECV)
NEIGHBOR_FORMS(Neighbor_allgatherv, neighbor_allgatherv,
	   (SEND_PARAMETERS, V_RECV_PARAMETERS),
	   SEND, V_RECV((size_t)neighbors.nsources))
NEIGHBOR_FORMS(Neighbor_alltoall, neighbor_alltoall,
	   (SEND_PARAMETERS, RECV_PARAMETERS), SEND, RECV)
NEIGHBOR_FORMS(Neighbor_alltoallv, neighbor_alltoallv,
	   (V_SEND_PARAMETERS, V_RECV_PARAMETERS),
	   V_SEND((size_t)neighbors.ndests), V_RECV((size_t)neighbors.nsources))
/* displacements are MPI_Aint in both forms */
#undef DISPLS
#define DISPLS(list, n) ((const ptrdiff_t *)(list))
NEIGHBOR_FORMS(Neighbor_alltoallw, neighbor_alltoallw,
	   (W_SEND_PARAMETERS(MPI_Aint), W_RECV_PARAMETERS(MPI_Aint)),
	   W_SEND((size_t)neighbors.ndests), W_RECV((size_t)neighbors.nsources))
/* clang-format on */
