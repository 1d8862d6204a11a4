/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_avx2.c: reduction kernels for x86-64 with AVX2 (2013 and later). */
#include "coll/op/kernels.h"

#ifdef HAVE_KERNELS_AVX2
#define KERNELS_NAME kernels_avx2
#define KERNELS_TARGET __attribute__((target("avx2")))
#include "coll/op/kernels_body.h"
#endif
