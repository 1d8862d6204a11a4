/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scratch.c: keeps a few buffers, of which a taker gets the smallest that is
 * large enough. If all are taken, or the memory asked for is very large, it
 * comes from the allocator and goes back there.
 */
#include "coll/call/scratch.h"

#include <stdbool.h>
#include <stdlib.h>

enum { BUFFERS = 16, KEEP_MAX = 64 << 20 /* bytes of all buffers */ };

static struct buffer {
	char *at;
	size_t bytes;
	bool taken;
} buffers[BUFFERS];

static size_t kept; /* bytes of all buffers */

/* Returns the smallest free buffer of at least so many bytes; else the largest
 * free one; or NULL if all are taken. */
static struct buffer *scratch_find(size_t bytes)
{
	struct buffer *best = NULL;

	for (int k = 0; k < BUFFERS; k++) {
		struct buffer *r = &buffers[k];

		if (r->taken)
			continue;
		if (!best || (best->bytes < bytes ? r->bytes > best->bytes
						  : r->bytes >= bytes &&
							r->bytes < best->bytes))
			best = r;
	}
	return best;
}

static void scratch_empty(struct buffer *r)
{
	free(r->at);
	kept -= r->bytes;
	r->at = NULL;
	r->bytes = 0;
}

char *scratch_take(size_t bytes)
{
	struct buffer *r = scratch_find(bytes);

	if (r && r->bytes >= bytes) {
		r->taken = true;
		return r->at;
	}
	if (!r || bytes > KEEP_MAX - (kept - r->bytes))
		return aligned_alloc(SCRATCH_ALIGN, bytes);
	scratch_empty(r);
	r->at = aligned_alloc(SCRATCH_ALIGN, bytes);
	r->taken = r->at != NULL;
	r->bytes = r->at ? bytes : 0;
	kept += r->bytes;
	return r->at;
}

void scratch_give(char *buffer)
{
	for (int k = 0; buffer && k < BUFFERS; k++) {
		if (buffers[k].at == buffer) {
			buffers[k].taken = false;
			return;
		}
	}
	free(buffer);
}

void scratch_fini(void)
{
	for (int k = 0; k < BUFFERS; k++)
		if (!buffers[k].taken)
			scratch_empty(&buffers[k]);
}
