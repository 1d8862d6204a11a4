/* SPDX-License-Identifier: Apache-2.0 */
/* stream.c: non-temporal stores, whole lines at a time. */
#include "coll/node/stream.h"

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>

enum { LINE = 64 };

static void copy_lines(char *dst, const char *src, size_t lines)
{
	for (size_t i = 0; i < lines; i++, dst += LINE, src += LINE) {
		const __m128i *from = (const void *)src;
		__m128i *to = (void *)dst;
		__m128i a = _mm_loadu_si128(from);
		__m128i b = _mm_loadu_si128(from + 1);
		__m128i c = _mm_loadu_si128(from + 2);
		__m128i d = _mm_loadu_si128(from + 3);

		_mm_stream_si128(to, a);
		_mm_stream_si128(to + 1, b);
		_mm_stream_si128(to + 2, c);
		_mm_stream_si128(to + 3, d);
	}
	/* such stores are not ordered with others */
	_mm_sfence();
}

void stream_copy(void *dst, const void *src, size_t bytes)
{
	size_t head = -(uintptr_t)dst % LINE, lines;
	char *to = dst;
	const char *from = src;

	head = head < bytes ? head : bytes;
	memcpy(to, from, head);
	to += head;
	from += head;
	lines = (bytes - head) / LINE;
	copy_lines(to, from, lines);
	memcpy(to + lines * LINE, from + lines * LINE,
	       bytes - head - lines * LINE);
}
#else
void stream_copy(void *dst, const void *src, size_t bytes)
{
	memcpy(dst, src, bytes);
}
#endif
