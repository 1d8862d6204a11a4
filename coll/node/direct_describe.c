/* SPDX-License-Identifier: Apache-2.0 */
/* direct_describe.c: finds out, for a wait that takes long, which communicator
 * a flag in shared memory belongs to and which of its ranks writes it. */
#include <stdio.h>

#include "coll/node/direct_line.h"

static struct list regions = LIST_INIT(regions);

void direct_list(struct direct *d, const struct mrt_comm *comm)
{
	d->comm = comm;
	list_append(&regions, &d->link);
}

void direct_detach(struct direct *d)
{
	if (d->lines)
		list_remove(&d->link);
}

/* Tells whether the flag lies in the region, and sets *rank to the rank that
 * writes it. */
static bool region_has(const struct direct *d, const struct line *line,
		       int *rank)
{
	size_t n = (size_t)d->comm->size;

	if (line < d->lines || line >= d->done + n)
		return false;
	if (line >= d->done)
		*rank = (int)(line - d->done);
	else if (line >= d->releases)
		*rank = 0;
	else
		*rank = (int)((size_t)(line - d->lines) % n);
	return true;
}

int direct_describe(const struct wait *w, char *text, size_t len)
{
	const char *name = "(collective)";
	int rank = -1;

	_Static_assert((int)COLLECTIVES < DIRECT_EARLIER,
		       "five bits of a call");
	if ((w->hint & 31) < COLLECTIVES)
		name = coll_tables[w->hint & 31].name;
	list_for_each (l, &regions) {
		const struct direct *d = list_entry(l, struct direct, link);

		if (!region_has(d, w->what, &rank))
			continue;
		snprintf(text, len, "mrt_%s of %d ranks: rank %d", name,
			 d->comm->size, comm_world_rank(d->comm, rank));
		return -1;
	}
	snprintf(text, len, "mrt_%s: another rank", name);
	return -1;
}
