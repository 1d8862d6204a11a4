/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collectives.c: the public collectives, each with its three forms: mrt_gather
 * (blocking), mrt_igather (nonblocking), mrt_gather_init (persistent). They
 * are a table: what the arguments are, and what they stand for. coll_args.c
 * checks them, coll.c does the rest.
 */
#include "coll/run/coll.h"
#include "coll/args/coll_args.h"
#include "coll/run/coll_short.h"
#include "coll/run/packing.h"
#include "coll/args/inter_args.h"
#include "coll/check/check.h"
#include "runtime/base/env.h"
#include "runtime/base/fault.h"
#include "runtime/engine/proc.h"

static int find_comm(struct mrt_comm *handle, struct mrt_comm **comm)
{
	*comm = comm_get(handle);
	/* without coll: freed, and held by requests */
	if (*comm && (*comm)->coll)
		return 0;
	return comm_unknown(handle);
}

/* Whose plans run it. */
static struct mrt_comm *runs_on(struct mrt_comm *comm)
{
	return comm->inter ? comm->inter->merged : comm;
}

/* Without memory for its lists a rank cannot take part, of which the others
 * know nothing: they would wait for ever. */
static int take_part(enum collective collective, const struct mrt_comm *comm,
		     int rc)
{
	if (rc == MRT_ERR_NO_MEM && comm->size > 1)
		fault_raise_text(rc, "no memory to take part in %s",
				 coll_tables[collective].name);
	return rc;
}

/* Arguments to a call; as coll_args_check. */
static int check_args(enum collective collective, const struct coll_args *args,
		      struct mrt_comm *comm, struct coll_call *call)
{
	*call = (struct coll_call){.collective = collective};
	return take_part(collective, comm,
			 comm->inter ? inter_args_check(args, comm, call)
				     : coll_args_check(args, comm, call));
}

/* The same of types with holes: *packing packs them. */
static int pack_args(enum collective collective, const struct coll_args *args,
		     struct mrt_comm *comm, struct coll_call *call,
		     struct packing **packing)
{
	int rc = packing_create(args, comm, collective, packing);

	if (rc)
		return take_part(collective, comm, rc);
	rc = check_args(collective, packing_args(*packing), comm, call);
	if (rc)
		packing_destroy(*packing);
	return rc;
}

/* A check of the call. NULL and 0: nobody is to be asked. */
static int ask(const char *name, enum collective collective,
	       const struct coll_args *args, struct mrt_comm *comm,
	       struct check **v)
{
	struct statement s;
	int rc;

	check_describe(name, collective, args, comm, &s);
	*v = check_create(runs_on(comm), &s, &rc);
	if (*v && s.flags & SAYS_TRAFFIC)
		check_traffic(collective, args, comm, *v);
	return rc;
}

/* Do all ranks call this? */
static int check_ranks(const char *name, enum collective collective,
		       const struct coll_args *args, struct mrt_comm *comm)
{
	struct check *v;
	int rc = ask(name, collective, args, comm, &v);

	return rc ? rc : check_wait(v);
}

static int run_packed(const char *name, enum collective collective,
		      const struct coll_args *args, struct mrt_comm *comm)
{
	struct coll_call call;
	struct packing *packing;
	int rc = pack_args(collective, args, comm, &call, &packing);

	if (rc)
		return rc;
	if (env.check)
		rc = check_ranks(name, collective, args, comm);
	packing_pack(packing);
	if (!rc)
		rc = coll_run(runs_on(comm), &call);
	if (!rc)
		packing_unpack(packing);
	packing_destroy(packing);
	return rc;
}

static int blocking(const char *name, enum collective collective,
		    const struct coll_args *args, struct mrt_comm *handle)
{
	struct coll_call call;
	struct mrt_comm *comm = NULL;
	int rc = proc_enter();

	if (rc)
		return rc;
	rc = find_comm(handle, &comm);
	if (!rc)
		rc = check_args(collective, args, comm, &call);
	if (!rc && env.check)
		rc = check_ranks(name, collective, args, comm);
	if (!rc)
		rc = coll_run(runs_on(comm), &call);
	else if (rc == COLL_PACK)
		rc = run_packed(name, collective, args, comm);
	proc_leave();
	return rc;
}

