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

void region_release(struct region *region)
{
	struct layout *l = region->layout;

	region->layout = NULL;
	if (!l || --l->refs)
		return;
	if (l->list) {
		for (size_t i = 0; i < l->count; i++)
			region_release(&l->list[i]);
		free(l->list);
		free(l->start);
	} else {
		region_release(&l->each);
	}
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

	return l && !l->list && (ptrdiff_t)l->count * l->stride == stride;
}

static int make_loop(const struct region *each, size_t count, ptrdiff_t stride,
		     struct region *region)
{
	struct layout *l = malloc(sizeof(*l));

	if (!l)
		return MRT_ERR_NO_MEM;
	*l = (struct layout){.refs = 1,
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
	return item->layout && item->layout->list &&
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

static size_t append_all(struct region *list, size_t n, struct region *item)
{
	const struct layout *l = item->layout;

	if (!is_spliced(item))
		return append(list, n, *item);
	for (size_t i = 0; i < l->count; i++) {
		struct region part = l->list[i];

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

static size_t even_size(const struct region *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].layout || list[i].size != list[0].size)
			return 0;
	return list[0].size;
}

/* Makes a list layout; takes the list over. */
static int make_list(struct region *list, size_t n, struct region *region)
{
	struct layout *l = malloc(sizeof(*l));
	size_t *start = malloc((n + 1) * sizeof(*start)), at = 0, runs = 0;

	if (!l || !start) {
		free(l);
		free(start);
		return MRT_ERR_NO_MEM;
	}
	for (size_t i = 0; i < n; i++) {
		start[i] = at;
		at += list[i].size;
		if (__builtin_add_overflow(runs, region_runs(&list[i]), &runs))
			runs = SIZE_MAX;
	}
	start[n] = at;
	*l = (struct layout){.refs = 1,
			     .runs = runs,
			     .count = n,
			     .list = list,
			     .start = start,
			     .even = even_size(list, n)};
	*region = (struct region){0, at, l};
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
	for (size_t i = 0; i < n; i++)
		region_release(&list[i]);
	free(list);
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
