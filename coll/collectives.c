/* SPDX-License-Identifier: Apache-2.0 */
/* collectives.c: the public collectives: argument checks, then coll.c. */
#include "coll/coll.h"
#include "runtime/proc.h"

/* ---- Checks ------------------------------------------------------------- */

static int bad_comm(struct mrt_comm *handle)
{
	return proc_fail(MRT_ERR_COMM, "%p is not a communicator",
			 (void *)handle);
}

static int check_root(const struct mrt_comm *comm, int root)
{
	if (root >= 0 && root < comm->size)
		return 0;
	return proc_fail(MRT_ERR_ROOT, "root %d of a communicator of %d", root,
			 comm->size);
}

static int check_type(struct coll_call *call, struct mrt_type *type)
{
	call->type = type_get(type);
	if (!call->type)
		return proc_fail(MRT_ERR_TYPE, "%p is not a type",
				 (void *)type);
	if (call->count > SIZE_MAX / 64)
		return proc_fail(MRT_ERR_COUNT,
				 "%zu elements (a negative count?)",
				 call->count);
	return 0;
}

static int check_op(struct coll_call *call, struct mrt_op *op)
{
	call->op = op_get(op);
	if (!call->op)
		return proc_fail(MRT_ERR_OP, "%p is not an operation",
				 (void *)op);
	if (!op_fits(call->op, call->type))
		return proc_fail(MRT_ERR_OP, "%s is not defined for %s",
				 call->op->name, call->type->name);
	return 0;
}

static int check_buffer(const char *name, const void *buf, size_t count)
{
	if (buf == MRT_IN_PLACE)
		return proc_fail(MRT_ERR_BUFFER,
				 "MRT_IN_PLACE is not allowed as %s here",
				 name);
	if (!buf && count)
		return proc_fail(MRT_ERR_BUFFER,
				 "%s is NULL with a count of %zu", name, count);
	return 0;
}

/* Both buffers of a rank that gets the result. */
static int check_pair(struct coll_call *call)
{
	uintptr_t a, b = (uintptr_t)call->recv;
	size_t bytes = call->count * call->type->size;
	int rc = check_buffer("recvbuf", call->recv, call->count);

	if (rc)
		return rc;
	if (call->send == MRT_IN_PLACE) {
		call->send = NULL;
		return 0;
	}
	rc = check_buffer("sendbuf", call->send, call->count);
	a = (uintptr_t)call->send;
	if (!rc && bytes && a < b + bytes && b < a + bytes)
		rc = proc_fail(MRT_ERR_BUFFER,
			       "sendbuf and recvbuf overlap; pass "
			       "MRT_IN_PLACE as sendbuf");
	return rc;
}

/* ---- Calls -------------------------------------------------------------- */

int mrt_barrier(struct mrt_comm *comm)
{
	struct mrt_comm *c = comm_get(comm);
	int rc = proc_enter();

	if (!rc) {
		rc = c ? coll_barrier(c) : bad_comm(comm);
		proc_leave();
	}
	return proc_result("mrt_barrier", rc);
}

static int bcast(struct coll_call *call, struct mrt_type *type,
		 struct mrt_comm *handle)
{
	struct mrt_comm *comm = comm_get(handle);
	int rc;

	if (!comm)
		return bad_comm(handle);
	if ((rc = check_type(call, type)) ||
	    (rc = check_buffer("buf", call->recv, call->count)) ||
	    (rc = check_root(comm, call->root)))
		return rc;
	return coll_run(comm, call);
}

int mrt_bcast(void *buf, size_t count, struct mrt_type *type, int root,
	      struct mrt_comm *comm)
{
	struct coll_call call = {.collective = COLL_BCAST,
				 .recv = buf,
				 .count = count,
				 .root = root};
	int rc = proc_enter();

	if (!rc) {
		rc = bcast(&call, type, comm);
		proc_leave();
	}
	return proc_result("mrt_bcast", rc);
}

static int reduce(struct coll_call *call, struct mrt_type *type,
		  struct mrt_op *op, struct mrt_comm *handle)
{
	struct mrt_comm *comm = comm_get(handle);
	int rc;

	if (!comm)
		return bad_comm(handle);
	if ((rc = check_type(call, type)) || (rc = check_op(call, op)) ||
	    (rc = check_root(comm, call->root)))
		return rc;
	if (comm->rank == call->root) {
		rc = check_pair(call);
	} else {
		rc = check_buffer("sendbuf", call->send, call->count);
		call->recv = NULL; /* counts at the root only */
	}
	return rc ? rc : coll_run(comm, call);
}

int mrt_reduce(const void *sendbuf, void *recvbuf, size_t count,
	       struct mrt_type *type, struct mrt_op *op, int root,
	       struct mrt_comm *comm)
{
	struct coll_call call = {.collective = COLL_REDUCE,
				 .send = sendbuf,
				 .recv = recvbuf,
				 .count = count,
				 .root = root};
	int rc = proc_enter();

	if (!rc) {
		rc = reduce(&call, type, op, comm);
		proc_leave();
	}
	return proc_result("mrt_reduce", rc);
}

static int allreduce(struct coll_call *call, struct mrt_type *type,
		     struct mrt_op *op, struct mrt_comm *handle)
{
	struct mrt_comm *comm = comm_get(handle);
	int rc;

	if (!comm)
		return bad_comm(handle);
	if ((rc = check_type(call, type)) || (rc = check_op(call, op)) ||
	    (rc = check_pair(call)))
		return rc;
	return coll_run(comm, call);
}

int mrt_allreduce(const void *sendbuf, void *recvbuf, size_t count,
		  struct mrt_type *type, struct mrt_op *op,
		  struct mrt_comm *comm)
{
	struct coll_call call = {.collective = COLL_ALLREDUCE,
				 .send = sendbuf,
				 .recv = recvbuf,
				 .count = count};
	int rc = proc_enter();

	if (!rc) {
		rc = allreduce(&call, type, op, comm);
		proc_leave();
	}
	return proc_result("mrt_allreduce", rc);
}
