/* SPDX-License-Identifier: Apache-2.0 */
/* op_user.c: operations of users, and the public calls on operations. */
#include <stdlib.h>
#include <string.h>

#include "coll/coll_args.h"
#include "coll/kernels.h"
#include "coll/op.h"
#include "p2p/args.h"
#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/base/pool.h"
#include "runtime/proc.h"

/* ---- Applying it -------------------------------------------------------- */

/* Bytes on the stack, or in heap if there are more of them. Where there is no
 * memory the job ends: the other ranks wait for what is to be computed. */
struct room {
	char stack[4096] __attribute__((aligned(64)));
	char *heap;
};

static char *room_take(struct room *r, size_t bytes)
{
	r->heap = bytes > sizeof(r->stack) ? malloc(bytes) : NULL;
	if (r->heap || bytes <= sizeof(r->stack))
		return r->heap ? r->heap : r->stack;
	log_line(LOG_ERROR, MRT_ERR_NO_MEM, "%zu bytes for one element of a "
		 "reduction", bytes);
	mrt_abort(MRT_COMM_WORLD, error_exit_code(MRT_ERR_NO_MEM));
}

static void room_give(struct room *r)
{
	free(r->heap);
}

/*
 * The function computes into its second argument only. So where dst is the
 * left operand, pieces of the right one are copied, combined and copied back.
 */
static void apply_dense(const struct mrt_op *op, const struct mrt_type *type,
			const char *left, const char *right, char *dst,
			size_t count)
{
	struct mrt_type *handle = type_handle(type);
	struct room room;
	size_t most = sizeof(room.stack) / type->size;
	char *piece;

	if (dst != left) {
		if (dst != right)
			memcpy(dst, right, count * type->size);
		op->fn(left, dst, count, handle, op->context);
		return;
	}
	most = most ? most : 1;
	piece = room_take(&room, most * type->size);
	for (size_t at = 0; at < count; at += most) {
		size_t n = count - at < most ? count - at : most;
		size_t from = at * type->size, bytes = n * type->size;

		memcpy(piece, right + from, bytes);
		op->fn(left + from, piece, n, handle, op->context);
		memcpy(dst + from, piece, bytes);
	}
	room_give(&room);
}

/*
 * Elements with holes, of which packed ones are given: one by one they are
 * unpacked, combined and packed. Each has room for all that lies between its
 * bounds, and its data, since functions may copy it whole.
 */
static void apply_spread(const struct mrt_op *op, const struct mrt_type *type,
			 const char *left, const char *right, char *dst,
			 size_t count)
{
	ptrdiff_t low = type->lb < type->true_lb ? type->lb : type->true_lb;
	ptrdiff_t end = type->lb + type->extent;
	ptrdiff_t true_end = type->true_lb + type->true_extent;
	struct mrt_type *handle = type_handle(type);
	struct room room;
	size_t span;
	char *in, *inout;

	end = end > true_end ? end : true_end;
	low &= ~(ptrdiff_t)63; /* as it is aligned in memory */
	span = ((size_t)(end - low) + 63) & ~(size_t)63;
	in = room_take(&room, 2 * span) - low;
	inout = in + span;
	for (size_t i = 0; i < count; i++) {
		size_t at = i * type->size;

		type_unpack(type, in, 0, type->size, left + at);
		type_unpack(type, inout, 0, type->size, right + at);
		op->fn(in, inout, 1, handle, op->context);
		type_pack(type, inout, 0, type->size, dst + at);
	}
	room_give(&room);
}

void op_apply_user(const struct mrt_op *op, const struct mrt_type *type,
		   const char *left, const char *right, char *dst,
		   size_t count)
{
	if (!count)
		return;
	proc_callback_begin();
	if (type->dense)
		apply_dense(op, type, left, right, dst, count);
	else
		apply_spread(op, type, left, right, dst, count);
	proc_callback_end();
}

void op_hold(const struct mrt_op *op)
{
	if (op && op->fn)
		((struct mrt_op *)(uintptr_t)op)->holds++;
}

struct pool op_pool = POOL_INIT(struct mrt_op, 16);

void op_release(const struct mrt_op *op)
{
	struct mrt_op *own = (struct mrt_op *)(uintptr_t)op;

	if (op && op->fn && !--own->holds)
		pool_put_last(&op_pool, own);
}

