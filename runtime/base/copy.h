/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copy.h: memcpy for payloads of any length.
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

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { COPY_LONG = 4096, COPY_NEAR = 32, COPY_PAGE = 4096 };

/* Copies by loads and stores. */
void copy_near(void *to, const void *from, size_t n);

static inline void copy_bytes(void *to, const void *from, size_t n)
{
#ifdef __x86_64__
	uintptr_t behind = (uintptr_t)to - (uintptr_t)from;

	if (__builtin_expect(n >= COPY_LONG, 0) &&
	    behind % COPY_PAGE - 1 < COPY_NEAR - 1) {
		copy_near(to, from, n);
		return;
	}
#endif
	memcpy(to, from, n);
}
#endif
