/* SPDX-License-Identifier: Apache-2.0 */
/* modex_blob.h: the blobs of modex.c. A blob is a head, an entry for each rank
 * for which its publisher speaks, in ascending order and itself first, their
 * cards in the same order, and a text that ends with a 0, each padded to a
 * multiple of 8 bytes. A rank speaks for all ranks of its node, or for itself
 * alone if they share no memory. */
#ifndef FABRIC_MODEX_BLOB_H
#define FABRIC_MODEX_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct head {
	int32_t node, n;
	int32_t cpu, software; /* as in struct place */
	int32_t least, most;   /* as in struct census */
	uint64_t switches;     /* as in struct place */
	uint64_t text;	       /* its length */
};
struct entry {
	int32_t rank, cache;
	uint64_t len; /* of the card */
};

static inline size_t blob_padded(size_t len)
{
	return (len + 7) & ~(size_t)7;
}

/* Tells whether the lengths of the cards and of the text add up to what follows
 * the list, and the text ends there. */
bool blob_is_filled(const struct head *head, const char *at, size_t left);
/* Returns the text of a blob that is filled. */
char *blob_text(char *bytes);
/* Finds the card of a rank. Returns false if the rank is not in the list. */
bool blob_find(char *bytes, int rank, void **card, size_t *len);
/* Makes a blob one of its publisher alone. Returns it, as realloc does. */
char *blob_cut(char *bytes);
#endif
