/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type_pack.c: packs and unpacks elements by walking the layout of their type.
 * Regular blocks are copied by loops of their own, so that short ones cost no
 * calls.
 */
#include <string.h>
#include <sys/uio.h>

#include "p2p/type/layout.h"

/* An action is done with each run that a walk meets. */
struct walk {
	enum { PACK, UNPACK, LIST } what;
	char *packed;	   /* current position in the packed form */
	struct iovec *iov; /* LIST: the next entry */
};

static inline void copy(char *to, const char *from, size_t len)
{
	switch (len) { /* stores, not calls */
	case 4:
		memcpy(to, from, 4);
		break;
	case 8:
		memcpy(to, from, 8);
		break;
	case 16:
		memcpy(to, from, 16);
		break;
	default:
		memcpy(to, from, len);
	}
}

static void run(struct walk *w, uintptr_t addr, size_t len)
{
	char *at = (char *)addr;

	if (w->what == LIST) {
		*w->iov++ = (struct iovec){at, len};
		return;
	}
	if (w->what == PACK)
		copy(w->packed, at, len);
	else
		copy(at, w->packed, len);
	w->packed += len;
}

/* ---- Regular blocks ------------------------------------------------------ */

static inline __attribute__((always_inline)) void
copy_each(char *to, ptrdiff_t to_step, const char *from, ptrdiff_t from_step,
	  size_t len, size_t n)
{
	for (; n; n--) {
		memcpy(to, from, len);
		to += to_step;
		from += from_step;
	}
}

static void copy_blocks(char *to, ptrdiff_t to_step, const char *from,
			ptrdiff_t from_step, const size_t len_n[2])
{
	size_t len = len_n[0], n = len_n[1];

#define CASE(bytes)                                                            \
	case bytes:                                                            \
		copy_each(to, to_step, from, from_step, bytes, n);             \
		break
	switch (len) { /* copies of constant length need no call */
		CASE(1);
		CASE(2);
		CASE(4);
		CASE(8);
		CASE(12);
		CASE(16);
		CASE(24);
		CASE(32);
	default:
		copy_each(to, to_step, from, from_step, len, n);
	}
}

static void blocks(struct walk *w, uintptr_t addr, ptrdiff_t stride, size_t len,
		   size_t n)
{
	const size_t len_n[2] = {len, n};
	char *at = (char *)addr;

	if (w->what == LIST) {
		for (; n; n--, addr += (uintptr_t)stride)
			run(w, addr, len);
		return; /* LIST packs nothing */
	}
	if (w->what == PACK)
		copy_blocks(w->packed, (ptrdiff_t)len, at, stride, len_n);
	else
		copy_blocks(at, stride, w->packed, (ptrdiff_t)len, len_n);
	w->packed += len * len_n[1];
}

/* ---- The walk ------------------------------------------------------------ */

static void walk(struct walk *w, const struct region *region, uintptr_t base,
		 size_t at, size_t len);

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
		walk(w, each, base, at, n);
		len -= n;
		base += (uintptr_t)stride;
	}
	n = len / each->size;
	if (!each->layout) {
		blocks(w, base + (uintptr_t)each->at, stride, each->size, n);
		base += n * (uintptr_t)stride;
	} else {
		for (size_t i = n; i; i--, base += (uintptr_t)stride)
			walk(w, each, base, 0, each->size);
	}
	len -= n * each->size;
	if (len)
		walk(w, each, base, 0, len);
}

/* Returns the item with packed byte `at`. */
static size_t find(const struct layout *l, size_t at)
{
	size_t low = 0, high = l->count;

	if (l->even)
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

static inline __attribute__((always_inline)) void
even_runs(struct walk *w, const struct region *list, uintptr_t base, size_t len,
	  size_t n)
{
	char *packed = w->packed;

	if (w->what == LIST)
		for (size_t i = 0; i < n; i++)
			run(w, base + (uintptr_t)list[i].at, len);
	else if (w->what == PACK)
		for (size_t i = 0; i < n; i++)
			memcpy(packed + i * len,
			       (char *)(base + (uintptr_t)list[i].at), len);
	else
		for (size_t i = 0; i < n; i++)
			memcpy((char *)(base + (uintptr_t)list[i].at),
			       packed + i * len, len);
	w->packed += n * len;
}

/* Walks whole items from the k-th on, as many as fit len; returns their
 * number. */
static size_t whole_items(struct walk *w, const struct layout *l, size_t k,
			  uintptr_t base, size_t len)
{
	size_t n = l->even ? len / l->even : 0, first = k;

	if (l->even == 4)
		even_runs(w, l->list + k, base, 4, n);
	else if (l->even == 8)
		even_runs(w, l->list + k, base, 8, n);
	else if (l->even == 16)
		even_runs(w, l->list + k, base, 16, n);
	else if (l->even)
		even_runs(w, l->list + k, base, l->even, n);
	if (l->even)
		return n;
	for (; k < l->count && l->start[k + 1] - l->start[first] <= len; k++)
		walk(w, &l->list[k], base, 0, l->list[k].size);
	return k - first;
}

static void walk_list(struct walk *w, const struct layout *l, uintptr_t base,
		      size_t at, size_t len)
{
	size_t k = at ? find(l, at) : 0, n;

	at -= l->start[k];
	if (at) {
		n = l->list[k].size - at;
		n = len < n ? len : n;
		walk(w, &l->list[k++], base, at, n);
		len -= n;
	}
	n = whole_items(w, l, k, base, len);
	len -= l->start[k + n] - l->start[k];
	if (len)
		walk(w, &l->list[k + n], base, 0, len);
}

static void walk(struct walk *w, const struct region *region, uintptr_t base,
		 size_t at, size_t len)
{
	const struct layout *l = region->layout;

	base += (uintptr_t)region->at;
	if (!l)
		run(w, base + at, len);
	else if (l->list)
		walk_list(w, l, base, at, len);
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
