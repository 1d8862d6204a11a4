/* SPDX-License-Identifier: Apache-2.0 */
/* op_user.c: operations of users, and the public calls on operations. */
#include <stdlib.h>
#include <string.h>

#include "coll/coll_args.h"
#include "coll/kernels.h"
#include "coll/op.h"
#include "p2p/args.h"
#include "runtime/proc.h"

/* ---- The user's --------------------------------------------------------- */

/*
 * The function computes into its second argument only. So where dst is the
 * left operand, pieces of the right one are copied, combined and copied back.
 */
void op_apply_user(const struct mrt_op *op, const struct mrt_type *type,
		   const char *left, const char *right, char *dst,
		   size_t count)
{
	struct mrt_type *handle = type_handle(type);
	char piece[4096] __attribute__((aligned(64)));
	size_t most = sizeof(piece) / type->size;

	if (!count)
		return;
	if (dst != left) {
		if (dst != right)
			memcpy(dst, right, count * type->size);
		op->fn(left, dst, count, handle, op->context);
		return;
	}
	for (size_t at = 0; at < count; at += most) {
		size_t n = count - at < most ? count - at : most;
		size_t from = at * type->size, bytes = n * type->size;

		memcpy(piece, right + from, bytes);
		op->fn(left + from, piece, n, handle, op->context);
		memcpy(dst + from, piece, bytes);
	}
}

void op_hold(const struct mrt_op *op)
{
	if (op && op->fn)
		((struct mrt_op *)(uintptr_t)op)->holds++;
}

void op_release(const struct mrt_op *op)
{
	struct mrt_op *own = (struct mrt_op *)(uintptr_t)op;

	if (op && op->fn && !--own->holds)
		free(own);
}

/* ---- Calls -------------------------------------------------------------- */

static int create(mrt_op_fn fn, void *context, int commutative,
		  struct mrt_op **op)
{
	struct mrt_op *own;

	if (!fn || !op)
		return proc_fail(MRT_ERR_ARG, "%s is NULL", fn ? "op" : "fn");
	own = malloc(sizeof(*own));
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
			rc = proc_fail(MRT_ERR_OP, "not an operation of "
				       "mrt_op_create");
		}
		proc_leave();
	}
	return proc_result("mrt_op_free", rc);
}

int mrt_op_commutative(struct mrt_op *op, int *commutative)
{
	int rc = proc_enter();

	if (!rc) {
		const struct mrt_op *o = op_get(op);

		if (!o)
			rc = proc_fail(MRT_ERR_OP, "%p is not an operation",
				       (void *)op);
		else if (!commutative)
			rc = proc_fail(MRT_ERR_ARG, "commutative is NULL");
		else
			*commutative = o->commutative;
		proc_leave();
	}
	return proc_result("mrt_op_commutative", rc);
}

static int reduce_local(const void *in, void *inout, size_t count,
			struct mrt_type *type, struct mrt_op *op)
{
	struct side left = {"in", "count", "type", in, count, type, 1, false};
	struct side right = {"inout", "count", "type", inout, count, type, 1, false};
	struct coll_call call = {.count = count};
	size_t bytes;
	int rc = coll_check_op(&call, type, op);

	if (rc || (rc = coll_check_side(&left, &bytes)) ||
	    (rc = coll_check_side(&right, &bytes)) ||
	    (rc = coll_check_overlap(in, bytes, inout, bytes)))
		return rc;
	op_reduce(call.op, call.type, in, inout, count);
	return 0;
}

int mrt_reduce_local(const void *in, void *inout, size_t count,
		     struct mrt_type *type, struct mrt_op *op)
{
	int rc = proc_enter();

	if (!rc) {
		rc = reduce_local(in, inout, count, type, op);
		proc_leave();
	}
	return proc_result("mrt_reduce_local", rc);
}
