/* SPDX-License-Identifier: Apache-2.0 */
/* op.h: what lies behind struct mrt_op handles, and how to apply it. */
#ifndef COLL_OP_H
#define COLL_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mrt.h"
#include "p2p/type/datatype.h"

struct mrt_op {
	uint64_t magic;	  /* the user's: OP_MAGIC until mrt_op_free */
	const char *name; /* "MRT_SUM" */
	uint8_t kernel;	  /* enum op_kernels (kernels.h); KERNELS: the user's */
	bool commutative;
	/* the user's */
	mrt_op_fn fn;
	void *context;
	int holds; /* the handle, and collectives under way */
};
#define OP_MAGIC 0x6d72742d6f706572ull

extern struct pool op_pool; /* of users' */

/* The operation behind a handle, or NULL if the handle is not valid. */
const struct mrt_op *op_get(struct mrt_op *handle);

/* What a handle that is none gives: MRT_ERR_OP (proc_fail). */
int op_unknown(const struct mrt_op *handle);

/* Keeps a user's operation until op_release, for which the user's handle has
 * one. NULL and predefined ones are fine. */
void op_hold(const struct mrt_op *op);
void op_release(const struct mrt_op *op);

/* Is it defined for this type? */
bool op_fits(const struct mrt_op *op, const struct mrt_type *type);

/*
 * dst[i] = left[i] op right[i] for `count` elements; op must fit type. dst may
 * be exactly left or right, and may not overlap them otherwise. left belongs
 * to the lower rank.
 */
void op_apply(const struct mrt_op *op, const struct mrt_type *type,
	      const void *left, const void *right, void *dst, size_t count);

/* The same for one of a user's (op_user.c). */
void op_apply_user(const struct mrt_op *op, const struct mrt_type *type,
		   const char *left, const char *right, char *dst,
		   size_t count);

/* inout[i] = in[i] op inout[i]. */
static inline void op_reduce(const struct mrt_op *op,
			     const struct mrt_type *type, const void *in,
			     void *inout, size_t count)
{
	op_apply(op, type, in, inout, inout, count);
}

/* How atomics on 64-bit words can compute it: enum combine (shape.h). */
uint8_t op_combine(const struct mrt_op *op, const struct mrt_type *type);
/*
 * The element e with e op x = x for every x (logical operations: as true or
 * as false as x), as the first bytes of a word. Only where op_combine is not
 * COMBINE_NONE.
 */
uint64_t op_identity(const struct mrt_op *op, const struct mrt_type *type);

/* Picks the kernels for this CPU; before it, portable ones are used. */
void op_init(void);
#endif
