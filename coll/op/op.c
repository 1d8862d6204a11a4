/* SPDX-License-Identifier: Apache-2.0 */
/* op.c: the predefined reduction operations; op_user.c has users' ones. */
#include "coll/op/op.h"

#include <math.h>
#include <string.h>

#include "coll/op/kernels.h"
#include "coll/plan/shape.h"
#include "runtime/engine/proc.h"

enum { FIRST = 0x20, LAST = 0x3f };

/* Indexed by handle - FIRST. */
#define ROW(handle, k)                                                         \
	[handle - FIRST] = {                                                   \
	    .name = "MRT_" #k, .kernel = KERNEL_##k, .commutative = true}
/* clang-format off */
static const struct mrt_op ops[LAST - FIRST + 1] = {
    ROW(0x21, SUM),  ROW(0x22, MIN),  ROW(0x23, MAX),  ROW(0x24, PROD),
    ROW(0x28, BAND), ROW(0x29, BOR),  ROW(0x2a, BXOR), ROW(0x30, LAND),
    ROW(0x31, LOR),  ROW(0x32, LXOR), ROW(0x38, MINLOC), ROW(0x39, MAXLOC),
    [0x3c - FIRST] = {.name = "MRT_REPLACE", .kernel = KERNEL_REPLACE},
    [0x3d - FIRST] = {.name = "MRT_NO_OP", .kernel = KERNEL_NO_OP},
};
/* clang-format on */

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

	if (k <= LAST - FIRST)
		return ops[k].name ? &ops[k] : NULL;
	return (uintptr_t)handle >= MRT_CONSTANTS_END &&
		       handle->magic == OP_MAGIC
		   ? handle
		   : NULL;
}

int op_unknown(const struct mrt_op *handle)
{
	return proc_fail_handle(MRT_ERR_OP, handle, "an operation");
}

bool op_fits(const struct mrt_op *op, const struct mrt_type *type)
{
	return op->fn || kernels[op->kernel][type->kind];
}

static bool is_integer(const struct mrt_type *type)
{
	return type->kind >= TYPE_INT8 && type->kind <= TYPE_UINT64;
}

uint8_t op_combine(const struct mrt_op *op, const struct mrt_type *type)
{
	if (op->fn || type->size > sizeof(uint64_t) ||
	    type_class_is_pair(type->kind))
		return COMBINE_NONE;
	return op->kernel == KERNEL_SUM && is_integer(type) ? COMBINE_ADD
							    : COMBINE_SWAP;
}

/* Returns the real number as an element of a floating-point type. */
static uint64_t real_word(const struct mrt_type *type, double value)
{
	float parts[2] = {(float)value, 0};
	uint64_t word = 0;

	if (type->kind == TYPE_DOUBLE)
		memcpy(&word, &value, sizeof(value));
	else
		memcpy(&word, parts, type->size);
	return word;
}

/* Returns the low bytes of the number as an element of an integer type. */
static uint64_t integer_word(const struct mrt_type *type, uint64_t value)
{
	uint8_t v8 = (uint8_t)value;
	uint16_t v16 = (uint16_t)value;
	uint32_t v32 = (uint32_t)value;
	uint64_t word = 0;

	memcpy(&word,
	       type->size == 1	 ? (void *)&v8
	       : type->size == 2 ? (void *)&v16
	       : type->size == 4 ? (void *)&v32
				 : (void *)&value,
	       type->size);
	return word;
}

static uint64_t op_least(const struct mrt_type *type)
{
	bool has_sign = type->kind >= TYPE_INT8 && type->kind <= TYPE_INT64;

	return has_sign ? 1ull << (8 * type->size - 1) : 0;
}

static uint64_t real_identity(uint8_t kernel, const struct mrt_type *type)
{
	/* -0.0 + 0.0 is 0.0, so 0.0 would not do */
	static const double values[KERNELS] = {[KERNEL_SUM] = -0.0,
					       [KERNEL_PROD] = 1,
					       [KERNEL_MIN] = INFINITY,
					       [KERNEL_MAX] = -INFINITY};
	uint64_t word = real_word(type, values[kernel]);

	/* the imaginary part of a sum */
	if (type->kind == TYPE_CFLOAT && kernel == KERNEL_SUM)
		memcpy((char *)&word + sizeof(float), &word, sizeof(float));
	return word;
}

uint64_t op_identity(const struct mrt_op *op, const struct mrt_type *type)
{
	switch (type->kind) {
	case TYPE_FLOAT:
	case TYPE_DOUBLE:
	case TYPE_CFLOAT:
		return real_identity(op->kernel, type);
	default:
		break;
	}
	switch (op->kernel) {
	case KERNEL_PROD:
	case KERNEL_LAND:
		return integer_word(type, 1);
	case KERNEL_BAND:
		return integer_word(type, ~0ull);
	case KERNEL_MIN:
		return integer_word(type, ~op_least(type));
	case KERNEL_MAX:
		return integer_word(type, op_least(type));
	default:
		return 0;
	}
}

void op_apply(const struct mrt_op *op, const struct mrt_type *type,
	      const void *left, const void *right, void *dst, size_t count)
{
	if (__builtin_expect(op->fn != NULL, 0))
		op_apply_user(op, type, left, right, dst, count);
	else
		kernels[op->kernel][type->kind](left, right, dst, count);
}