/* ---- Calls -------------------------------------------------------------- */

static int create(mrt_op_fn fn, void *context, int commutative,
		  struct mrt_op **op)
{
	struct mrt_op *own;

	if (!fn || !op)
		return proc_fail(MRT_ERR_ARG, "%s is NULL", fn ? "op" : "fn");
	own = pool_get(&op_pool);
	if (!own)
		return proc_fail(MRT_ERR_NO_MEM, "an operation");
	*own = (struct mrt_op){.name = "a user's operation",
			       .kernel = KERNELS,
			       .commutative = commutative != 0,
			       .fn = fn,
			       .context = context,
			       .magic = OP_MAGIC,
			       .holds = 1};
	*op = own;
	return 0;
}

int mrt_op_create(mrt_op_fn fn, void *context, int commutative,
		  struct mrt_op **op)
{
	int rc = proc_enter();

	if (!rc) {
		rc = create(fn, context, commutative, op);
		proc_leave();
	}
	return proc_result("mrt_op_create", rc);
}

int mrt_op_free(struct mrt_op **op)
{
	int rc = proc_enter();

	if (!rc) {
		const struct mrt_op *own = op ? op_get(*op) : NULL;

		if (own && own->fn) {
			(*op)->magic = 0;
			op_release(own);
			*op = MRT_OP_NULL;
		} else {
			rc = op ? proc_fail(MRT_ERR_OP, "%p is not an "
					    "operation of mrt_op_create, or "
					    "is freed", (void *)*op)
				: proc_fail(MRT_ERR_ARG, "op is NULL");
		}
		proc_leave();
	}
	return proc_result("mrt_op_free", rc);
}

int mrt_op_commutative(struct mrt_op *op, int *commutative)
{
	int rc = proc_enter_local();

	if (!rc) {
		const struct mrt_op *o = op_get(op);

		if (!o)
			rc = op_unknown(op);
		else if (!commutative)
			rc = proc_fail(MRT_ERR_ARG, "commutative is NULL");
		else
			*commutative = o->commutative;
		proc_leave();
	}
	return proc_result("mrt_op_commutative", rc);
}

/* Pairs with holes, packed one by one. */
static void reduce_pairs(const struct coll_call *call, const char *in,
			 char *inout)
{
	const struct mrt_type *t = call->type;
	char left[64], right[64];

	for (size_t i = 0; i < call->count; i++) {
		ptrdiff_t at = (ptrdiff_t)i * t->extent;

		type_pack(t, in + at, 0, t->size, left);
		type_pack(t, inout + at, 0, t->size, right);
		op_reduce(call->op, t, left, right, 1);
		type_unpack(t, inout + at, 0, t->size, right);
	}
}

static int reduce_local(const void *in, void *inout, size_t count,
			struct mrt_type *type, struct mrt_op *op)
{
	struct side left = {"in", "count", "type", in, count, type, 1, false};
	struct side right = {"inout", "count", "type", inout, count, type, 1,
			     false};
	struct coll_call call = {.count = count};
	size_t bytes;
	int rc = coll_check_op(&call, type, op);

	if (rc || (rc = coll_check_side(&left, &bytes)) < 0 ||
	    (rc == 0 && (rc = coll_check_side(&right, &bytes)) < 0))
		return rc;
	if (!rc)
		rc = coll_check_overlap(in, bytes, inout, bytes);
	if (rc < 0)
		return rc;
	if (rc == COLL_PACK && count > ARGS_COUNT_MAX)
		return proc_fail(MRT_ERR_COUNT, "count of %zu elements (a "
				 "negative one?)", count);
	if (!rc)
		op_reduce(call.op, call.type, in, inout, count);
	else if (call.op->fn && count)
		call.op->fn(in, inout, count, type, call.op->context);
	else
		reduce_pairs(&call, in, inout);
	return 0;
}

int mrt_reduce_local(const void *in, void *inout, size_t count,
		     struct mrt_type *type, struct mrt_op *op)
{
	int rc = proc_enter_local();

	if (!rc) {
		rc = reduce_local(in, inout, count, type, op);
		proc_leave();
	}
	return proc_result("mrt_reduce_local", rc);
}
