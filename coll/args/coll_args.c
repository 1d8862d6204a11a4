/* SPDX-License-Identifier: Apache-2.0 */
/* coll_args.c: checks of arguments: their parts, and collectives whose blocks
 * are of one length. */
#include "coll/args/coll_args.h"

#include "p2p/args.h"

/* ---- Parts -------------------------------------------------------------- */

struct side coll_send_side(const struct coll_args *a, int n)
{
	return (struct side){"sendbuf",	   "sendcount", "sendtype", a->sendbuf,
			     a->sendcount, a->sendtype, n,	    false};
}

struct side coll_recv_side(const struct coll_args *a, int n)
{
	return (struct side){"recvbuf",	   "recvcount", "recvtype", a->recvbuf,
			     a->recvcount, a->recvtype, n,	    false};
}

int coll_check_buffer(const struct side *side, size_t bytes)
{
	if (side->buf == MRT_IN_PLACE)
		return proc_fail(MRT_ERR_BUFFER,
				 "MRT_IN_PLACE is not allowed as %s here",
				 side->buf_name);
	if (!side->buf && bytes)
		return proc_fail(MRT_ERR_BUFFER, "%s is NULL, of %zu bytes",
				 side->buf_name, bytes);
	if ((uintptr_t)side->buf < MRT_CONSTANTS_END && bytes)
		return proc_fail(MRT_ERR_BUFFER, "%s is %p, of %zu bytes",
				 side->buf_name, side->buf, bytes);
	return 0;
}

int coll_other_type(struct mrt_type *handle, const char *name)
{
	const struct mrt_type *type = type_get(handle);

	if (!type)
		return proc_fail(MRT_ERR_TYPE, "%s %p is not a type", name,
				 (void *)handle);
	if (!type->committed)
		return proc_fail(MRT_ERR_TYPE, "%s %p is not committed", name,
				 (void *)handle);
	return COLL_PACK;
}

int coll_check_side(const struct side *side, size_t *bytes)
{
	const struct mrt_type *type =
	    side->packed ? type_get(side->type) : type_get_dense(side->type);
	size_t n = (size_t)side->n;

	if (!type)
		return coll_other_type(side->type, side->type_name);
	if (side->count > TYPE_COUNT_MAX ||
	    (n && side->count * type->size > SIZE_MAX / 2 / n))
		return proc_fail(MRT_ERR_COUNT,
				 "%s of %zu elements (a negative one?)",
				 side->count_name, side->count);
	*bytes = side->count * type->size;
	return coll_check_buffer(side, *bytes * n);
}

static int check_root(const struct mrt_comm *comm, int root)
{
	if (root >= 0 && root < comm->size)
		return 0;
	return proc_fail(MRT_ERR_ROOT, "root %d of a communicator of %d", root,
			 comm->size);
}

int coll_check_equal(size_t sent, size_t received)
{
	if (sent == received)
		return 0;
	return proc_fail(sent > received ? MRT_ERR_TRUNCATE : MRT_ERR_ARG,
			 "blocks sent have %zu bytes, blocks received %zu: "
			 "see the counts and types",
			 sent, received);
}

int coll_check_overlap(const void *send, size_t sent, const void *recv,
		       size_t received)
{
	uintptr_t a = (uintptr_t)send, b = (uintptr_t)recv;

	if (!sent || !received || a >= b + received || b >= a + sent)
		return 0;
	return proc_fail(MRT_ERR_BUFFER, "sendbuf and recvbuf overlap; see "
					 "MRT_IN_PLACE");
}

int coll_check_op(struct coll_call *call, struct mrt_type *type,
		  struct mrt_op *op)
{
	call->type = type_get(type);
	call->op = op_get(op);
	if (!call->type)
		return proc_fail(MRT_ERR_TYPE, "type %p is not a type",
				 (void *)type);
	if (!call->op)
		return op_unknown(op);
	if (!call->type->size)
		return proc_fail(MRT_ERR_TYPE, "type has no data");
	if (!op_fits(call->op, call->type))
		return proc_fail(MRT_ERR_OP, "op %s is not defined for type %s",
				 call->op->name,
				 call->type->name ? call->type->name
						  : "(derived)");
	return 0;
}

/* ---- Blocks of one length ----------------------------------------------- */

enum in_place { NEVER, SEND_IN_RECV, RECV_IN_SEND };

