/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layout.h: where the data of a type lie, in as few loops and lists as
 * possible. A contiguous run needs no layout (datatype.h, struct region);
 * adjacent runs are merged, and a million regular blocks are one loop. A layout
 * never changes once made, and is shared: the types made of a type hold its
 * layout.
 */
#ifndef P2P_LAYOUT_H
#define P2P_LAYOUT_H

#include "p2p/type/datatype.h"

struct layout {
	int refs;
	size_t runs; /* contiguous runs, at most SIZE_MAX */
	size_t count;
	/* Loop: `each` (at displacement 0) is repeated count times, stride
	 * bytes apart. */
	ptrdiff_t stride;
	struct region each;
	/* List, unless NULL: count regions, and the packed offset at which each
	 * starts; start[count] is the end. */
	struct region *list;
	size_t *start;
	size_t even; /* length of all regions, or 0 if they differ */
};

/* The number of contiguous runs of a region. */
static inline size_t region_runs(const struct region *region)
{
	if (region->layout)
		return region->layout->runs;
	return region->size != 0;
}

/*
 * These make a new region, to be ended by region_release. They return 0 or
 * MRT_ERR_NO_MEM. region_repeat repeats `each` count times, stride bytes apart.
 * region_join concatenates the items and takes over their references, even if
 * it fails.
 */
int region_repeat(const struct region *each, size_t count, ptrdiff_t stride,
		  struct region *region);
int region_join(struct region *items, size_t n, struct region *region);
/* Adds a reference to a region's layout. */
void region_hold(const struct region *region);
void region_release(struct region *region);
#endif
