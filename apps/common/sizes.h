/* SPDX-License-Identifier: Apache-2.0 */
/* sizes.h: message sizes asked for on mrt-bench's command line. */
#ifndef BENCH_SIZES_H
#define BENCH_SIZES_H

#include <stddef.h>

#define SIZES_MAX 64

struct sizes {
	int n;
	size_t bytes[SIZES_MAX];
};

/* min (0 as well), then the powers of two above it up to max; 0 or -1. */
int sizes_range(struct sizes *s, size_t min, size_t max);

/* "MIN:MAX", or a list "8,1K,4K"; 0 or -1. */
int sizes_parse(struct sizes *s, const char *text);

/* Drops sizes below `min`, and rounds the others down to multiples of it; how
 * many are left. */
int sizes_at_least(struct sizes *s, size_t min);

#endif
