/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_short.h: short cuts for blocking collectives whose payload fits one line
 * of shared memory (direct.h) and whose arguments are plainly right. They call
 * direct.h at once, since the usual way through entry.c takes as long as the
 * call itself. The functions that run a call return 0 or MRT_ERR_*, or 1,
 * having done nothing, if the call must go the usual way.
 */
#ifndef COLL_COLL_SHORT_H
#define COLL_COLL_SHORT_H

#include "coll/run/coll.h"
#include "coll/call/coll_args.h"
#include "coll/call/coll_state.h"
#include "coll/node/direct.h"
#include "coll/op/op.h"
#include "runtime/engine/proc.h"

/* Returns the communicator, or NULL if it has no short cut for the collective
 * or the call needs the checks or the lock of proc_enter. */
static inline struct mrt_comm *short_comm(struct mrt_comm *handle,
					  enum collective collective)
{
	struct mrt_comm *comm;

	if (!proc.open)
		return NULL;
	comm = comm_get(handle);
	return comm && comm->coll && comm->coll->direct.short_max[collective]
		   ? comm
		   : NULL;
}

/* Returns the bytes of `count` elements, 1 .. short_max, or 0 if the type is
 * not dense or the length is outside that range. */
static inline size_t short_bytes(const struct mrt_comm *comm,
				 enum collective collective, size_t count,
				 struct mrt_type *type)
{
	const struct mrt_type *t = type_get_dense(type);

	if (!t || count > comm->coll->direct.short_max[collective] / t->size)
		return 0;
	return count * t->size;
}

static inline int short_barrier(struct mrt_comm *handle)
{
	struct mrt_comm *comm = short_comm(handle, COLL_BARRIER);

	return comm ? direct_barrier(comm, &comm->coll->direct) : 1;
}

static inline int short_bcast(void *buf, size_t count, struct mrt_type *type,
			      int root, struct mrt_comm *handle)
{
	struct mrt_comm *comm = short_comm(handle, COLL_BCAST);
	size_t bytes = comm ? short_bytes(comm, COLL_BCAST, count, type) : 0;

	if (!bytes || !buf || buf == MRT_IN_PLACE || root < 0 ||
	    root >= comm->size)
		return 1;
	return direct_bcast(comm, &comm->coll->direct, buf, bytes, root);
}

/* Sets the rest of *r, whose buffers and count are set. Returns false if the
 * call must go the usual way: the arguments are not plainly right, the buffers
 * overlap, or the order of ranks matters and there are too many of them. */
static inline bool short_reduction(const struct mrt_comm *comm, size_t bytes,
				   struct mrt_op *op, struct mrt_type *type,
				   struct direct_reduce *r)
{
	uintptr_t a = (uintptr_t)r->send, b = (uintptr_t)r->recv;

	r->op = op_get(op);
	r->type = type_get(type);
	if (!bytes || !r->op || !op_fits(r->op, r->type) || !r->send ||
	    !r->recv || r->recv == MRT_IN_PLACE)
		return false;
	if (r->send == MRT_IN_PLACE)
		r->send = r->recv;
	else if (a < b + bytes && b < a + bytes)
		return false;
	return r->op->commutative || comm->size <= DIRECT_FLAT;
}

static inline int short_allreduce(const void *sendbuf, void *recvbuf,
				  size_t count, struct mrt_type *type,
				  struct mrt_op *op, struct mrt_comm *handle)
{
	struct mrt_comm *comm = short_comm(handle, COLL_ALLREDUCE);
	struct direct_reduce r = {sendbuf, recvbuf, count, NULL, NULL};
	size_t bytes =
	    comm ? short_bytes(comm, COLL_ALLREDUCE, count, type) : 0;

	if (!comm || !short_reduction(comm, bytes, op, type, &r))
		return 1;
	return direct_allreduce(comm, &comm->coll->direct, &r);
}

static inline int short_reduce(const void *sendbuf, void *recvbuf, size_t count,
			       struct mrt_type *type, struct mrt_op *op,
			       int root, struct mrt_comm *handle)
{
	struct mrt_comm *comm = short_comm(handle, COLL_REDUCE);
	struct direct_reduce r = {sendbuf, recvbuf, count, NULL, NULL};
	size_t bytes = comm ? short_bytes(comm, COLL_REDUCE, count, type) : 0;
	char none[DIRECT_LINE];

	if (!comm || root < 0 || root >= comm->size)
		return 1;
	if (comm->rank != root) {
		/* this rank has no result; `none` overlaps nothing */
		r.recv = none;
		if (r.send == MRT_IN_PLACE)
			return 1;
	}
	if (!short_reduction(comm, bytes, op, type, &r))
		return 1;
	return direct_reduce(comm, &comm->coll->direct, &r, root);
}

/* Runs a scan or an exscan. */
static inline int short_prefix(enum collective collective, const void *sendbuf,
			       void *recvbuf, size_t count,
			       struct mrt_type *type, struct mrt_op *op,
			       struct mrt_comm *handle)
{
	struct mrt_comm *comm = short_comm(handle, collective);
	struct direct_reduce r = {sendbuf, recvbuf, count, NULL, NULL};
	size_t bytes = comm ? short_bytes(comm, collective, count, type) : 0;

	if (!comm || !short_reduction(comm, bytes, op, type, &r))
		return 1;
	return collective == COLL_SCAN
		   ? direct_scan(comm, &comm->coll->direct, &r)
		   : direct_exscan(comm, &comm->coll->direct, &r);
}

static inline bool is_plain(const void *buf)
{
	return buf && buf != MRT_IN_PLACE;
}

/* Runs a gather, scatter, allgather or alltoall. */
static inline int short_moves(enum collective collective,
			      const struct coll_args *a,
			      struct mrt_comm *handle)
{
	struct mrt_comm *comm = short_comm(handle, collective);
	struct coll_call call = {.collective = collective,
				 .send = a->send.buf,
				 .recv = (void *)(uintptr_t)a->recv.buf,
				 .shape.root = a->root};
	uintptr_t from = (uintptr_t)a->send.buf, to = (uintptr_t)a->recv.buf;
	size_t all, sends = 1, recvs = 1, sent = 0, received = 0;

	if (!comm || a->root < 0 || a->root >= comm->size)
		return 1;
	all = (size_t)comm->size;
	if (collective == COLL_SCATTER)
		sends = comm->rank == a->root ? all : 0;
	else if (collective == COLL_GATHER)
		recvs = comm->rank == a->root ? all : 0;
	else
		recvs = all;
	if (collective == COLL_ALLTOALL)
		sends = all;
	/* the type of a side that does not matter may be anything */
	if ((sends && !is_plain(a->send.buf)) ||
	    (recvs && !is_plain(a->recv.buf)))
		return 1;
	if (sends)
		sent =
		    short_bytes(comm, collective, a->send.count, a->send.type);
	if (recvs)
		received =
		    short_bytes(comm, collective, a->recv.count, a->recv.type);
	if ((sends && !sent) || (recvs && !received))
		return 1;
	if (sends && recvs &&
	    (sent != received ||
	     (from < to + recvs * received && to < from + sends * sent)))
		return 1;
	call.shape.count = sends ? sent : received;
	return coll_run_direct(comm, &call);
}
#endif
