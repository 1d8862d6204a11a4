/* SPDX-License-Identifier: Apache-2.0 */
/* op_user.c: users' operations, and the public calls on operations. */
#include <stdlib.h>
#include <string.h>

#include "coll/op/kernels.h"
#include "coll/op/op.h"
#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/base/pool.h"
#include "runtime/engine/proc.h"

/* ---- Applying it -------------------------------------------------------- */

/* A function is called for so many bytes of an operand at once, since a call
 * may cost much, but no more, so that they stay in the caches. */
enum { RUN_BYTES = 32 << 10 };

/* Memory on the stack, or on the heap if it does not suffice. Without memory
 * the job ends, because the other ranks wait for the result. */
struct scratch {
	char stack[4096] __attribute__((aligned(64)));
	char *heap;
};

static char *scratch_take(struct scratch *r, size_t bytes)
{
	r->heap = bytes > sizeof(r->stack) ? malloc(bytes) : NULL;
	if (r->heap || bytes <= sizeof(r->stack))
		return r->heap ? r->heap : r->stack;
	log_line(LOG_ERROR, MRT_ERR_NO_MEM,
		 "%zu bytes for elements of a reduction", bytes);
	mrt_abort(MRT_COMM_WORLD, error_exit_code(MRT_ERR_NO_MEM));
}

static void scratch_give(struct scratch *r)
{
	free(r->heap);
}

/* Returns how many of `count` elements to combine at once. */
static size_t run_length(size_t count, size_t bytes)
{
	size_t most = bytes < RUN_BYTES ? RUN_BYTES / bytes : 1;

	return count < most ? count : most;
}

/* A user's function writes only its second argument. So if dst is the left
 * operand, parts of the right one are copied, combined and copied back. */
static void apply_dense(const struct mrt_op *op, const struct mrt_type *type,
			const char *left, const char *right, char *dst,
			size_t count)
{
	struct mrt_type *handle = type_handle(type);
	size_t most = run_length(count, type->size);
	struct scratch scratch;
	char *part;

	if (dst != left) {
		if (dst != right)
			memcpy(dst, right, count * type->size);
		op->fn(left, dst, count, handle, op->context);
		return;
	}
	part = scratch_take(&scratch, most * type->size);
	for (size_t at = 0; at < count; at += most) {
		size_t n = count - at < most ? count - at : most;
		size_t from = at * type->size, bytes = n * type->size;

		memcpy(part, right + from, bytes);
		op->fn(left + from, part, n, handle, op->context);
		memcpy(dst + from, part, bytes);
	}
	scratch_give(&scratch);
}

/* Applies the operation to packed elements of a type with holes: unpacks,
 * combines and packs runs of them, which lie as in memory. Each element has
 * space for everything between its bounds, and its data, since functions may
 * copy it whole; elements whose data reach over the next are runs of one. */
static void apply_spread(const struct mrt_op *op, const struct mrt_type *type,
			 const char *left, const char *right, char *dst,
			 size_t count)
{
	ptrdiff_t low = type->lb < type->true_lb ? type->lb : type->true_lb;
	ptrdiff_t end = type->lb + type->extent;
	ptrdiff_t true_end = type->true_lb + type->true_extent;
	bool apart = type->extent >= type->true_extent;
	size_t most = apart ? run_length(count, (size_t)type->extent) : 1;
	struct mrt_type *handle = type_handle(type);
	struct scratch scratch;
	size_t stride;
	char *in, *inout;

	end = end > true_end ? end : true_end;
	end += (ptrdiff_t)(most - 1) * type->extent;
	low &= ~(ptrdiff_t)63; /* aligned as in memory */
	stride = ((size_t)(end - low) + 63) & ~(size_t)63;
	in = scratch_take(&scratch, 2 * stride) - low;
	inout = in + stride;
	for (size_t i = 0; i < count; i += most) {
		size_t n = count - i < most ? count - i : most;
		size_t at = i * type->size, bytes = n * type->size;

		type_unpack(type, in, 0, bytes, left + at);
		type_unpack(type, inout, 0, bytes, right + at);
		op->fn(in, inout, n, handle, op->context);
		type_pack(type, inout, 0, bytes, dst + at);
	}
	scratch_give(&scratch);
}

void op_apply_user(const struct mrt_op *op, const struct mrt_type *type,
		   const char *left, const char *right, char *dst, size_t count)
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

static int op_user_create(mrt_op_fn fn, void *context, int commutative,
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
	int rc = proc_enter("mrt_op_create");

	if (!rc) {
		rc = op_user_create(fn, context, commutative, op);
		proc_leave();
	}
	return proc_result("mrt_op_create", rc);
}

int mrt_op_free(struct mrt_op **op)
{
	int rc = proc_enter("mrt_op_free");

	if (!rc) {
		const struct mrt_op *own = op ? op_get(*op) : NULL;

		if (own && own->fn) {
			(*op)->magic = 0;
			op_release(own);
			*op = MRT_OP_NULL;
		} else {
			rc = op ? proc_fail_handle(MRT_ERR_OP, *op,
						   "an operation of "
						   "mrt_op_create")
				: proc_fail(MRT_ERR_ARG, "op is NULL");
		}
		proc_leave();
	}
	return proc_result("mrt_op_free", rc);
}

int mrt_op_commutative(struct mrt_op *op, int *commutative)
{
	int rc = proc_enter_local("mrt_op_commutative");

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
