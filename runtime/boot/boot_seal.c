/* SPDX-License-Identifier: Apache-2.0 */
/* boot_seal.c: makes and checks the header of published blobs. */
#include "runtime/boot/boot_seal.h"

#include <string.h>

#include "runtime/base/hash.h"

#define SEAL_MAGIC 0x6d72742d62743031ull /* "mrt-bt01" */

struct seal seal_of(const char *job, uint32_t rank, const char *key)
{
	return (struct seal){SEAL_MAGIC, hash_text(job), hash_text(key), rank,
			     0};
}

const char *seal_broken(const struct seal *should, const void *bytes,
			size_t len)
{
	struct seal is;

	if (len < sizeof(is))
		return "too short";
	memcpy(&is, bytes, sizeof(is));
	if (is.magic != should->magic)
		return "of another version of libmrt, or not of libmrt";
	if (is.length != len - sizeof(is))
		return "of another length";
	if (is.job != should->job)
		return "of another job";
	if (is.rank != should->rank)
		return "of another rank";
	return is.key == should->key ? NULL : "of another kind";
}
