/* SPDX-License-Identifier: Apache-2.0 */
/* modex_blob.c: reads blobs, and makes them shorter. */
#include "runtime/fabric/modex_blob.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/fabric/modex.h"

bool blob_is_filled(const struct head *head, const char *at, size_t left)
{
	const struct entry *entries = (const void *)(head + 1);

	for (int i = 0; i < head->n; i++) {
		if (entries[i].len > left || blob_padded(entries[i].len) > left)
			return false;
		at += blob_padded(entries[i].len);
		left -= blob_padded(entries[i].len);
	}
	return head->text && head->text <= MODEX_TEXT &&
	       blob_padded(head->text) == left && !at[head->text - 1];
}

/* Returns where the card of entry k is, or the text if k is their number. */
static char *blob_card(char *bytes, int k)
{
	const struct head *head = (const void *)bytes;
	const struct entry *entries = (const void *)(head + 1);
	char *at = bytes + sizeof(*head) + (size_t)head->n * sizeof(*entries);

	for (int i = 0; i < k; i++)
		at += blob_padded(entries[i].len);
	return at;
}

char *blob_text(char *bytes)
{
	const struct head *head = (const void *)bytes;

	return blob_card(bytes, head->n);
}

bool blob_find(char *bytes, int rank, void **card, size_t *len)
{
	const struct head *head = (const void *)bytes;
	const struct entry *entries = (const void *)(head + 1);
	int k = 0;

	while (k < head->n && entries[k].rank != rank)
		k++;
	if (k == head->n)
		return false;
	*card = blob_card(bytes, k);
	*len = entries[k].len;
	return true;
}

char *blob_cut(char *bytes)
{
	struct head *head = (void *)bytes;
	struct entry *first = (void *)(head + 1);
	char *card = blob_card(bytes, 0), *text = blob_text(bytes);
	size_t len = blob_padded(first->len);

	head->n = 1;
	memmove(first + 1, card, len);
	memmove((char *)(first + 1) + len, text, head->text);
	len += sizeof(*head) + sizeof(*first) + head->text;
	return realloc(bytes, len) ?: bytes;
}
