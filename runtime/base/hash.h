/* SPDX-License-Identifier: Apache-2.0 */
/* hash.h: the FNV-1a hash of a text, 64 bits. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>

static inline uint64_t hash_text(const char *text)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *text; text++)
		h = (h ^ (uint8_t)*text) * 0x100000001b3u;
	return h;
}
#endif
