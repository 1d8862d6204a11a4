/* SPDX-License-Identifier: Apache-2.0 */
/*
 * boot_seal.h: before each blob that a rank publishes stands whose it is: job,
 * rank, key and length. What a launcher brings from an older job, of another
 * rank or under another key is not believed, whatever the blob means. No
 * protection from whoever wants to forge it: that is of the job's own user.
 */
#ifndef BOOT_BOOT_SEAL_H
#define BOOT_BOOT_SEAL_H

#include <pmix.h>
#include <stddef.h>
#include <stdint.h>

/* Travels. */
struct seal {
	uint64_t magic;	   /* also tells the byte order, and the version */
	uint64_t job, key; /* hashes of their names */
	uint32_t rank;
	uint32_t length; /* of the blob */
};

/* Of a blob of `who`, which has yet no length. */
struct seal seal_of(const pmix_proc_t *who, const char *key);

/* What is wrong with bytes that should begin with this seal, as the end of "it
 * is ..."; NULL: nothing. */
const char *seal_broken(const struct seal *should, const void *bytes,
			size_t len);
#endif
