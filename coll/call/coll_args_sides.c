/* SPDX-License-Identifier: Apache-2.0 */
/* coll_args_sides.c: the checks of a side's buffer, counts and types, of two
 * sides against each other, and of the operation. */
#include <stdio.h>

#include "coll/call/coll_args.h"
#include "runtime/engine/proc.h"

static __attribute__((noinline)) int
take_sparse_type(struct side *side, struct mrt_type *handle,
		 const struct mrt_type **type)
{
	char what[48];

	*type = type_get(handle);
	if (!*type) {
		snprintf(what, sizeof(what), "a type, as %s must be",
			 side->names->type);
		return proc_fail_handle(MRT_ERR_TYPE, handle, what);
	}
	if (!(*type)->committed)
		return proc_fail(MRT_ERR_TYPE,
				 "%s %p has not been committed: call "
				 "mrt_type_commit",
				 side->names->type, (void *)handle);
	side->holes = true;
	return 0;
}

/* Sets *type to the datatype of a handle. A type that is valid but not dense
 * marks the side as having holes. */
static inline int take_type(struct side *side, struct mrt_type *handle,
			    const struct mrt_type **type)
{
	*type = type_get_dense(handle);
	return *type ? 0 : take_sparse_type(side, handle, type);
}

/* Reports MRT_IN_PLACE where it is not allowed. */
static int no_place(const struct side *side)
{
	return proc_fail(MRT_ERR_BUFFER,
			 "MRT_IN_PLACE is not allowed as %s here",
			 side->names->buf);
}

int coll_check_side(struct side *side, size_t *bytes)
{
	size_t n = (size_t)side->n, all;
	const struct mrt_type *type;
	int rc = take_type(side, side->type, &type);

	if (rc)
		return rc;
	/* a division would cost as much as all the rest */
	if (__builtin_mul_overflow(side->count, n, &all) ||
	    all > type->count_max)
		return proc_fail(MRT_ERR_COUNT, "%s is %td", side->names->count,
				 (ptrdiff_t)side->count);
	*bytes = side->count * type->size;
	all *= type->size;
	if (side->buf == MRT_IN_PLACE)
		return no_place(side);
	if (!all || (uintptr_t)side->buf + (uintptr_t)type->true_lb >=
			MRT_CONSTANTS_END)
		return 0;
	if (!side->buf)
		return proc_fail(MRT_ERR_BUFFER, "%s is NULL, of %zu bytes",
				 side->names->buf, all);
	return proc_fail(MRT_ERR_BUFFER, "%s is %p, of %zu bytes",
			 side->names->buf, side->buf, all);
}

/* Sets *at to the displacement of block i in bytes. The block must begin inside
 * the address space. */
static int coll_args_sides_displace(const struct side *side, int i,
				    ptrdiff_t unit, ptrdiff_t *at)
{
	uintptr_t begin;

	if (!__builtin_mul_overflow(side->displs[i], unit, at)) {
		/* unsigned, so that a negative displacement wraps correctly */
		begin = (uintptr_t)side->buf + (uintptr_t)*at;
		if (begin <= PTRDIFF_MAX)
			return 0;
	}
	return proc_fail(MRT_ERR_COUNT, "%s of block %d is %td",
			 side->names->displs, i, side->displs[i]);
}

/* Checks block i of a side with lists and sets *b to it, in packed bytes. */
static int check_block(struct side *side, int i, struct block *b)
{
	const struct mrt_type *type;
	ptrdiff_t at;
	int rc =
	    take_type(side, side->types ? side->types[i] : side->type, &type);

	if (rc)
		return rc;
	if (side->counts[i] > type->count_max)
		return proc_fail(MRT_ERR_COUNT, "%s of block %d is %td",
				 side->names->counts, i,
				 (ptrdiff_t)side->counts[i]);
	*b = (struct block){0, side->counts[i] * type->size};
	if (!b->count)
		return 0;
	rc = coll_args_sides_displace(side, i, side->types ? 1 : type->extent,
				      &at);
	if (rc)
		return rc;
	b->at = (size_t)at;
	if ((uintptr_t)side->buf + b->at + (uintptr_t)type->true_lb <
	    MRT_CONSTANTS_END)
		return proc_fail(MRT_ERR_BUFFER,
				 "%s is NULL, and block %d there has %zu bytes",
				 side->names->buf, i, b->count);
	return 0;
}

int coll_check_lists(struct side *side, struct block *blocks)
{
	size_t total = 0;

	if (side->buf == MRT_IN_PLACE)
		return no_place(side);
	if (!side->counts || !side->displs)
		return proc_fail(MRT_ERR_ARG, "%s is NULL",
				 side->counts ? side->names->displs
					      : side->names->counts);
	for (int i = 0; i < side->n; i++) {
		int rc = check_block(side, i, &blocks[i]);

		if (rc)
			return rc;
		if (blocks[i].count > SIZE_MAX / 2 - total)
			return proc_fail(MRT_ERR_COUNT, "%s add up to too much",
					 side->names->counts);
		total += blocks[i].count;
	}
	return 0;
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
		return proc_fail_handle(MRT_ERR_TYPE, type, "a type");
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
