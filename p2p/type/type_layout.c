/* SPDX-License-Identifier: Apache-2.0 */
/* type_layout.c: makes layouts, of as few loops and runs as possible. */
#include <stdlib.h>

#include "p2p/type/layout.h"

enum { SPLICE_MAX = 16 }; /* longer lists are not merged into another */

void region_hold(const struct region *region)
{
	if (region->layout)
		region->layout->refs++;
}

static void free_list(struct region *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		region_release(&list[i]);
	free(list);
}

void region_release(struct region *region)
{
	struct layout *l = region->layout;

	region->layout = NULL;
	if (!l || --l->refs)
		return;
	if (l->form == LAYOUT_LOOP)
		region_release(&l->each);
	else if (l->form == LAYOUT_RUNS)
		free(l->at);
	else
		free_list(l->list, l->count);
	free(l->start);
	free(l);
}

static size_t times(size_t a, size_t b)
{
	size_t product;

	return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

/* ---- Loops --------------------------------------------------------------- */

/* Whether the next repetition of the loop `each` continues it. */
static bool is_continued(const struct region *each, ptrdiff_t stride)
{
	const struct layout *l = each->layout;

	return l && l->form == LAYOUT_LOOP &&
	       (ptrdiff_t)l->count * l->stride == stride;
}

static int make_loop(const struct region *each, size_t count, ptrdiff_t stride,
		     struct region *region)
{
	struct layout *l = malloc(sizeof(*l));

	if (!l)
		return MRT_ERR_NO_MEM;
	*l = (struct layout){.refs = 1,
			     .form = LAYOUT_LOOP,
			     .runs = times(count, region_runs(each)),
			     .count = count,
			     .stride = stride,
			     .each = {0, each->size, each->layout}};
	region_hold(each);
	*region = (struct region){each->at, count * each->size, l};
	return 0;
}

int region_repeat(const struct region *each, size_t count, ptrdiff_t stride,
		  struct region *region)
{
	const struct layout *l = each->layout;
	struct region inner;

	*region = (struct region){0, 0, NULL};
	if (!count || !each->size)
		return 0;
	if (count == 1) {
		*region = *each;
		region_hold(region);
		return 0;
	}
	if (!l && stride == (ptrdiff_t)each->size) {
		*region = (struct region){each->at, count * each->size, NULL};
		return 0;
	}
	if (!is_continued(each, stride))
		return make_loop(each, count, stride, region);
	inner = l->each;
	inner.at = each->at;
	return make_loop(&inner, count * l->count, l->stride, region);
}

/* ---- Lists --------------------------------------------------------------- */

static bool is_spliced(const struct region *item)
{
	return item->layout && item->layout->form != LAYOUT_LOOP &&
	       item->layout->count <= SPLICE_MAX;
}

/* Appends an item, taking it over; merges it into the last one if they are
 * adjacent runs. */
static size_t append(struct region *list, size_t n, struct region item)
{
	struct region *last = n ? &list[n - 1] : NULL;

	if (!item.size)
		return n;
	if (last && !last->layout && !item.layout &&
	    last->at + (ptrdiff_t)last->size == item.at) {
		last->size += item.size;
		return n;
	}
	list[n] = item;
	return n + 1;
}

/* Returns item k of a list or of runs. */
static struct region layout_item(const struct layout *l, size_t k)
{
	if (l->form == LAYOUT_LIST)
		return l->list[k];
	return (struct region){
	    l->at[k], l->even ? l->even : l->start[k + 1] - l->start[k], NULL};
}

static size_t append_all(struct region *list, size_t n, struct region *item)
{
	const struct layout *l = item->layout;

	if (!is_spliced(item))
		return append(list, n, *item);
	for (size_t i = 0; i < l->count; i++) {
		struct region part = layout_item(l, i);

		part.at += item->at;
		region_hold(&part);
		n = append(list, n, part);
	}
	region_release(item);
	return n;
}

/* Whether all are alike and equally spaced. */
static bool is_regular(const struct region *list, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (list[i].size != list[0].size ||
		    list[i].layout != list[0].layout ||
		    list[i].at - list[i - 1].at != list[1].at - list[0].at)
			return false;
	return true;
}

static bool are_runs(const struct region *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].layout)
			return false;
	return true;
}

