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

enum layout_form {
	LAYOUT_LOOP, /* a region, repeated at equal distances */
	LAYOUT_RUNS, /* contiguous runs */
	LAYOUT_LIST  /* regions of any layout */
};

struct layout {
	int refs;
	enum layout_form form;
	size_t runs;  /* contiguous runs, at most SIZE_MAX */
	size_t count; /* repetitions, runs or regions */
	union {
		struct { /* LAYOUT_LOOP */
			ptrdiff_t stride;
			struct region each; /* at displacement 0 */
		};
		struct {	       /* LAYOUT_RUNS */
			ptrdiff_t *at; /* [count] displacements */
			size_t even;   /* length of all, or 0 if they differ */
			size_t width;  /* bytes from the lowest to the end of
					  the highest */
		};
		struct region *list; /* LAYOUT_LIST: [count] */
	};
	/* The packed offset at which each run or region starts; start[count] is
	 * the end. NULL for loops and for runs of equal length. */
	size_t *start;
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
 * region_join concatenates the items, a block of malloc, and takes over it and
 * their references, even if it fails.
 */
int region_repeat(const struct region *each, size_t count, ptrdiff_t stride,
		  struct region *region);
int region_join(struct region *items, size_t n, struct region *region);
/* Adds a reference to a region's layout. */
void region_hold(const struct region *region);
void region_release(struct region *region);
#endif
