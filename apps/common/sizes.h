/* SPDX-License-Identifier: Apache-2.0 */
/* sizes.h: message sizes on the command line of mrt-bench, mrt-tune and
 * mrt-scale. */
#ifndef COMMON_SIZES_H
#define COMMON_SIZES_H

#include <stddef.h>

#define SIZES_MAX 64

struct sizes {
	int n;
	size_t bytes[SIZES_MAX];
};

/* Sets min (which may be 0), then the powers of two above it up to max. Returns
 * 0 or -1. */
int sizes_range(struct sizes *s, size_t min, size_t max);

/* Parses "MIN:MAX", or a list "8,1K,4K". Returns 0 or -1. */
int sizes_parse(struct sizes *s, const char *text);

/* Drops sizes below `min` and rounds the others down to multiples of it.
 * Returns how many are left. */
int sizes_at_least(struct sizes *s, size_t min);

#endif
