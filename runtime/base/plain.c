/* SPDX-License-Identifier: Apache-2.0 */
/* plain.c: recognises UTF-8 by the ranges of its first two bytes (Unicode,
 * table 3-7). */
#include "runtime/base/plain.h"

#include <stdbool.h>

/* The second byte of a sequence decides whether it is the shortest form, and
 * no surrogate; C2 80..9F are control characters. */
static bool pair_is_good(unsigned char first, unsigned char second)
{
	unsigned char low = first == 0xc2 || first == 0xe0   ? 0xa0
			    : first == 0xf0 ? 0x90
					    : 0x80;
	unsigned char high = first == 0xed   ? 0x9f
			     : first == 0xf4 ? 0x8f
					     : 0xbf;

	return second >= low && second <= high;
}

/* Bytes of the character at text that may be shown; 0: none. */
static size_t shown(const unsigned char *text, size_t len)
{
	size_t n = *text < 0x80 ? 1 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : 4;

	if (n == 1)
		return *text >= 0x20 && *text != 0x7f;
	if (*text < 0xc2 || *text > 0xf4 || len < n ||
	    !pair_is_good(text[0], text[1]))
		return 0;
	for (size_t k = 2; k < n; k++)
		if ((text[k] & 0xc0) != 0x80)
			return 0;
	return n;
}

void plain_text(char *text, size_t len)
{
	for (size_t at = 0, n; at < len; at += n ? n : 1) {
		n = shown((const unsigned char *)text + at, len - at);
		if (!n)
			text[at] = '?';
	}
}
