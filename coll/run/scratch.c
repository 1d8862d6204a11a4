/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scratch.c: keeps a few blocks of memory ("rooms"), of which a taker gets the
 * smallest that is large enough. If all are taken, or the memory asked for is
 * very large, it comes from the allocator and goes back there.
 */
#include "coll/run/scratch.h"

#include <stdbool.h>
#include <stdlib.h>

enum { ROOMS = 16, KEEP_MAX = 64 << 20 /* bytes of all rooms */ };

static struct room {
	char *at;
	size_t bytes;
	bool taken;
} rooms[ROOMS];

static size_t kept; /* bytes of all rooms */

/* Returns the smallest free room of at least so many bytes; else the largest
 * free one; or NULL if all are taken. */
static struct room *find(size_t bytes)
{
	struct room *best = NULL;

	for (int k = 0; k < ROOMS; k++) {
		struct room *r = &rooms[k];

		if (r->taken)
			continue;
		if (!best || (best->bytes < bytes ? r->bytes > best->bytes
						  : r->bytes >= bytes &&
							r->bytes < best->bytes))
			best = r;
	}
	return best;
}

static void empty(struct room *r)
{
	free(r->at);
	kept -= r->bytes;
	r->at = NULL;
	r->bytes = 0;
}

char *scratch_take(size_t bytes)
{
	struct room *r = find(bytes);

	if (r && r->bytes >= bytes) {
		r->taken = true;
		return r->at;
	}
	if (!r || bytes > KEEP_MAX - (kept - r->bytes))
		return aligned_alloc(SCRATCH_ALIGN, bytes);
	empty(r);
	r->at = aligned_alloc(SCRATCH_ALIGN, bytes);
	r->taken = r->at != NULL;
	r->bytes = r->at ? bytes : 0;
	kept += r->bytes;
	return r->at;
}

void scratch_give(char *room)
{
	for (int k = 0; room && k < ROOMS; k++) {
		if (rooms[k].at == room) {
			rooms[k].taken = false;
			return;
		}
	}
	free(room);
}

void scratch_fini(void)
{
	for (int k = 0; k < ROOMS; k++)
		if (!rooms[k].taken)
			empty(&rooms[k]);
}
