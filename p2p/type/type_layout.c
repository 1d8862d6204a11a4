/* SPDX-License-Identifier: Apache-2.0 */
/* type_layout.c: references to layouts, and loops of as few as possible. */
#include <stdlib.h>

#include "p2p/type/layout.h"

void region_hold(const struct region *region)
{
	if (region->layout)
		region->layout->refs++;
}

static void list_release(struct layout *l)
{
	if (l->form == LAYOUT_LIST)
		for (size_t k = 0; k < l->count; k++)
			region_release(&(struct region){.layout = l->inner[k]});
	if (l->form == LAYOUT_LIST)
		free(l->inner);
	free(l->at);
	free(l->start);
}

void region_release(struct region *region)
{
	struct layout *l = region->layout;

	region->layout = NULL;
	if (!l || --l->refs)
		return;
	if (l->form == LAYOUT_LOOP)
		region_release(&l->each);
	else
		list_release(l);
	free(l);
}

static size_t type_layout_times(size_t a, size_t b)
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
	*l =
	    (struct layout){.refs = 1,
			    .form = LAYOUT_LOOP,
			    .runs = type_layout_times(count, region_runs(each)),
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
