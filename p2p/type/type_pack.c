/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type_pack.c: packs and unpacks elements by walking the layout of their type.
 * Short runs are copied by the loops of type_copy.h, many in each call: those
 * of a vector, of a list of displacements, or run k of many small elements.
 */
#include <string.h>

#include "p2p/type/layout.h"
#include "p2p/type/type_copy.h"
#include "runtime/base/copy.h"

enum {
	/* Loops are interchanged, all elements for each run in turn, where an
	 * element has at most this many runs, */
	TURN_RUNS = 16,
	/* for parts of the buffer that stay in the L1 cache meanwhile, */
	TURN_BYTES = 8192,
	/* of this many elements at least. */
	TURN_PART = 8
};

/* An action is done with each run that a walk meets. */
struct walk {
	enum { PACK, UNPACK, LIST } what;
	char *packed;	   /* current position in the packed form */
	struct iovec *iov; /* LIST: the next entry */
};

static void type_pack_run(struct walk *w, uintptr_t addr, size_t len)
{
	char *at = (char *)addr;

	if (w->what == LIST) {
		*w->iov++ = (struct iovec){at, len};
		return;
	}
	if (w->what == PACK)
		copy_bytes(w->packed, at, len);
	else
		copy_bytes(at, w->packed, len);
	w->packed += len;
}

/* ---- Regular runs -------------------------------------------------------- */

/* Copies n runs of len bytes between `memory` and `packed`. */
static void copy_both(const struct walk *w, struct run_series memory,
		      struct run_series packed, size_t len, size_t n)
{
	if (w->what == PACK)
		copy_series(packed, memory, len, n);
	else
		copy_series(memory, packed, len, n);
}

static void regular_runs(struct walk *w, uintptr_t addr, ptrdiff_t stride,
			 size_t len, size_t n)
{
	if (w->what == LIST) {
		for (; n; n--, addr += (uintptr_t)stride)
			type_pack_run(w, addr, len);
		return; /* LIST packs nothing */
	}
	copy_both(w, (struct run_series){addr, stride},
		  (struct run_series){(uintptr_t)w->packed, (ptrdiff_t)len},
		  len, n);
	w->packed += len * n;
}

/* ---- Small elements ------------------------------------------------------ */

static size_t type_pack_magnitude(ptrdiff_t stride)
{
	return stride < 0 ? 0 - (size_t)stride : (size_t)stride;
}

/* Whether the loop over elements can be turned inside out, that is, run k of
 * all of them be copied before run k + 1: elements of few runs are. Unpacking
 * needs elements that do not overlap, for the last of overlapping runs to win.
 */
static bool can_turn(const struct walk *w, const struct region *each,
		     ptrdiff_t stride)
{
	const struct layout *l = each->layout;
	size_t width;

	if (w->what == LIST || l->count > TURN_RUNS || l->form == LAYOUT_LIST ||
	    (l->form == LAYOUT_LOOP && l->each.layout))
		return false;
	width = l->form == LAYOUT_RUNS
		    ? l->width
		    : (l->count - 1) * type_pack_magnitude(l->stride) +
			  l->each.size;
	return w->what == PACK || width <= type_pack_magnitude(stride);
}

/* Copies n elements run by run. */
static void type_pack_turn(struct walk *w, const struct region *each,
			   uintptr_t base, ptrdiff_t stride, size_t n)
{
	const struct layout *l = each->layout;

	for (size_t k = 0; k < l->count; k++) {
		struct region r = layout_item(l, k);

		copy_both(w,
			  (struct run_series){base + (uintptr_t)r.at, stride},
			  (struct run_series){(uintptr_t)w->packed,
					      (ptrdiff_t)each->size},
			  r.size, n);
		w->packed += r.size;
	}
	w->packed += (n - 1) * each->size;
}

/* Copies n elements run by run, as many at once as stay in the nearest
 * cache. */
static void turn_parts(struct walk *w, const struct region *each,
		       uintptr_t base, ptrdiff_t stride, size_t n)
{
	size_t step = type_pack_magnitude(stride), part;

	step = step > each->size ? step : each->size;
	part = step > TURN_BYTES / TURN_PART ? TURN_PART : TURN_BYTES / step;
	base += (uintptr_t)each->at;
	for (; n; n -= part, base += part * (uintptr_t)stride) {
		part = part < n ? part : n;
		type_pack_turn(w, each, base, stride, part);
	}
}

/* ---- The walk ------------------------------------------------------------ */

static void type_pack_walk(struct walk *w, const struct region *region,
			   uintptr_t base, size_t at, size_t len);

/* Walks a loop of any number of repetitions, for len packed bytes from `at`
 * on. */
