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
	size_t refs;
	enum layout_form form;
	size_t runs;  /* contiguous runs, at most SIZE_MAX */
	size_t count; /* repetitions, runs or regions */
	union {
		struct { /* LAYOUT_LOOP */
			ptrdiff_t stride;
			struct region each; /* at displacement 0 */
		};
		struct {	       /* others */
			ptrdiff_t *at; /* [count] displacements */
			size_t even;   /* length of all, or 0 if they differ */
			/* LAYOUT_LIST: [count], NULL for contiguous runs */
			struct layout **inner;
			size_t width; /* LAYOUT_RUNS: bytes from the lowest to
					 the end of the highest */
		};
	};
	/* The packed offset at which each run or region starts; start[count] is
	 * the end. NULL for loops and if all are of equal length. */
	size_t *start;
};

/* The packed offset at which run or region k starts. */
static inline size_t layout_start(const struct layout *l, size_t k)
{
	return l->start ? l->start[k] : k * l->even;
}

/* Returns region k of any layout. */
static inline struct region layout_item(const struct layout *l, size_t k)
{
	if (l->form == LAYOUT_LOOP)
		return (struct region){l->each.at + (ptrdiff_t)k * l->stride,
				       l->each.size, l->each.layout};
	return (struct region){l->at[k],
			       layout_start(l, k + 1) - layout_start(l, k),
			       l->form == LAYOUT_LIST ? l->inner[k] : NULL};
}

/* The number of contiguous runs of a region. */
static inline size_t region_runs(const struct region *region)
{
	if (region->layout)
		return region->layout->runs;
	return region->size != 0;
}

/* Sets *region to a new one, to be ended by region_release, that repeats `each`
 * count times, stride bytes apart. Returns 0 or MRT_ERR_NO_MEM. */
int region_repeat(const struct region *each, size_t count, ptrdiff_t stride,
		  struct region *region);
/* Adds a reference to a region's layout. */
void region_hold(const struct region *region);
void region_release(struct region *region);

/*
 * Regions that are added one after the other, and become a layout: adjacent
 * runs are merged, and as long as all are alike and equally spaced nothing is
 * kept of each.
 */
struct region_list {
	struct region last;  /* which the next may continue */
	struct region first; /* while l is NULL, all are like this one .. */
	ptrdiff_t step;	     /* .. and so many bytes apart */
	struct layout *l;
	size_t n, bytes; /* of those before the last one */
	size_t room;
	bool failed;
};

/* Begins an empty list, of about n regions. */
void list_begin(struct region_list *list, size_t n);
/* Adds a copy of a region. */
void list_add(struct region_list *list, const struct region *item);
/* Ends a list, whose regions are `width` bytes wide. Sets *region to a new one,
 * to be ended by region_release, and returns 0, or MRT_ERR_NO_MEM. */
int list_end(struct region_list *list, size_t width, struct region *region);
#endif
