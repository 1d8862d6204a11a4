/* SPDX-License-Identifier: Apache-2.0 */
/* page.h: pages of memory, of 4 to 64 KiB: the kernel says how large. What is
 * mapped of a file begins at a page of it. */
#ifndef BASE_PAGE_H
#define BASE_PAGE_H

#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static inline size_t page_size(void)
{
	static _Atomic size_t size; /* sysconf takes 80 instructions */
	size_t known = atomic_load_explicit(&size, memory_order_relaxed);

	if (!known) {
		known = (size_t)sysconf(_SC_PAGESIZE);
		/* relaxed: all store the same */
		atomic_store_explicit(&size, known, memory_order_relaxed);
	}
	return known;
}

/* Rounds up to whole pages. */
static inline size_t page_align(size_t n)
{
	return (n + page_size() - 1) & ~(page_size() - 1);
}
#endif
