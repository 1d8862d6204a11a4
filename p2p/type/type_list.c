/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type_list.c: joins regions to a layout, in one pass: 8 bytes are kept for
 * each, and 8 more if their lengths differ, and 8 if any has a layout.
 */
#include <stdlib.h>

#include "p2p/type/layout.h"

enum { SPLICE_MAX = 16 }; /* longer lists are not merged into another */

/* Adds as unsigned numbers: a type whose bounds overflow is discarded at its
 * end (type_builder.c). */
static ptrdiff_t type_list_sum(ptrdiff_t a, size_t b)
{
	return (ptrdiff_t)((size_t)a + b);
}

void list_begin(struct region_list *list, size_t n)
{
	*list = (struct region_list){.room = n ? n : 1};
}

/* ---- What is kept of each ------------------------------------------------ */

/* Allocates an array anew, with room for an end beside `room` regions. */
static void *array_resize(struct region_list *list, void *array, size_t room)
{
	void *more = realloc(array, (room + 1) * sizeof(size_t));

	if (more)
		return more;
	list->failed = true;
	return array;
}

static void arrays_resize(struct region_list *list, size_t room)
{
	struct layout *l = list->l;

	list->room = room;
	l->at = array_resize(list, l->at, room);
	if (l->start)
		l->start = array_resize(list, l->start, room);
	if (l->inner)
		l->inner = array_resize(list, l->inner, room);
}

/* Keeps displacements from here on, since one is not regular. */
static void keep_places(struct region_list *list)
{
	struct layout *l = malloc(sizeof(*l));

	list->l = l;
	list->failed = !l;
	if (!l)
		return;
	*l = (struct layout){.refs = 1, .form = LAYOUT_RUNS};
	l->even = list->first.size;
	arrays_resize(list, list->n < list->room ? list->room : 2 * list->n);
	for (size_t k = 0; k < list->n && !list->failed; k++)
		l->at[k] =
		    type_list_sum(list->first.at, k * (size_t)list->step);
}

/* Keeps where each starts from here on, since one differs in length. */
static void keep_starts(struct region_list *list)
{
	struct layout *l = list->l;

	l->start = array_resize(list, NULL, list->room);
	for (size_t k = 0; k < list->n && !list->failed; k++)
		l->start[k] = k * l->even;
}

/* Keeps layouts from here on, since one has one. */
static void keep_layouts(struct region_list *list)
{
	struct layout *l = list->l;

	l->inner = array_resize(list, NULL, list->room);
	if (list->failed)
		return;
	l->form = LAYOUT_LIST;
	for (size_t k = 0; k < list->n; k++) {
		l->inner[k] = list->first.layout;
		region_hold(&list->first);
	}
	region_release(&list->first);
}

/* Whether the last region continues the loop that those before it are. */
static bool last_is_regular(struct region_list *list)
{
	const struct region *r = &list->last;

	if (!list->n)
		list->first = *r;
	else if (list->n == 1)
		list->step = type_list_sum(r->at, 0 - (size_t)list->first.at);
	return r->size == list->first.size && r->layout == list->first.layout &&
	       r->at ==
		   type_list_sum(list->first.at, list->n * (size_t)list->step);
}

/* Keeps the last region, which is not regular. */
static void last_keep(struct region_list *list)
{
	const struct region *r = &list->last;
	size_t n = list->n;

	if (!list->l && !list->failed)
		keep_places(list);
	if (n == list->room && !list->failed)
		arrays_resize(list, 2 * n);
	if (!list->failed && !list->l->start && r->size != list->l->even)
		keep_starts(list);
	if (!list->failed && !list->l->inner &&
	    (r->layout || list->first.layout))
		keep_layouts(list);
	if (list->failed) {
		region_release(&list->last);
		return;
	}
	list->l->at[n] = r->at;
	if (list->l->start)
		list->l->start[n] = list->bytes;
	if (list->l->inner)
		list->l->inner[n] = r->layout;
	list->l->count = n + 1;
}

static void list_close(struct region_list *list)
{
	struct region *last = &list->last;

	if (!last->size)
		return;
	if (list->l || list->failed || !last_is_regular(list))
		last_keep(list);
	else if (list->n)
		region_release(last);
	list->bytes += last->size;
	list->n++;
}

/* ---- Adding -------------------------------------------------------------- */

static void list_append(struct region_list *list, const struct region *item)
{
	struct region *last = &list->last;

	if (!last->layout && !item->layout && last->size &&
	    type_list_sum(last->at, last->size) == item->at) {
		last->size += item->size;
		return;
	}
	list_close(list);
	*last = *item;
	region_hold(last);
}

static bool is_spliced(const struct region *item)
{
	return item->layout && item->layout->form != LAYOUT_LOOP &&
	       item->layout->count <= SPLICE_MAX;
}

void list_add(struct region_list *list, const struct region *item)
{
	if (!item->size)
		return;
	if (!is_spliced(item)) {
		list_append(list, item);
		return;
	}
	for (size_t k = 0; k < item->layout->count; k++) {
		struct region part = layout_item(item->layout, k);

		part.at = type_list_sum(part.at, (size_t)item->at);
		list_append(list, &part);
	}
}

/* ---- The layout ---------------------------------------------------------- */

static size_t runs_of(const struct layout *l)
{
	size_t runs = l->inner ? 0 : l->count;

	for (size_t k = 0; l->inner && k < l->count; k++) {
		struct region r = layout_item(l, k);

		if (__builtin_add_overflow(runs, region_runs(&r), &runs))
			return SIZE_MAX;
	}
	return runs;
}

/* Completes the layout of what is not regular. */
static void layout_end(struct region_list *list, size_t width)
{
	struct layout *l = list->l;

	arrays_resize(list, l->count);
	if (l->start) {
		l->start[l->count] = list->bytes;
		l->even = 0;
	}
	l->runs = runs_of(l);
	l->width = width;
}

int list_end(struct region_list *list, size_t width, struct region *region)
{
	int rc = 0;

	list_close(list);
	*region = (struct region){0, list->bytes, list->l};
	if (list->failed)
		rc = MRT_ERR_NO_MEM;
	else if (list->l)
		layout_end(list, width);
	else
		rc = region_repeat(&list->first, list->n, list->step, region);
	if (rc)
		region_release(region);
	region_release(&list->first);
	return rc;
}
