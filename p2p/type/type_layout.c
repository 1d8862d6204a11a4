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

/* Appends an item, or what it is a list of, taking it over. */
static size_t append_all(struct region *list, size_t n, struct region item)
{
	const struct layout *l = item.layout;

	if (!is_spliced(&item))
		return append(list, n, item);
	for (size_t i = 0; i < l->count; i++) {
		struct region part = layout_item(l, i);

		part.at += item.at;
		region_hold(&part);
		n = append(list, n, part);
	}
	region_release(&item);
	return n;
}

/* Properties that all regions of a list share. */
struct survey {
	bool regular; /* all are alike and equally spaced */
	bool runs;    /* none has a layout */
	size_t bytes; /* of all */
	size_t even;  /* the length of each, or 0 if they differ */
	size_t width; /* the bytes that runs reach over */
};

/* Surveys a list of at least two regions. */
static struct survey survey_of(const struct region *list, size_t n)
{
	const struct region first = list[0];
	ptrdiff_t low = first.at, high = low, step = list[1].at - low;
	struct survey s = {true, true, 0, first.size, 0};

	for (size_t i = 0; i < n; i++) {
		struct region r = list[i];
		ptrdiff_t end = r.at + (ptrdiff_t)r.size;

		s.bytes += r.size;
		s.even = r.size == first.size ? s.even : 0;
		s.runs &= !r.layout;
		s.regular &= r.layout == first.layout &&
			     (!i || r.at - list[i - 1].at == step);
		low = r.at < low ? r.at : low;
		high = end > high ? end : high;
	}
	s.regular &= s.even != 0;
	s.width = (size_t)high - (size_t)low;
	return s;
}

/* Fills l with the packed offsets of the list's regions. Returns 0 or
 * MRT_ERR_NO_MEM. */
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

/* Turns l into runs, and the list into their displacements, unless it fails.
 * Returns 0 or MRT_ERR_NO_MEM. */
static int set_runs(struct layout *l, struct region *list, size_t n,
		    const struct survey *s)
{
	ptrdiff_t *at = (ptrdiff_t *)list, *less;

	l->form = LAYOUT_RUNS;
	l->runs = n;
	l->even = s->even;
	l->width = s->width;
	if (!l->even && set_starts(l, list, n))
		return MRT_ERR_NO_MEM;
	/* no region is overwritten before it is read, since it is longer */
	for (size_t i = 0; i < n; i++)
		at[i] = list[i].at;
	less = realloc(at, n * sizeof(*at));
	l->at = less ? less : at;
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
static int make_list(struct region *list, size_t n, const struct survey *s,
		     struct region *region)
{
	struct layout *l = malloc(sizeof(*l));
	int rc;

	if (!l)
		return MRT_ERR_NO_MEM;
	*l = (struct layout){.refs = 1, .count = n};
	rc = s->runs ? set_runs(l, list, n, s) : set_list(l, list, n);
	if (rc) {
		free(l);
		return rc;
	}
	*region = (struct region){0, s->bytes, l};
	return 0;
}

/* Makes the simplest layout of the list, which it takes over. */
static int simplify(struct region *list, size_t n, struct region *region)
{
	struct survey s = {.regular = true};
	int rc = 0;

	if (n > 1)
		s = survey_of(list, n);
	if (!s.regular) {
		rc = make_list(list, n, &s, region);
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
	struct region *list = items;
	size_t most = 0, k = 0;

	*region = (struct region){0, 0, NULL};
	for (size_t i = 0; i < n; i++)
		most += is_spliced(&items[i]) ? items[i].layout->count : 1;
	if (most > n)
		list = malloc(most * sizeof(*list));
	if (!list) {
		free_list(items, n);
		return MRT_ERR_NO_MEM;
	}
	for (size_t i = 0; i < n; i++)
		k = append_all(list, k, items[i]);
	if (list != items)
		free(items);
	if (k && k < (most > n ? most : n) / 2) {
		struct region *less = realloc(list, k * sizeof(*list));

		list = less ? less : list;
	}
	return simplify(list, k, region);
}