/* Returns the length of all regions, or 0 if they differ. */
static size_t even_size(const struct region *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].size != list[0].size)
			return 0;
	return list[0].size;
}

/* Returns the bytes that the runs reach over. */
static size_t width_of(const struct region *list, size_t n)
{
	ptrdiff_t low = list[0].at, high = low;

	for (size_t i = 0; i < n; i++) {
		ptrdiff_t end = list[i].at + (ptrdiff_t)list[i].size;

		low = list[i].at < low ? list[i].at : low;
		high = end > high ? end : high;
	}
	return (size_t)high - (size_t)low;
}

/* Fills l with the packed offsets of the list's regions, their number and that
 * of their runs. Returns 0 or MRT_ERR_NO_MEM. */
static int set_starts(struct layout *l, const struct region *list, size_t n)
{
	size_t at = 0;

	l->start = malloc((n + 1) * sizeof(*l->start));
	if (!l->start)
		return MRT_ERR_NO_MEM;
	for (size_t i = 0; i < n; i++) {
		l->start[i] = at;
		at += list[i].size;
	}
	l->start[n] = at;
	return 0;
}

/* Turns l into runs. Returns 0 or MRT_ERR_NO_MEM. */
static int set_runs(struct layout *l, const struct region *list, size_t n)
{
	l->form = LAYOUT_RUNS;
	l->runs = n;
	l->even = even_size(list, n);
	l->width = width_of(list, n);
	l->at = malloc(n * sizeof(*l->at));
	if (!l->at || (!l->even && set_starts(l, list, n))) {
		free(l->at);
		return MRT_ERR_NO_MEM;
	}
	for (size_t i = 0; i < n; i++)
		l->at[i] = list[i].at;
	return 0;
}

/* Turns l into a list, which takes over the one given unless it fails. Returns
 * 0 or MRT_ERR_NO_MEM. */
static int set_list(struct layout *l, struct region *list, size_t n)
{
	l->form = LAYOUT_LIST;
	l->list = list;
	for (size_t i = 0; i < n; i++)
		if (__builtin_add_overflow(l->runs, region_runs(&list[i]),
					   &l->runs))
			l->runs = SIZE_MAX;
	return set_starts(l, list, n);
}

/* Makes a layout of several regions; takes their list over unless it fails. */
static int make_list(struct region *list, size_t n, struct region *region)
{
	struct layout *l = malloc(sizeof(*l));
	size_t bytes = 0;
	int rc;

	if (!l)
		return MRT_ERR_NO_MEM;
	*l = (struct layout){.refs = 1, .count = n};
	for (size_t i = 0; i < n; i++)
		bytes += list[i].size;
	rc = are_runs(list, n) ? set_runs(l, list, n) : set_list(l, list, n);
	if (rc) {
		free(l);
		return rc;
	}
	if (l->form == LAYOUT_RUNS)
		free(list);
	*region = (struct region){0, bytes, l};
	return 0;
}

/* Makes the simplest layout of the list, which it takes over. */
static int simplify(struct region *list, size_t n, struct region *region)
{
	int rc = 0;

	if (n > 1 && !is_regular(list, n)) {
		rc = make_list(list, n, region);
		if (!rc)
			return 0;
	} else if (n) {
		rc = region_repeat(&list[0], n,
				   n > 1 ? list[1].at - list[0].at : 0, region);
	}
	free_list(list, n);
	return rc;
}

int region_join(struct region *items, size_t n, struct region *region)
{
	struct region *list;
	size_t most = 0, k = 0;

	*region = (struct region){0, 0, NULL};
	for (size_t i = 0; i < n; i++)
		most += is_spliced(&items[i]) ? items[i].layout->count : 1;
	list = malloc((most ? most : 1) * sizeof(*list));
	if (!list) {
		for (size_t i = 0; i < n; i++)
			region_release(&items[i]);
		return MRT_ERR_NO_MEM;
	}
	for (size_t i = 0; i < n; i++)
		k = append_all(list, k, &items[i]);
	if (k && k < most / 2) {
		struct region *less = realloc(list, k * sizeof(*list));

		list = less ? less : list;
	}
	return simplify(list, k, region);
}
