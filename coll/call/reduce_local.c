/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_local.c: mrt_reduce_local, a reduction without communication. */
#include "coll/call/coll_args.h"
#include "runtime/engine/proc.h"

/* Reduces pairs with holes, which are packed one by one. */
static void reduce_pairs(const struct coll_call *call, const char *in,
			 char *inout)
{
	const struct mrt_type *t = call->type;
	char left[64], right[64];

	for (size_t i = 0; i < call->shape.count; i++) {
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
	static const struct side_names names[] = {
	    {.buf = "in", .count = "count", .type = "type"},
	    {.buf = "inout", .count = "count", .type = "type"}};
	struct side left = {.names = &names[0],
			    .buf = in,
			    .count = count,
			    .type = type,
			    .n = 1};
	struct side right = left;
	struct coll_call call = {.shape.count = count};
	size_t bytes;
	int rc = coll_check_op(&call, type, op);

	right.names = &names[1];
	right.buf = inout;
	if (!rc)
		rc = coll_check_side(&left, &bytes);
	if (!rc)
		rc = coll_check_side(&right, &bytes);
	if (!rc && !left.holes)
		rc = coll_check_overlap(in, bytes, inout, bytes);
	if (rc)
		return rc;
	if (!left.holes)
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
	int rc = proc_enter_local("mrt_reduce_local");

	if (!rc) {
		rc = reduce_local(in, inout, count, type, op);
		proc_leave();
	}
	return proc_result("mrt_reduce_local", rc);
}
