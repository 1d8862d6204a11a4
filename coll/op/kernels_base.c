/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_base.c: reduction kernels for any CPU of the target. */
#define KERNELS_NAME kernels_base
#define KERNELS_TARGET
#include "coll/op/kernels_body.h"
