/* SPDX-License-Identifier: Apache-2.0 */
/* boot_seal.h: the header of each published blob, which says whose it is: job,
 * rank, key and length. So a blob that a launcher delivers from an older job,
 * of another rank or under another key is refused whatever it holds. This is no
 * protection from forgery, which only the job's own user could commit. */
#ifndef BOOT_BOOT_SEAL_H
#define BOOT_BOOT_SEAL_H

#include <stddef.h>
#include <stdint.h>

/* Travels between ranks. */
struct seal {
	uint64_t magic;	   /* also shows the byte order and the version */
	uint64_t job, key; /* hashes of their names */
	uint32_t rank;
	uint32_t length; /* bytes of the blob */
};

/* Returns the seal of a blob of a rank, with its length still 0. */
struct seal seal_of(const char *job, uint32_t rank, const char *key);

/* Returns what is wrong with bytes that should begin with this seal, as the end
 * of the sentence "it is ...", or NULL. */
const char *seal_broken(const struct seal *should, const void *bytes,
			size_t len);
#endif
