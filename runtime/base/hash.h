/* SPDX-License-Identifier: Apache-2.0 */
/* hash.h: the FNV-1a hash, 64 bits. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_BEGIN 0xcbf29ce484222325u

/* Adds `len` bytes to the hash h, HASH_BEGIN at first. */
static inline uint64_t hash_bytes(uint64_t h, const void *data, size_t len)
{
	for (const uint8_t *at = data; len; len--, at++)
		h = (h ^ *at) * 0x100000001b3u;
	return h;
}

static inline uint64_t hash_text(const char *text)
{
	uint64_t h = HASH_BEGIN;

	for (; *text; text++)
		h = (h ^ (uint8_t)*text) * 0x100000001b3u;
	return h;
}
#endif
