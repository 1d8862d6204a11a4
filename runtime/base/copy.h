/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copy.h: memcpy for payloads of any length, and for memory that another CPU
 * reads.
 *
 * glibc's memcpy moves 4 KiB and more by `rep movsb` on a CPU that says it is
 * fast (FSRM). AMD's from Zen 3 on moves 2 to 3 GB/s, not 40 to 80, where the
 * destination lies up to 31 bytes behind the source, modulo 4096: as a large
 * buffer from malloc, 16 bytes behind the beginning of a page, does for what
 * lies at the beginning of a page of shared memory. Later
 * versions of glibc do not use it there.
 */
#ifndef BASE_COPY_H
#define BASE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { COPY_LONG = 4096, COPY_NEAR = 32, COPY_PAGE = 4096, COPY_STRING = 2048 };

/* Copies by loads and stores. */
void copy_near(void *to, const void *from, size_t n);

/* Tells whether `rep movsb` is slow between these two. */
static inline bool copy_is_near(const void *to, const void *from)
{
	uintptr_t behind = (uintptr_t)to - (uintptr_t)from;

	return behind % COPY_PAGE - 1 < COPY_NEAR - 1;
}

static inline void copy_bytes(void *to, const void *from, size_t n)
{
#ifdef __x86_64__
	if (__builtin_expect(n >= COPY_LONG, 0) && copy_is_near(to, from)) {
		copy_near(to, from, n);
		return;
	}
#endif
	memcpy(to, from, n);
}

/* True if `rep movsb` is fast on this CPU for strings of any length (FSRM). */
extern bool copy_has_strings;

/* Copies to lines that another CPU has read, for copy_has_strings: `rep movsb`
 * takes them over without reading them first, and moves 2 KiB in half the time
 * of loads and stores. */
static inline void copy_string(void *to, const void *from, size_t n)
{
#ifdef __x86_64__
	if (__builtin_expect(!copy_is_near(to, from), 1)) {
		__asm__ volatile("rep movsb"
				 : "+D"(to), "+S"(from), "+c"(n)
				 :
				 : "memory");
		return;
	}
#endif
	copy_near(to, from, n);
}

/* Copies to lines that another CPU has read, by the faster way. */
static inline void copy_out(void *to, const void *from, size_t n)
{
	if (n >= COPY_STRING && copy_has_strings)
		copy_string(to, from, n);
	else
		copy_bytes(to, from, n);
}
#endif
