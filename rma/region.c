/* SPDX-License-Identifier: Apache-2.0 */
/* region.c: which memory belongs to a window, above all to a dynamic one. */
#include <stdlib.h>

#include "rma/win.h"
#include "runtime/base/error.h"

static struct win_region *region_at(const struct mrt_win *w, uint64_t addr,
				    size_t bytes)
{
	list_for_each (it, &w->regions) {
		struct win_region *r = list_entry(it, struct win_region, link);
		uint64_t base = (uintptr_t)r->base;

		if (addr < base + r->bytes && addr + bytes > base)
			return r;
	}
	return NULL;
}

int win_check_range(const struct mrt_win *w, uint64_t addr, size_t bytes)
{
	uint64_t base = (uintptr_t)w->base;
	size_t room = w->bytes;

	if (w->flavor == MRT_WIN_DYNAMIC) {
		const struct win_region *r = region_at(w, addr, bytes);

		base = r ? (uintptr_t)r->base : addr;
		room = r ? r->bytes : 0;
	}
	return addr >= base && bytes <= room && addr - base <= room - bytes
		   ? 0
		   : MRT_ERR_RANGE;
}

static int attach(struct mrt_win *w, void *base, size_t bytes)
{
	struct win_region *r;

	if (w->flavor != MRT_WIN_DYNAMIC)
		return proc_fail(MRT_ERR_WIN, "the window is not dynamic");
	if (!bytes)
		return 0;
	if (!base || (uintptr_t)base + bytes < bytes)
		return proc_fail(MRT_ERR_BUFFER, "no memory of %zu bytes at %p",
				 bytes, base);
	if (region_at(w, (uintptr_t)base, bytes))
		return proc_fail(MRT_ERR_RANGE,
				 "%zu bytes at %p overlap with memory that is "
				 "attached",
				 bytes, base);
	r = malloc(sizeof(*r));
	if (!r)
		return proc_fail(MRT_ERR_NO_MEM, "a region");
	r->base = base;
	r->bytes = bytes;
	list_append(&w->regions, &r->link);
	return 0;
}

static int detach(struct mrt_win *w, const void *base)
{
	if (w->flavor != MRT_WIN_DYNAMIC)
		return proc_fail(MRT_ERR_WIN, "the window is not dynamic");
	list_for_each_safe (it, &w->regions) {
		struct win_region *r = list_entry(it, struct win_region, link);

		if (r->base != base)
			continue;
		list_remove(&r->link);
		free(r);
		return 0;
	}
	return proc_fail(MRT_ERR_RANGE, "nothing is attached at %p", base);
}

int mrt_win_attach(struct mrt_win *win, void *base, size_t bytes)
{
	struct mrt_win *w;

	return proc_result("mrt_win_attach",
			   win_begin(proc_enter("mrt_win_attach"), win, &w)
			       ?: proc_leave_with(attach(w, base, bytes)));
}

int mrt_win_detach(struct mrt_win *win, const void *base)
{
	struct mrt_win *w;

	return proc_result("mrt_win_detach",
			   win_begin(proc_enter("mrt_win_detach"), win, &w)
			       ?: proc_leave_with(detach(w, base)));
}
