/* SPDX-License-Identifier: Apache-2.0 */
/* printable.c: recognises UTF-8 by the ranges of its first two bytes (Unicode,
 * table 3-7), and characters that are invisible or change the direction of
 * text. */
#include "runtime/base/printable.h"

#include <stdbool.h>
#include <stdint.h>

/* Checks the second byte of a sequence, which decides whether the form is the
 * shortest and no surrogate; C2 80..9F are control characters. */
static bool pair_is_good(unsigned char first, unsigned char second)
{
	unsigned char low = first == 0xc2 || first == 0xe0 ? 0xa0
			    : first == 0xf0		   ? 0x90
							   : 0x80;
	unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;

	return second >= low && second <= high;
}

/* Finds line separators and format characters (Unicode, categories Zl, Zp, Cf)
 * that no word contains. */
static bool is_hidden(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} hidden[] = {
	    {0xad, 0xad},     {0x61c, 0x61c},	{0x180e, 0x180e},
	    {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
	    {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
	};

	for (size_t k = 0; k < sizeof(hidden) / sizeof(hidden[0]); k++)
		if (c >= hidden[k].first && c <= hidden[k].last)
			return true;
	return false;
}

/* Returns the bytes of the character at text if it may be shown, else 0. */
static size_t printable(const unsigned char *text, size_t len)
{
	size_t n = *text < 0x80 ? 1 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : 4;
	uint32_t c = *text & (0x7fu >> n); /* n > 1 */

	if (n == 1)
		return *text >= 0x20 && *text != 0x7f;
	if (*text < 0xc2 || *text > 0xf4 || len < n ||
	    !pair_is_good(text[0], text[1]))
		return 0;
	for (size_t k = 1; k < n; k++) {
		if ((text[k] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (text[k] & 0x3f);
	}
	return is_hidden(c) ? 0 : n;
}

void make_printable(char *text, size_t len)
{
	for (size_t at = 0, n; at < len; at += n ? n : 1) {
		n = printable((const unsigned char *)text + at, len - at);
		if (!n)
			text[at] = '?';
	}
}
