/* SPDX-License-Identifier: Apache-2.0 */
/* copy.c: copy_bytes and copy_out copy what they are asked to and nothing else,
 * from and to any place of a page. */
#include "runtime/base/copy.h"

#include "tests/tap.h"

enum { PAGE = 4096, MOST = 3 * PAGE + 200, ROOM = MOST + 2 * PAGE };

static unsigned char from[ROOM] __attribute__((aligned(PAGE)));
static unsigned char to[ROOM] __attribute__((aligned(PAGE)));

static bool is_right(size_t at, size_t source, size_t n, bool out)
{
	memset(to, 0xee, sizeof(to));
	if (out)
		copy_out(to + at, from + source, n);
	else
		copy_bytes(to + at, from + source, n);
	if (memcmp(to + at, from + source, n))
		return false;
	for (size_t i = 0; i < ROOM; i++)
		if ((i < at || i >= at + n) && to[i] != 0xee)
			return false;
	return true;
}

/* Tells whether copies of n bytes are right wherever in their pages they begin.
 */
static bool all_right(size_t n, bool out)
{
	static const size_t places[] = {0, 1, 8, 16, 31, 32, 33, 64, PAGE - 1};
	bool right = true;

	for (size_t a = 0; a < sizeof(places) / sizeof(*places); a++)
		for (size_t b = 0; b < 100; b += 7)
			right &=
			    is_right(b + places[a] % 97, places[a], n, out) &&
			    is_right(places[a], b, n, out);
	return right;
}

/* The lengths around those that change the way. */
int main(void)
{
	static const size_t lengths[] = {0,    1,    63,   2047, 2048, 4095,
					 4096, 4097, 4223, 4224, 9000, MOST};

	for (size_t i = 0; i < ROOM; i++)
		from[i] = (unsigned char)(i * 7 + i / 251);
	for (size_t k = 0; k < sizeof(lengths) / sizeof(*lengths); k++) {
		for (int out = 0; out < 2; out++)
			ok(all_right(lengths[k], out), "%zu bytes%s",
			   lengths[k], out ? " for another CPU" : "");
	}
	return tap_done();
}
