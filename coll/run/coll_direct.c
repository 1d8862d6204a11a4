/* SPDX-License-Identifier: Apache-2.0 */
/* coll_direct.c: runs calls by shared memory (direct.h), from a table. */
#include "coll/run/coll.h"
#include "coll/call/coll_state.h"
#include "coll/node/direct_started.h"

typedef int direct_fn(struct mrt_comm *comm, struct direct *d,
		      const struct coll_call *call);

static int coll_direct_barrier(struct mrt_comm *comm, struct direct *d,
			       const struct coll_call *call)
{
	(void)call;
	return direct_barrier(comm, d);
}

/* ---- Calls that move data, counted in bytes ----------------------------- */

/* Returns the rank's input, which in place is its own block of recv. */
static const void *own_block(const struct mrt_comm *comm,
			     const struct coll_call *call)
{
	return call->shape.in_place
		   ? (char *)call->recv + (size_t)comm->rank * call->shape.count
		   : call->send;
}

static int coll_direct_bcast(struct mrt_comm *comm, struct direct *d,
			     const struct coll_call *call)
{
	return direct_bcast(comm, d, call->recv, call->shape.count,
			    call->shape.root);
}

static int coll_direct_gather(struct mrt_comm *comm, struct direct *d,
			      const struct coll_call *call)
{
	return direct_gather(comm, d, own_block(comm, call), call->shape.count,
			     call->recv, call->shape.root);
}

static int coll_direct_gatherv(struct mrt_comm *comm, struct direct *d,
			       const struct coll_call *call)
{
	return direct_gatherv(comm, d, call->send, call->shape.count,
			      call->recv, call->shape.recv, call->shape.root);
}

/* Returns where a scatter puts the rank's block, in place where it is. */
static void *scatter_into(const struct mrt_comm *comm,
			  const struct coll_call *call)
{
	return call->shape.in_place ? (char *)(uintptr_t)call->send +
					  (size_t)comm->rank * call->shape.count
				    : call->recv;
}

static int coll_direct_scatter(struct mrt_comm *comm, struct direct *d,
			       const struct coll_call *call)
{
	return direct_scatter(comm, d, call->send, call->shape.count,
			      scatter_into(comm, call), call->shape.root);
}

static int coll_direct_allgather(struct mrt_comm *comm, struct direct *d,
				 const struct coll_call *call)
{
	return direct_allgather(comm, d, own_block(comm, call),
				call->shape.count, call->recv);
}

static int coll_direct_allgatherv(struct mrt_comm *comm, struct direct *d,
				  const struct coll_call *call)
{
	const struct block *blocks = call->shape.recv;

	return direct_allgatherv(
	    comm, d,
	    call->shape.in_place ? (char *)call->recv + blocks[comm->rank].at
				 : call->send,
	    call->recv, blocks);
}

static int coll_direct_alltoall(struct mrt_comm *comm, struct direct *d,
				const struct coll_call *call)
{
	return direct_alltoall(comm, d,
			       call->shape.in_place ? call->recv : call->send,
			       call->shape.count, call->recv);
}

/* ---- Reductions --------------------------------------------------------- */

static struct direct_reduce coll_direct_reduction(const struct coll_call *call)
{
	return (struct direct_reduce){
	    call->shape.in_place ? call->recv : call->send, call->recv,
	    call->shape.count, call->op, call->type};
}

static int coll_direct_reduce(struct mrt_comm *comm, struct direct *d,
			      const struct coll_call *call)
{
	struct direct_reduce r = coll_direct_reduction(call);

	return direct_reduce(comm, d, &r, call->shape.root);
}

#define REDUCTION(name)                                                        \
	static int name(struct mrt_comm *comm, struct direct *d,               \
			const struct coll_call *call)                          \
	{                                                                      \
		struct direct_reduce r = coll_direct_reduction(call);          \
                                                                               \
		return direct_##name(comm, d, &r);                             \
	}
REDUCTION(allreduce)
REDUCTION(reduce_scatter)
REDUCTION(scan)
REDUCTION(exscan)

static int reduce_scatter_list(struct mrt_comm *comm, struct direct *d,
			       const struct coll_call *call)
{
	const struct block *own = &call->shape.recv[comm->rank];
	struct direct_reduce r = coll_direct_reduction(call);

	r.count = own->count;
	return direct_reduce_scatter_list(comm, d, &r, own->at,
					  coll_list_total(comm, call));
}

/* The direct way of each collective that has one; for the others direct_max is
 * 0. */
static direct_fn *const ways[COLLECTIVES] = {
    [COLL_BARRIER] = coll_direct_barrier,
    [COLL_BCAST] = coll_direct_bcast,
    [COLL_REDUCE] = coll_direct_reduce,
    [COLL_ALLREDUCE] = allreduce,
    [COLL_GATHER] = coll_direct_gather,
    [COLL_GATHERV] = coll_direct_gatherv,
    [COLL_SCATTER] = coll_direct_scatter,
    [COLL_ALLGATHER] = coll_direct_allgather,
    [COLL_ALLGATHERV] = coll_direct_allgatherv,
    [COLL_ALLTOALL] = coll_direct_alltoall,
    [COLL_REDUCE_SCATTER_BLOCK] = reduce_scatter,
    [COLL_REDUCE_SCATTER] = reduce_scatter_list,
    [COLL_SCAN] = scan,
    [COLL_EXSCAN] = exscan,
};

bool coll_starts_direct(const struct mrt_comm *comm,
			const struct coll_call *call, struct direct_call *c)
{
	*c = (struct direct_call){.collective = call->collective,
				  .root = call->shape.root,
				  .r = coll_direct_reduction(call)};
	if (call->collective == COLL_GATHER ||
	    call->collective == COLL_ALLGATHER)
		c->r.send = own_block(comm, call);
	if (call->collective == COLL_SCATTER)
		c->r =
		    (struct direct_reduce){call->send, scatter_into(comm, call),
					   call->shape.count, NULL, call->type};
	return !call->shape.low &&
	       direct_may_start(comm, &comm->coll->direct, c);
}

int coll_run_direct(struct mrt_comm *comm, const struct coll_call *call)
{
	return ways[call->collective](comm, &comm->coll->direct, call);
}
