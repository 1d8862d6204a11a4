/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layout.h: how the data of a type lie, as few loops and lists as will do. A
 * run needs none (datatype.h, struct span); runs that touch are one, and a
 * million regular blocks are one loop. Layouts never change once made, and are
 * shared: the types made of a type hold its layout.
 */
#ifndef P2P_LAYOUT_H
#define P2P_LAYOUT_H

#include "p2p/type/datatype.h"

struct layout {
	int holders;
	size_t pieces; /* runs in it, at most SIZE_MAX */
	size_t count;
	/* Loop: count times `each` (which is at 0), stride apart. */
	ptrdiff_t stride;
	struct span each;
	/* List, unless NULL: of count spans, and where in the packed data
	 * each starts; start[count] is the end. */
	struct span *list;
	size_t *start;
	size_t even; /* all are runs of so many bytes; 0: they are not */
};

/* Runs in it. */
static inline size_t span_pieces(const struct span *span)
{
	if (span->layout)
		return span->layout->pieces;
	return span->size != 0;
}

/*
 * Both make a new span, which span_release ends; MRT_ERR_NO_MEM. repeat:
 * count times `each`, stride apart. join: one after the other; the items are
 * given away, whatever it returns.
 */
int span_repeat(const struct span *each, size_t count, ptrdiff_t stride,
		struct span *span);
int span_join(struct span *items, size_t n, struct span *span);
/* The same span for one more user. */
void span_hold(const struct span *span);
void span_release(struct span *span);
#endif
