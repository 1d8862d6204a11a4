/* SPDX-License-Identifier: Apache-2.0 */
/*
 * region.c: which memory belongs to a window, above all to a dynamic one. Its
 * regions are in a search tree by address, which is in order since none
 * overlaps another; those without bytes, which overlap nothing, in another.
 */
#include <search.h>
#include <stdlib.h>

#include "rma/win.h"

struct win_region {
	uint64_t base, bytes;
	unsigned times; /* attached: more than once only without bytes */
};

/* Regions that overlap count as equal. */
static int by_address(const void *a, const void *b)
{
	const struct win_region *x = a, *y = b;

	if (x->base + x->bytes <= y->base)
		return x->base == y->base ? 0 : -1; /* both are empty */
	return x->base >= y->base + y->bytes;
}

/* Returns the attached region that overlaps with such a one, or NULL. */
static struct win_region *region_at(const struct mrt_win *w, uint64_t base,
				    uint64_t bytes)
{
	const struct win_region r = {.base = base, .bytes = bytes};
	struct win_region **at = tfind(&r, &w->regions[!bytes], by_address);

	return at ? *at : NULL;
}

/* Whether memory is attached, which may be in regions that adjoin. */
static bool is_attached(const struct mrt_win *w, uint64_t addr, uint64_t bytes)
{
	while (bytes) {
		const struct win_region *r = region_at(w, addr, 1);
		uint64_t here = r ? r->base + r->bytes - addr : 0;

		if (!r)
			return false;
		if (here >= bytes)
			break;
		addr += here;
		bytes -= here;
	}
	return true;
}

int win_check_range(const struct mrt_win *w, uint64_t addr, size_t bytes)
{
	uint64_t base = (uintptr_t)w->base;

	if (w->flavor == MRT_WIN_DYNAMIC)
		return is_attached(w, addr, bytes) ? 0 : MRT_ERR_RANGE;
	return addr >= base && bytes <= w->bytes &&
		       addr - base <= w->bytes - bytes
		   ? 0
		   : MRT_ERR_RANGE;
}

static int region_attach(struct mrt_win *w, void *base, size_t bytes)
{
	struct win_region *r;

	if (w->flavor != MRT_WIN_DYNAMIC)
		return proc_fail(MRT_ERR_WIN, "the window is not dynamic");
	if (bytes && (!base || (uintptr_t)base + bytes < bytes))
		return proc_fail(MRT_ERR_BUFFER, "no memory of %zu bytes at %p",
				 bytes, base);
	r = region_at(w, (uintptr_t)base, bytes);
	if (r && bytes)
		return proc_fail(MRT_ERR_RANGE,
				 "%zu bytes at %p overlap with memory that is "
				 "attached",
				 bytes, base);
	if (!r) {
		r = calloc(1, sizeof(*r));
		if (!r)
			return proc_fail(MRT_ERR_NO_MEM, "a region");
		r->base = (uintptr_t)base;
		r->bytes = bytes;
		if (!tsearch(r, &w->regions[!bytes], by_address)) {
			free(r);
			return proc_fail(MRT_ERR_NO_MEM, "a region");
		}
	}
	r->times++;
	return 0;
}

static int region_detach(struct mrt_win *w, const void *base)
{
	struct win_region *r;

	if (w->flavor != MRT_WIN_DYNAMIC)
		return proc_fail(MRT_ERR_WIN, "the window is not dynamic");
	r = region_at(w, (uintptr_t)base, 1);
	if (!r || r->base != (uintptr_t)base)
		r = region_at(w, (uintptr_t)base, 0);
	if (!r)
		return proc_fail(MRT_ERR_RANGE, "nothing is attached at %p",
				 base);
	if (!--r->times) {
		tdelete(r, &w->regions[!r->bytes], by_address);
		free(r);
	}
	return 0;
}

void win_detach_all(struct mrt_win *w)
{
	for (int k = 0; k < 2; k++)
		tdestroy(w->regions[k], free);
}

int mrt_win_attach(struct mrt_win *win, void *base, size_t bytes)
{
	struct mrt_win *w;

	return proc_result(
	    "mrt_win_attach",
	    win_begin(proc_enter("mrt_win_attach"), win, &w)
		?: proc_leave_with(region_attach(w, base, bytes)));
}

int mrt_win_detach(struct mrt_win *win, const void *base)
{
	struct mrt_win *w;

	return proc_result("mrt_win_detach",
			   win_begin(proc_enter("mrt_win_detach"), win, &w)
			       ?: proc_leave_with(region_detach(w, base)));
}
