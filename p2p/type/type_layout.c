/* SPDX-License-Identifier: Apache-2.0 */
/* type_layout.c: makes layouts, in as few loops and runs as it finds. */
#include <stdlib.h>

#include "p2p/type/layout.h"

enum { SPLICE_MAX = 16 }; /* lists so long become part of another */

void span_hold(const struct span *span)
{
	if (span->layout)
		span->layout->holders++;
}

void span_release(struct span *span)
{
	struct layout *l = span->layout;

	span->layout = NULL;
	if (!l || --l->holders)
		return;
	if (l->list) {
		for (size_t i = 0; i < l->count; i++)
			span_release(&l->list[i]);
		free(l->list);
		free(l->start);
	} else {
		span_release(&l->each);
	}
	free(l);
}

static size_t times(size_t a, size_t b)
{
	size_t product;

	return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

/* ---- Loops --------------------------------------------------------------- */

/* Whether the loop `each` goes on where it ends, so often. */
static bool is_continued(const struct span *each, ptrdiff_t stride)
{
	const struct layout *l = each->layout;

	return l && !l->list && (ptrdiff_t)l->count * l->stride == stride;
}

static int make_loop(const struct span *each, size_t count, ptrdiff_t stride,
		     struct span *span)
{
	struct layout *l = malloc(sizeof(*l));

	if (!l)
		return MRT_ERR_NO_MEM;
	*l = (struct layout){.holders = 1,
			     .pieces = times(count, span_pieces(each)),
			     .count = count,
			     .stride = stride,
			     .each = {0, each->size, each->layout}};
	span_hold(each);
	*span = (struct span){each->at, count * each->size, l};
	return 0;
}

int span_repeat(const struct span *each, size_t count, ptrdiff_t stride,
		struct span *span)
{
	const struct layout *l = each->layout;
	struct span inner;

	*span = (struct span){0, 0, NULL};
	if (!count || !each->size)
		return 0;
	if (count == 1) {
		*span = *each;
		span_hold(span);
		return 0;
	}
	if (!l && stride == (ptrdiff_t)each->size) {
		*span = (struct span){each->at, count * each->size, NULL};
		return 0;
	}
	if (!is_continued(each, stride))
		return make_loop(each, count, stride, span);
	inner = l->each;
	inner.at = each->at;
	return make_loop(&inner, count * l->count, l->stride, span);
}

/* ---- Lists --------------------------------------------------------------- */

static bool is_spliced(const struct span *item)
{
	return item->layout && item->layout->list &&
	       item->layout->count <= SPLICE_MAX;
}

/* Adds an item, which it takes over; one run with the last if they touch. */
static size_t append(struct span *list, size_t n, struct span item)
{
	struct span *last = n ? &list[n - 1] : NULL;

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

static size_t append_all(struct span *list, size_t n, struct span *item)
{
	const struct layout *l = item->layout;

	if (!is_spliced(item))
		return append(list, n, *item);
	for (size_t i = 0; i < l->count; i++) {
		struct span part = l->list[i];

		part.at += item->at;
		span_hold(&part);
		n = append(list, n, part);
	}
	span_release(item);
	return n;
}

/* All alike, at equal distances. */
static bool is_regular(const struct span *list, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (list[i].size != list[0].size ||
		    list[i].layout != list[0].layout ||
		    list[i].at - list[i - 1].at != list[1].at - list[0].at)
			return false;
	return true;
}

static size_t even_size(const struct span *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].layout || list[i].size != list[0].size)
			return 0;
	return list[0].size;
}

/* Takes the list over. */
static int make_list(struct span *list, size_t n, struct span *span)
{
	struct layout *l = malloc(sizeof(*l));
	size_t *start = malloc((n + 1) * sizeof(*start)), at = 0, pieces = 0;

	if (!l || !start) {
		free(l);
		free(start);
		return MRT_ERR_NO_MEM;
	}
	for (size_t i = 0; i < n; i++) {
		start[i] = at;
		at += list[i].size;
		if (__builtin_add_overflow(pieces, span_pieces(&list[i]),
					   &pieces))
			pieces = SIZE_MAX;
	}
	start[n] = at;
	*l = (struct layout){.holders = 1,
			     .pieces = pieces,
			     .count = n,
			     .list = list,
			     .start = start,
			     .even = even_size(list, n)};
	*span = (struct span){0, at, l};
	return 0;
}

/* Of the list, which it takes over, what is simplest. */
static int simplify(struct span *list, size_t n, struct span *span)
{
	int rc = 0;

	if (n > 1 && !is_regular(list, n)) {
		rc = make_list(list, n, span);
		if (!rc)
			return 0;
	} else if (n) {
		rc = span_repeat(&list[0], n,
				 n > 1 ? list[1].at - list[0].at : 0, span);
	}
	for (size_t i = 0; i < n; i++)
		span_release(&list[i]);
	free(list);
	return rc;
}

int span_join(struct span *items, size_t n, struct span *span)
{
	struct span *list;
	size_t most = 0, k = 0;

	*span = (struct span){0, 0, NULL};
	for (size_t i = 0; i < n; i++)
		most += is_spliced(&items[i]) ? items[i].layout->count : 1;
	list = malloc((most ? most : 1) * sizeof(*list));
	if (!list) {
		for (size_t i = 0; i < n; i++)
			span_release(&items[i]);
		return MRT_ERR_NO_MEM;
	}
	for (size_t i = 0; i < n; i++)
		k = append_all(list, k, &items[i]);
	if (k && k < most / 2) {
		struct span *less = realloc(list, k * sizeof(*list));

		list = less ? less : list;
	}
	return simplify(list, k, span);
}
