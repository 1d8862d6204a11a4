/* SPDX-License-Identifier: Apache-2.0 */
/* op.h: the objects behind struct mrt_op handles, and how to apply them. */
#ifndef COLL_OP_H
#define COLL_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mrt.h"
#include "p2p/type/datatype.h"

struct mrt_op {
	uint64_t magic; /* of a user's operation: OP_MAGIC until mrt_op_free */
	const char *name; /* "MRT_SUM" */
	uint8_t kernel;	  /* enum op_kernels (kernels.h); KERNELS: a user's
			     operation */
	bool commutative;
	/* of a user's operation: */
	mrt_op_fn fn;
	void *context;
	int holds; /* references: the handle, and collectives under way */
};
#define OP_MAGIC 0x6d72742d6f706572ull

extern struct pool op_pool; /* users' operations */

/* Returns the operation behind a handle, or NULL if the handle is not valid. */
const struct mrt_op *op_get(struct mrt_op *handle);

/* Reports an invalid handle. Returns MRT_ERR_OP (proc_fail). */
int op_unknown(const struct mrt_op *handle);

/* Keep and release a user's operation; its handle is one reference. They do
 * nothing for NULL and predefined operations. */
void op_hold(const struct mrt_op *op);
void op_release(const struct mrt_op *op);

/* Tells whether the operation is defined for the type. */
bool op_fits(const struct mrt_op *op, const struct mrt_type *type);

/* Computes dst[i] = left[i] op right[i] for `count` elements; op must fit type.
 * dst may be exactly left or right, and must not overlap them otherwise. left
 * belongs to the lower rank. */
void op_apply(const struct mrt_op *op, const struct mrt_type *type,
	      const void *left, const void *right, void *dst, size_t count);

/* Like op_apply, for a user's operation (op_user.c). */
void op_apply_user(const struct mrt_op *op, const struct mrt_type *type,
		   const char *left, const char *right, char *dst,
		   size_t count);

/* Computes inout[i] = in[i] op inout[i]. */
static inline void op_reduce(const struct mrt_op *op,
			     const struct mrt_type *type, const void *in,
			     void *inout, size_t count)
{
	op_apply(op, type, in, inout, inout, count);
}

/* Returns how atomics on 64-bit words can compute the operation: an enum
 * combine (shape.h). */
uint8_t op_combine(const struct mrt_op *op, const struct mrt_type *type);
/* Returns the element e with e op x = x for every x (logical operations: as
 * true or as false as x), as the first bytes of a word. Only where op_combine
 * is not COMBINE_NONE. */
uint64_t op_identity(const struct mrt_op *op, const struct mrt_type *type);

/* Picks the kernels for this CPU; until then portable ones are used. */
void op_init(void);
#endif
