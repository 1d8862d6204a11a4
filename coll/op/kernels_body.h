/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernels_body.h: generates all kernels and their table. Each kernels_*.c
 * includes it once and defines before
 *   KERNELS_NAME     the name of the table
 *   KERNELS_TARGET   attributes of its functions: the instructions to use
 *
 * Signed and unsigned types share the kernels that compute the same bits, and
 * arithmetic is unsigned, where overflow wraps.
 *
 * With AVX2 all loops become vector instructions but those of long double, for
 * which there are none. SSE2, the base of x86-64, has no 64-bit product and no
 * 64-bit comparison, so that these loops (prod, min, max and the logical
 * operations on 64-bit integers) stay scalar there.
 */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "coll/op/kernels.h"

/* VECTOR_LOOP: elements are independent although dst may be left or right, so
 * the loop needs no checks for overlap. OPTIMIZE: no fused multiply-add, so
 * that the bits do not depend on the instructions. */
#if defined(__clang__)
#define VECTOR_LOOP _Pragma("clang loop vectorize(assume_safety)")
#define OPTIMIZE
#pragma STDC FP_CONTRACT OFF
/* long double stays scalar, as it should */
#pragma clang diagnostic ignored "-Wpass-failed"
#elif defined(__GNUC__)
#define VECTOR_LOOP _Pragma("GCC ivdep")
#define OPTIMIZE __attribute__((optimize("O3", "fp-contract=off")))
#else
#define VECTOR_LOOP
#define OPTIMIZE
#endif

/* UNFUSED: GCC 12 fuses in complex products all the same if it may use such
 * instructions, as by -march=native. */
#if defined(__clang__) || !defined(__GNUC__)
#define UNFUSED
#elif defined(__x86_64__)
#define UNFUSED __attribute__((target("no-fma,no-fma4,no-avx512f")))
#elif defined(__aarch64__)
#define UNFUSED __attribute__((target("arch=armv8-a")))
#else
#define UNFUSED
#endif

#define KERNEL(name, type, expr)                                               \
	KERNELS_TARGET OPTIMIZE static void name(                              \
	    const void *left, const void *right, void *dst, size_t count)      \
	{                                                                      \
		const type *l = left, *r = right;                              \
		type *d = dst;                                                 \
                                                                               \
		VECTOR_LOOP                                                    \
		for (size_t i = 0; i < count; i++) {                           \
			type a = l[i], b = r[i];                               \
                                                                               \
			d[i] = (type)(expr);                                   \
		}                                                              \
	}