/* coll_start or coll_prepare. */
typedef int begin_fn(struct mrt_comm *comm, const struct coll_call *call,
		     struct mrt_request **request);

/* Persistent requests are checked here, not when they are started: in any
 * order. */
static int check_begin(const char *name, enum collective collective,
		       const struct coll_args *args, struct mrt_comm *comm,
		       bool persistent, struct coll_call *call)
{
	int rc = persistent ? check_ranks(name, collective, args, comm)
			    : ask(name, collective, args, comm, &call->check);

	if (rc)
		packing_destroy(call->packing);
	return rc;
}

static int begin(const char *name, enum collective collective,
		 const struct coll_args *args, struct mrt_comm *handle,
		 struct mrt_request **request, begin_fn *how)
{
	struct coll_call call;
	struct mrt_comm *comm = NULL;
	int rc = proc_enter();

	if (rc)
		return rc;
	rc = request ? find_comm(handle, &comm)
		     : proc_fail(MRT_ERR_ARG, "request is NULL");
	if (!rc)
		rc = check_args(collective, args, comm, &call);
	if (rc == COLL_PACK) {
		struct packing *packing;

		rc = pack_args(collective, args, comm, &call, &packing);
		call.packing = packing;
	}
	if (!rc && env.check)
		rc = check_begin(name, collective, args, comm,
				 how == coll_prepare, &call);
	if (!rc)
		rc = how(runs_on(comm), &call, request);
	proc_leave();
	return rc;
}

#define LIST(...) __VA_ARGS__

/*
 * COLL_<which>, the name, the parameters but comm, in parentheses, and the
 * members of struct coll_args that they set.
 */
#define FORMS(which, name, parameters, ...)                                    \
	SHORT_FORMS(which, name, parameters, 1, __VA_ARGS__)