static int check_blocks(struct coll_call *call, const struct side *send,
			const struct side *recv, enum in_place allowed)
{
	bool no_send = allowed == SEND_IN_RECV && send->buf == MRT_IN_PLACE;
	bool no_recv = allowed == RECV_IN_SEND && recv->buf == MRT_IN_PLACE;
	bool has_send = send->n && !no_send, has_recv = recv->n && !no_recv;
	size_t sent = 0, received = 0;
	int rc;

	if (has_send && (rc = coll_check_side(send, &sent)))
		return rc;
	if (has_recv && (rc = coll_check_side(recv, &received)))
		return rc;
	call->in_place = no_send || no_recv;
	call->send = has_send ? send->buf : NULL;
	call->recv = has_recv ? (void *)(uintptr_t)recv->buf : NULL;
	call->count = has_send ? sent : received;
	if (!has_send || !has_recv)
		return 0;
	rc = coll_check_equal(sent, received);
	return rc ? rc
		  : coll_check_overlap(send->buf, sent * (size_t)send->n,
				       recv->buf, received * (size_t)recv->n);
}

/* The same with nsend and nrecv blocks. */
static int check_moves(const struct coll_args *a, struct coll_call *call,
		       int nsend, int nrecv, enum in_place allowed)
{
	struct side send = coll_send_side(a, nsend);
	struct side recv = coll_recv_side(a, nrecv);

	return check_blocks(call, &send, &recv, allowed);
}

static int check_bcast(const struct coll_args *a, struct coll_call *call)
{
	struct side none = {.n = 0};
	struct side buf = {"buf",	 "count",     "type", a->recvbuf,
			   a->recvcount, a->recvtype, 1,      false};

	return check_blocks(call, &none, &buf, NEVER);
}

/* nsend blocks, of which the result, where there is one, is one. */
static int check_reduction(const struct coll_args *a, struct coll_call *call,
			   int nsend, bool has_result)
{
	const char *count = nsend == 1 ? "count" : "recvcount";
	bool in_place = a->sendbuf == MRT_IN_PLACE;
	struct side send = {"sendbuf",	  count,       "type", a->sendbuf,
			    a->recvcount, a->recvtype, nsend,  a->packed};
	struct side recv = {"recvbuf",
			    count,
			    "type",
			    a->recvbuf,
			    a->recvcount,
			    a->recvtype,
			    in_place ? nsend : 1,
			    a->packed};
	int rc;

	if (!has_result)
		recv.n = 0;
	if ((rc = coll_check_op(call, a->recvtype, a->op)) ||
	    (rc = check_blocks(call, &send, &recv,
			       has_result ? SEND_IN_RECV : NEVER)))
		return rc;
	call->count = a->recvcount;
	return 0;
}

static int check_regular(const struct coll_args *a, struct mrt_comm *comm,
			 struct coll_call *call)
{
	bool root = comm->rank == a->root;
	int n = comm->size;

	switch (call->collective) {
	case COLL_BARRIER:
		call->type = NULL;
		return 0;
	case COLL_BCAST:
		return check_bcast(a, call);
	case COLL_GATHER:
		return check_moves(a, call, 1, root ? n : 0,
				   root ? SEND_IN_RECV : NEVER);
	case COLL_SCATTER:
		return check_moves(a, call, root ? n : 0, 1,
				   root ? RECV_IN_SEND : NEVER);
	case COLL_ALLGATHER:
		return check_moves(a, call, 1, n, SEND_IN_RECV);
	case COLL_ALLTOALL:
		return check_moves(a, call, n, n, SEND_IN_RECV);
	case COLL_NEIGHBOR_ALLGATHER:
	case COLL_NEIGHBOR_ALLTOALL:
		return coll_args_neighbor(a, comm, call);
	case COLL_REDUCE:
		return check_reduction(a, call, 1, root);
	case COLL_REDUCE_SCATTER_BLOCK:
		return check_reduction(a, call, n, true);
	case COLL_ALLREDUCE:
	case COLL_SCAN:
		return check_reduction(a, call, 1, true);
	case COLL_EXSCAN:
		/* rank 0 gets nothing */
		return check_reduction(
		    a, call, 1, comm->rank > 0 || a->sendbuf == MRT_IN_PLACE);
	default:
		return coll_args_v(a, comm, call);
	}
}

int coll_args_check(const struct coll_args *a, struct mrt_comm *comm,
		    struct coll_call *call)
{
	int rc = check_root(comm, a->root); /* 0 where there is none */

	call->root = a->root;
	call->type = type_get(MRT_BYTE);
	return rc ? rc : check_regular(a, comm, call);
}
