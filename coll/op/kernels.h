/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernels.h: the loops of reductions, compiled once for every CPU
 * (kernels_base.c) and once for newer ones (kernels_avx2.c).
 */
#ifndef COLL_KERNELS_H
#define COLL_KERNELS_H

#include <stddef.h>

#include "p2p/type/datatype.h"

enum op_kernels {
	KERNEL_SUM,
	KERNEL_PROD,
	KERNEL_MIN,
	KERNEL_MAX,
	KERNEL_BAND,
	KERNEL_BOR,
	KERNEL_BXOR,
	KERNEL_LAND,
	KERNEL_LOR,
	KERNEL_LXOR,
	KERNEL_MINLOC,
	KERNEL_MAXLOC,
	KERNEL_REPLACE, /* the two that follow have no kernels: not for
			   collectives */
	KERNEL_NO_OP,
	KERNELS
};

/* dst may be left or right itself; see op_apply. */
typedef void kernel_fn(const void *left, const void *right, void *dst,
		       size_t count);
typedef kernel_fn *const kernel_table[KERNELS][TYPE_CLASSES];

/* An entry is NULL where the operation is not defined for the type. */
extern kernel_table kernels_base;

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_KERNELS_AVX2 1
extern kernel_table kernels_avx2;
#endif
#endif
