/* SPDX-License-Identifier: Apache-2.0 */
/* op.c: the predefined operations. */
#include "coll/op.h"

#include "coll/kernels.h"

enum { FIRST = 0x20, LAST = 0x3f };

/* By handle - FIRST. */
#define ROW(handle, k)                                                         \
	[handle - FIRST] = {"MRT_" #k, KERNEL_##k, true}
static const struct mrt_op ops[LAST - FIRST + 1] = {
    ROW(0x21, SUM),  ROW(0x22, MIN),  ROW(0x23, MAX),  ROW(0x24, PROD),
    ROW(0x28, BAND), ROW(0x29, BOR),  ROW(0x2a, BXOR), ROW(0x30, LAND),
    ROW(0x31, LOR),  ROW(0x32, LXOR),
};

static kernel_fn *const (*kernels)[TYPE_CLASSES] = kernels_base;

void op_init(void)
{
#ifdef HAVE_KERNELS_AVX2
	if (__builtin_cpu_supports("avx2"))
		kernels = kernels_avx2;
#endif
}

const struct mrt_op *op_get(struct mrt_op *handle)
{
	uintptr_t k = (uintptr_t)handle - FIRST;

	return k <= LAST - FIRST && ops[k].name ? &ops[k] : NULL;
}

bool op_fits(const struct mrt_op *op, const struct mrt_type *type)
{
	return kernels[op->kernel][type->kind];
}

void op_apply(const struct mrt_op *op, const struct mrt_type *type,
	      const void *left, const void *right, void *dst, size_t count)
{
	kernels[op->kernel][type->kind](left, right, dst, count);
}
