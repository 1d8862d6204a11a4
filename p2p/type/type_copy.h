/* SPDX-License-Identifier: Apache-2.0 */
/* type_copy.h: copies many runs of bytes in one call, so that short ones cost
 * loads and stores alone. Runs have at least one byte; sources and targets do
 * not overlap. */
#ifndef P2P_TYPE_COPY_H
#define P2P_TYPE_COPY_H

#include <stddef.h>
#include <stdint.h>

/* Runs `step` bytes apart, from address `at` on. */
struct run_series {
	uintptr_t at;
	ptrdiff_t step;
};

/* Copies n runs of len bytes. */
void copy_series(struct run_series to, struct run_series from, size_t len,
		 size_t n);

/* copy_gather copies n runs of len bytes at displacements at[] from `base` to
 * packed memory; copy_scatter copies them back. */
void copy_gather(char *packed, uintptr_t base, const ptrdiff_t at[], size_t len,
		 size_t n);
void copy_scatter(const char *packed, uintptr_t base, const ptrdiff_t at[],
		  size_t len, size_t n);

/* Like the above, for runs of different lengths: the packed form of run k
 * begins at start[k] - start[0] and ends where that of run k + 1 begins. */
void copy_gather_uneven(char *packed, uintptr_t base, const ptrdiff_t at[],
			const size_t start[], size_t n);
void copy_scatter_uneven(const char *packed, uintptr_t base,
			 const ptrdiff_t at[], const size_t start[], size_t n);
#endif
