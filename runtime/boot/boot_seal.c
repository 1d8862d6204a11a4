/* SPDX-License-Identifier: Apache-2.0 */
/* boot_seal.c: see boot_seal.h. */
#include "runtime/boot/boot_seal.h"

#include <string.h>

#define SEAL_MAGIC 0x6d72742d62743031ull /* "mrt-bt01" */

/* FNV-1a, 64 bits. */
static uint64_t hash(const char *text)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *text; text++)
		h = (h ^ (uint8_t)*text) * 0x100000001b3u;
	return h;
}

struct seal seal_of(const pmix_proc_t *who, const char *key)
{
	return (struct seal){SEAL_MAGIC, hash(who->nspace), hash(key),
			     who->rank, 0};
}

const char *seal_broken(const struct seal *should, const void *bytes,
			size_t len)
{
	struct seal is;

	if (len < sizeof(is))
		return "too short";
	memcpy(&is, bytes, sizeof(is));
	if (is.magic != should->magic)
		return "of another version of libmrt, or none of its";
	if (is.length != len - sizeof(is))
		return "cut";
	if (is.job != should->job)
		return "of another job";
	if (is.rank != should->rank)
		return "of another rank";
	return is.key == should->key ? NULL : "of another kind";
}