static void walk_loop(struct walk *w, const struct region *each,
		      ptrdiff_t stride, uintptr_t base, size_t at, size_t len)
{
	size_t n;

	if (at >= each->size) {
		base += at / each->size * (uintptr_t)stride;
		at %= each->size;
	}
	if (at || len < each->size) {
		n = len < each->size - at ? len : each->size - at;
		type_pack_walk(w, each, base, at, n);
		len -= n;
		base += (uintptr_t)stride;
	}
	n = len / each->size;
	if (!each->layout)
		regular_runs(w, base + (uintptr_t)each->at, stride, each->size,
			     n);
	else if (n >= each->layout->count && can_turn(w, each, stride))
		turn_parts(w, each, base, stride, n);
	else
		for (size_t i = 0; i < n; i++)
			type_pack_walk(w, each, base + i * (uintptr_t)stride, 0,
				       each->size);
	base += n * (uintptr_t)stride;
	len -= n * each->size;
	if (len)
		type_pack_walk(w, each, base, 0, len);
}

/* Returns the run or region with packed byte `at`, which is in the layout. */
static size_t type_pack_find(const struct layout *l, size_t at)
{
	size_t low = 0, high = l->count;

	if (!l->start)
		return at / l->even;
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (l->start[mid] <= at)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* Walks len bytes of run or region k, from its byte `at` on. */
static void walk_item(struct walk *w, const struct layout *l, size_t k,
		      uintptr_t base, size_t at, size_t len)
{
	struct region r = layout_item(l, k);

	type_pack_walk(w, &r, base, at, len);
}

/* Walks n > 0 whole runs or regions from the k-th on. */
static void whole_items(struct walk *w, const struct layout *l, size_t k,
			uintptr_t base, size_t n)
{
	const ptrdiff_t *at;

	if (l->form == LAYOUT_LIST || w->what == LIST) {
		for (; n; n--, k++)
			walk_item(w, l, k, base, 0,
				  layout_start(l, k + 1) - layout_start(l, k));
		return;
	}
	at = l->at + k;
	if (l->start && w->what == PACK)
		copy_gather_uneven(w->packed, base, at, l->start + k, n);
	else if (l->start)
		copy_scatter_uneven(w->packed, base, at, l->start + k, n);
	else if (w->what == PACK)
		copy_gather(w->packed, base, at, l->even, n);
	else
		copy_scatter(w->packed, base, at, l->even, n);
	w->packed += layout_start(l, k + n) - layout_start(l, k);
}

/* Walks runs or a list, for len packed bytes from `at` on. */
static void walk_items(struct walk *w, const struct layout *l, uintptr_t base,
		       size_t at, size_t len)
{
	size_t end = at + len;
	size_t k = at ? type_pack_find(l, at) : 0;
	size_t last =
	    end < layout_start(l, l->count) ? type_pack_find(l, end) : l->count;

	if (k < last && at > layout_start(l, k)) {
		walk_item(w, l, k, base, at - layout_start(l, k),
			  layout_start(l, k + 1) - at);
		k++;
	}
	if (k < last)
		whole_items(w, l, k, base, last - k);
	if (last == l->count)
		return;
	at = at > layout_start(l, last) ? at : layout_start(l, last);
	if (end > at)
		walk_item(w, l, last, base, at - layout_start(l, last),
			  end - at);
}

static void type_pack_walk(struct walk *w, const struct region *region,
			   uintptr_t base, size_t at, size_t len)
{
	const struct layout *l = region->layout;

	base += (uintptr_t)region->at;
	if (!l)
		type_pack_run(w, base + at, len);
	else if (l->form != LAYOUT_LOOP)
		walk_items(w, l, base, at, len);
	else
		walk_loop(w, &l->each, l->stride, base, at, len);
}

void type_pack(const struct mrt_type *type, const void *buf, size_t at,
	       size_t len, void *out)
{
	struct walk w = {PACK, out, NULL};

	if (len)
		walk_loop(&w, &type->region, type->extent, (uintptr_t)buf, at,
			  len);
}

void type_unpack(const struct mrt_type *type, void *buf, size_t at, size_t len,
		 const void *in)
{
	struct walk w = {UNPACK, (char *)(uintptr_t)in, NULL};

	if (len)
		walk_loop(&w, &type->region, type->extent, (uintptr_t)buf, at,
			  len);
}

size_t type_iov_len(const struct mrt_type *type, size_t count)
{
	size_t runs;

	return __builtin_mul_overflow(count, region_runs(&type->region), &runs)
		   ? SIZE_MAX
		   : runs;
}

void type_iov(const struct mrt_type *type, const void *buf, size_t count,
	      struct iovec *iov)
{
	struct walk w = {LIST, NULL, iov};

	if (count && type->size)
		walk_loop(&w, &type->region, type->extent, (uintptr_t)buf, 0,
			  count * type->size);
}