/* The same, where the blocking form tries a short way first (coll_short.h). */
#define SHORT_FORMS(which, name, parameters, attempt, ...)                     \
	int mrt_##name(LIST parameters, struct mrt_comm *comm)                 \
	{                                                                      \
		const struct coll_args args = {__VA_ARGS__};                   \
		int rc = attempt;                                              \
                                                                               \
		if (rc > 0)                                                    \
			rc =                                                   \
			    blocking("mrt_" #name, COLL_##which, &args, comm); \
		return proc_result("mrt_" #name, rc);                          \
	}                                                                      \
	int mrt_i##name(LIST parameters, struct mrt_comm *comm,                \
			struct mrt_request **request)                          \
	{                                                                      \
		const struct coll_args args = {__VA_ARGS__};                   \
		int rc = begin("mrt_i" #name, COLL_##which, &args, comm,       \
			       request, coll_start);                           \
                                                                               \
		return proc_result("mrt_i" #name, rc);                         \
	}                                                                      \
	int mrt_##name##_init(LIST parameters, struct mrt_comm *comm,          \
			      struct mrt_request **request)                    \
	{                                                                      \
		const struct coll_args args = {__VA_ARGS__};                   \
		int rc = begin("mrt_" #name "_init", COLL_##which, &args,      \
			       comm, request, coll_prepare);                   \
                                                                               \
		return proc_result("mrt_" #name "_init", rc);                  \
	}

/* A barrier has nothing but its communicator. */
static const struct coll_args nothing;

int mrt_barrier(struct mrt_comm *comm)
{
	int rc = short_barrier(comm);

	if (rc > 0)
		rc = blocking("mrt_barrier", COLL_BARRIER, &nothing, comm);
	return proc_result("mrt_barrier", rc);
}

int mrt_ibarrier(struct mrt_comm *comm, struct mrt_request **request)
{
	return proc_result("mrt_ibarrier",
			   begin("mrt_ibarrier", COLL_BARRIER, &nothing, comm,
				 request, coll_start));
}

int mrt_barrier_init(struct mrt_comm *comm, struct mrt_request **request)
{
	return proc_result("mrt_barrier_init",
			   begin("mrt_barrier_init", COLL_BARRIER, &nothing,
				 comm, request, coll_prepare));
}

/* What several have in common. */
#define SEND_PARAMETERS                                                        \
	const void *sendbuf, size_t sendcount, struct mrt_type *sendtype
#define RECV_PARAMETERS                                                        \
	void *recvbuf, size_t recvcount, struct mrt_type *recvtype
#define SEND .sendbuf = sendbuf, .sendcount = sendcount, .sendtype = sendtype
#define RECV .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype
#define REDUCTION_PARAMETERS                                                   \
	const void *sendbuf, void *recvbuf, size_t count,                      \
	    struct mrt_type *type, struct mrt_op *op
#define REDUCTION                                                              \
	.sendbuf = sendbuf, .recvbuf = recvbuf, .recvcount = count,            \
	.recvtype = type, .op = op
/* v: lists; w: types too. */
#define V_SEND_PARAMETERS                                                      \
	const void *sendbuf, const size_t sendcounts[],                        \
	    const ptrdiff_t sdispls[], struct mrt_type *sendtype
#define V_RECV_PARAMETERS                                                      \
	void *recvbuf, const size_t recvcounts[], const ptrdiff_t rdispls[],   \
	    struct mrt_type *recvtype
#define V_SEND                                                                 \
	.sendbuf = sendbuf, .sendcounts = sendcounts, .sdispls = sdispls,      \
	.sendtype = sendtype
#define V_RECV                                                                 \
	.recvbuf = recvbuf, .recvcounts = recvcounts, .rdispls = rdispls,      \
	.recvtype = recvtype
#define W_SEND_PARAMETERS                                                      \
	const void *sendbuf, const size_t sendcounts[],                        \
	    const ptrdiff_t sdispls[], struct mrt_type *const sendtypes[]
#define W_RECV_PARAMETERS                                                      \
	void *recvbuf, const size_t recvcounts[], const ptrdiff_t rdispls[],   \
	    struct mrt_type *const recvtypes[]
#define W_SEND                                                                 \
	.sendbuf = sendbuf, .sendcounts = sendcounts, .sdispls = sdispls,      \
	.sendtypes = sendtypes
#define W_RECV                                                                 \
	.recvbuf = recvbuf, .recvcounts = recvcounts, .rdispls = rdispls,      \
	.recvtypes = recvtypes

/* clang-format off */
SHORT_FORMS(BCAST, bcast,
      (void *buf, size_t count, struct mrt_type *type, int root),
      short_bcast(buf, count, type, root, comm),
      .recvbuf = buf, .recvcount = count, .recvtype = type, .root = root)

SHORT_FORMS(REDUCE, reduce, (REDUCTION_PARAMETERS, int root),
      short_reduce(sendbuf, recvbuf, count, type, op, root, comm),
      REDUCTION, .root = root)
SHORT_FORMS(ALLREDUCE, allreduce, (REDUCTION_PARAMETERS),
      short_allreduce(sendbuf, recvbuf, count, type, op, comm), REDUCTION)
SHORT_FORMS(SCAN, scan, (REDUCTION_PARAMETERS),
      short_prefix(COLL_SCAN, sendbuf, recvbuf, count, type, op, comm),
      REDUCTION)
SHORT_FORMS(EXSCAN, exscan, (REDUCTION_PARAMETERS),
      short_prefix(COLL_EXSCAN, sendbuf, recvbuf, count, type, op, comm),
      REDUCTION)

FORMS(REDUCE_SCATTER_BLOCK, reduce_scatter_block,
      (const void *sendbuf, void *recvbuf, size_t recvcount,
       struct mrt_type *type, struct mrt_op *op),
      .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcount = recvcount,
      .recvtype = type, .op = op)
FORMS(REDUCE_SCATTER, reduce_scatter,
      (const void *sendbuf, void *recvbuf, const size_t recvcounts[],
       struct mrt_type *type, struct mrt_op *op),
      .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcounts = recvcounts,
      .recvtype = type, .op = op)

SHORT_FORMS(GATHER, gather, (SEND_PARAMETERS, RECV_PARAMETERS, int root),
      short_moves(COLL_GATHER, &args, comm), SEND, RECV, .root = root)
FORMS(GATHERV, gatherv,
      (SEND_PARAMETERS, void *recvbuf, const size_t recvcounts[],
       const ptrdiff_t displs[], struct mrt_type *recvtype, int root),
      SEND, .recvbuf = recvbuf, .recvcounts = recvcounts, .rdispls = displs,
      .recvtype = recvtype, .root = root)
SHORT_FORMS(SCATTER, scatter, (SEND_PARAMETERS, RECV_PARAMETERS, int root),
      short_moves(COLL_SCATTER, &args, comm), SEND, RECV, .root = root)
FORMS(SCATTERV, scatterv,
      (const void *sendbuf, const size_t sendcounts[],
       const ptrdiff_t displs[], struct mrt_type *sendtype, RECV_PARAMETERS,
       int root),
      .sendbuf = sendbuf, .sendcounts = sendcounts, .sdispls = displs,
      .sendtype = sendtype, RECV, .root = root)

SHORT_FORMS(ALLGATHER, allgather, (SEND_PARAMETERS, RECV_PARAMETERS),
      short_moves(COLL_ALLGATHER, &args, comm), SEND, RECV)
FORMS(ALLGATHERV, allgatherv,
      (SEND_PARAMETERS, void *recvbuf, const size_t recvcounts[],
       const ptrdiff_t displs[], struct mrt_type *recvtype),
      SEND, .recvbuf = recvbuf, .recvcounts = recvcounts, .rdispls = displs,
      .recvtype = recvtype)

SHORT_FORMS(ALLTOALL, alltoall, (SEND_PARAMETERS, RECV_PARAMETERS),
      short_moves(COLL_ALLTOALL, &args, comm), SEND, RECV)
FORMS(ALLTOALLV, alltoallv, (V_SEND_PARAMETERS, V_RECV_PARAMETERS),
      V_SEND, V_RECV)
FORMS(ALLTOALLV, alltoallw, (W_SEND_PARAMETERS, W_RECV_PARAMETERS),
      W_SEND, W_RECV)

#define NEIGHBORS const struct mrt_neighbors *neighbors
FORMS(NEIGHBOR_ALLGATHER, neighbor_allgather,
      (SEND_PARAMETERS, RECV_PARAMETERS, NEIGHBORS),
      SEND, RECV, .neighbors = neighbors)
FORMS(NEIGHBOR_ALLGATHER, neighbor_allgatherv,
      (SEND_PARAMETERS, void *recvbuf, const size_t recvcounts[],
       const ptrdiff_t displs[], struct mrt_type *recvtype, NEIGHBORS),
      SEND, .recvbuf = recvbuf, .recvcounts = recvcounts, .rdispls = displs,
      .recvtype = recvtype, .neighbors = neighbors, .lists = true)
FORMS(NEIGHBOR_ALLTOALL, neighbor_alltoall,
      (SEND_PARAMETERS, RECV_PARAMETERS, NEIGHBORS),
      SEND, RECV, .neighbors = neighbors)
FORMS(NEIGHBOR_ALLTOALL, neighbor_alltoallv,
      (V_SEND_PARAMETERS, V_RECV_PARAMETERS, NEIGHBORS),
      V_SEND, V_RECV, .neighbors = neighbors, .lists = true)
FORMS(NEIGHBOR_ALLTOALL, neighbor_alltoallw,
      (W_SEND_PARAMETERS, W_RECV_PARAMETERS, NEIGHBORS),
      W_SEND, W_RECV, .neighbors = neighbors, .lists = true)
/* clang-format on */
