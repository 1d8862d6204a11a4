/* SPDX-License-Identifier: Apache-2.0 */
/* copy.c: copy_bytes copies what it is asked to and nothing else, from and to
 * any place of a page. */
#include "runtime/base/copy.h"

#include "tests/tap.h"

enum { PAGE = 4096, MOST = 3 * PAGE + 200, ROOM = MOST + 2 * PAGE };

static unsigned char from[ROOM] __attribute__((aligned(PAGE)));
static unsigned char to[ROOM] __attribute__((aligned(PAGE)));

static bool is_right(size_t at, size_t source, size_t n)
{
	memset(to, 0xee, sizeof(to));
	copy_bytes(to + at, from + source, n);
	if (memcmp(to + at, from + source, n))
		return false;
	for (size_t i = 0; i < ROOM; i++)
		if ((i < at || i >= at + n) && to[i] != 0xee)
			return false;
	return true;
}

/* The lengths around those that change the way, from and to places a little
 * apart. */
int main(void)
{
	static const size_t lengths[] = {0,    1,    63,   4095, 4096,
					 4097, 4223, 4224, 9000, MOST};
	static const size_t places[] = {0, 1, 8, 16, 31, 32, 33, 64, PAGE - 1};

	for (size_t i = 0; i < ROOM; i++)
		from[i] = (unsigned char)(i * 7 + i / 251);
	for (size_t k = 0; k < sizeof(lengths) / sizeof(*lengths); k++) {
		bool right = true;

		for (size_t a = 0; a < sizeof(places) / sizeof(*places); a++)
			for (size_t b = 0; b < 100; b += 7)
				right &= is_right(b + places[a] % 97, places[a],
						  lengths[k]) &&
					 is_right(places[a], b, lengths[k]);
		ok(right, "%zu bytes", lengths[k]);
	}
	return tap_done();
}