#define MIN_MAX(suffix, type)                                                  \
	KERNEL(min_##suffix, type, b < a ? b : a)                              \
	KERNEL(max_##suffix, type, b > a ? b : a)

/* 1u * keeps small operands from being promoted to signed ints, which may
 * overflow */
#define UNSIGNED(suffix, type)                                                 \
	KERNEL(sum_##suffix, type, 1u * a + b)                                 \
	KERNEL(prod_##suffix, type, 1u * a * b)                                \
	KERNEL(band_##suffix, type, a &b)                                      \
	KERNEL(bor_##suffix, type, a | b)                                      \
	KERNEL(bxor_##suffix, type, a ^ b)                                     \
	KERNEL(land_##suffix, type, !!a & !!b)                                 \
	KERNEL(lor_##suffix, type, !!a | !!b)                                  \
	KERNEL(lxor_##suffix, type, !!a ^ !!b)                                 \
	MIN_MAX(suffix, type)

#define REAL(suffix, type)                                                     \
	KERNEL(sum_##suffix, type, a + b)                                      \
	KERNEL(prod_##suffix, type, a *b)                                      \
	MIN_MAX(suffix, type)

/*
 * Products of complex numbers use the plain formula, as compilers do under
 * CX_LIMITED_RANGE: a product of infinite or huge numbers that is not a number
 * by the formula stays so. C's own product tests for that case, and such loops
 * cannot be vectorised.
 */
#define COMPLEX_PRODUCT(name, part)                                            \
	KERNELS_TARGET UNFUSED OPTIMIZE static void name(                      \
	    const void *left, const void *right, void *dst, size_t count)      \
	{                                                                      \
		const part *l = left, *r = right;                              \
		part *d = dst;                                                 \
                                                                               \
		VECTOR_LOOP                                                    \
		for (size_t i = 0; i < 2 * count; i += 2) {                    \
			part a = l[i], ai = l[i + 1];                          \
			part b = r[i], bi = r[i + 1];                          \
                                                                               \
			d[i] = a * b - ai * bi;                                \
			d[i + 1] = a * bi + ai * b;                            \
		}                                                              \
	}

#define COMPLEX(suffix, type, part)                                            \
	KERNEL(sum_##suffix, type, a + b)                                      \
	COMPLEX_PRODUCT(prod_##suffix, part)

/* Reduces packed pairs of a value and an index to the one with the lower value
 * (maxloc: the higher) or, of equal values, the lower index. */
#define PAIR_KERNEL(name, pair, better)                                        \
	KERNELS_TARGET static void name(const void *left, const void *right,   \
					void *dst, size_t count)               \
	{                                                                      \
		const pair *l = left, *r = right;                              \
		pair *d = dst;                                                 \
                                                                               \
		for (size_t i = 0; i < count; i++) {                           \
			pair a = l[i], b = r[i];                               \
			bool first =                                           \
			    a.value better b.value ||                          \
			    (!(b.value better a.value) && a.index < b.index);  \
                                                                               \
			d[i] = first ? a : b;                                  \
		}                                                              \
	}

#define PAIR(suffix, type, itype)                                              \
	struct __attribute__((packed)) suffix##_pair {                         \
		type value;                                                    \
		itype index;                                                   \
	};                                                                     \
	PAIR_KERNEL(minloc_##suffix, struct suffix##_pair, <)                  \
	PAIR_KERNEL(maxloc_##suffix, struct suffix##_pair, >)

PAIR(f_i, float, int)
PAIR(d_i, double, int)
PAIR(l_i, long, int)
PAIR(i_i, int, int)
PAIR(s_i, short, int)
PAIR(ld_i, long double, int)
PAIR(f_f, float, float)
PAIR(q_q, int64_t, int64_t)
PAIR(d_d, double, double)

UNSIGNED(u8, uint8_t)
UNSIGNED(u16, uint16_t)
UNSIGNED(u32, uint32_t)
UNSIGNED(u64, uint64_t)
MIN_MAX(i8, int8_t)
MIN_MAX(i16, int16_t)
MIN_MAX(i32, int32_t)
MIN_MAX(i64, int64_t)
REAL(f, float)
REAL(d, double)
REAL(ld, long double)
COMPLEX(cf, float complex, float)
COMPLEX(cd, double complex, double)
COMPLEX(cld, long double complex, long double)

#define INTEGERS(op) C_INTEGERS(op), OTHER_INTEGERS(op)
#define OTHER_INTEGERS(op)                                                     \
	[TYPE_FINT8] = op##_u8, [TYPE_FINT16] = op##_u16,                      \
	[TYPE_FINT32] = op##_u32, [TYPE_FINT64] = op##_u64
#define C_INTEGERS(op)                                                         \
	[TYPE_INT8] = op##_u8, [TYPE_UINT8] = op##_u8,                         \
	[TYPE_INT16] = op##_u16, [TYPE_UINT16] = op##_u16,                     \
	[TYPE_INT32] = op##_u32, [TYPE_UINT32] = op##_u32,                     \
	[TYPE_INT64] = op##_u64, [TYPE_UINT64] = op##_u64
#define ORDERED(op)                                                            \
	[TYPE_FINT8] = op##_i8, [TYPE_FINT16] = op##_i16,                      \
	[TYPE_FINT32] = op##_i32, [TYPE_FINT64] = op##_i64,                    \
	[TYPE_INT8] = op##_i8, [TYPE_UINT8] = op##_u8,                         \
	[TYPE_INT16] = op##_i16, [TYPE_UINT16] = op##_u16,                     \
	[TYPE_INT32] = op##_i32, [TYPE_UINT32] = op##_u32,                     \
	[TYPE_INT64] = op##_i64, [TYPE_UINT64] = op##_u64
#define REALS(op)                                                              \
	[TYPE_FLOAT] = op##_f, [TYPE_DOUBLE] = op##_d,                         \
	[TYPE_LONG_DOUBLE] = op##_ld
#define COMPLEXES(op)                                                          \
	[TYPE_CFLOAT] = op##_cf, [TYPE_CDOUBLE] = op##_cd,                     \
	[TYPE_CLONG_DOUBLE] = op##_cld

#define LOGICALS(op)                                                           \
	C_INTEGERS(op), [TYPE_BOOL] = op##_u8, [TYPE_LOGICAL16] = op##_u16,    \
			[TYPE_LOGICAL32] = op##_u32,                           \
			[TYPE_LOGICAL64] = op##_u64
#define PAIRS(op)                                                              \
	[TYPE_FLOAT_INT] = op##_f_i, [TYPE_DOUBLE_INT] = op##_d_i,             \
	[TYPE_LONG_INT] = op##_l_i, [TYPE_INT_INT] = op##_i_i,                 \
	[TYPE_SHORT_INT] = op##_s_i, [TYPE_LONG_DOUBLE_INT] = op##_ld_i,       \
	[TYPE_FLOAT_FLOAT] = op##_f_f, [TYPE_INT64_INT64] = op##_q_q,          \
	[TYPE_DOUBLE_DOUBLE] = op##_d_d

_Static_assert(sizeof(_Bool) == 1, "bool is reduced as uint8_t");

kernel_table KERNELS_NAME = {
    [KERNEL_SUM] = {INTEGERS(sum), REALS(sum), COMPLEXES(sum)},
    [KERNEL_PROD] = {INTEGERS(prod), REALS(prod), COMPLEXES(prod)},
    [KERNEL_MIN] = {ORDERED(min), REALS(min)},
    [KERNEL_MAX] = {ORDERED(max), REALS(max)},
    [KERNEL_BAND] = {INTEGERS(band), [TYPE_BYTE] = band_u8},
    [KERNEL_BOR] = {INTEGERS(bor), [TYPE_BYTE] = bor_u8},
    [KERNEL_BXOR] = {INTEGERS(bxor), [TYPE_BYTE] = bxor_u8},
    [KERNEL_LAND] = {LOGICALS(land)},
    [KERNEL_LOR] = {LOGICALS(lor)},
    [KERNEL_LXOR] = {LOGICALS(lxor)},
    [KERNEL_MINLOC] = {PAIRS(minloc)},
    [KERNEL_MAXLOC] = {PAIRS(maxloc)},
};
