/* SPDX-License-Identifier: Apache-2.0 */
/* own_heap.c implements own_heap.h. */
#include "runtime/fabric/own_heap.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "mrt.h"
#include "runtime/base/log.h"
#include "runtime/base/page.h"

struct heap_piece {
	struct list link;
	void *addr;
	size_t len;
};

void own_heap_init(struct own_heap *heap)
{
	list_init(&heap->pieces);
}

static void heap_release(struct heap_piece *h)
{
	munmap(h->addr, h->len);
	free(h);
}

void own_heap_fini(struct own_heap *heap)
{
	struct list *it;

	while ((it = list_pop(&heap->pieces)))
		heap_release(list_entry(it, struct heap_piece, link));
}

int own_heap_alloc(struct own_heap *heap, size_t len, void **ptr)
{
	struct heap_piece *h = malloc(sizeof(*h));
	void *p = MAP_FAILED;

	/* whole pages, so that no other memory shares their registration */
	if (h && len < SIZE_MAX - page_size())
		p = mmap(NULL, len ? len : 1, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) {
		free(h);
		return log_error(MRT_ERR_NO_MEM, "%zu bytes", len);
	}
	h->addr = p;
	h->len = len ? len : 1;
	list_append(&heap->pieces, &h->link);
	*ptr = p;
	return 0;
}

int own_heap_free(struct own_heap *heap, void *ptr)
{
	list_for_each_safe (it, &heap->pieces) {
		struct heap_piece *h = list_entry(it, struct heap_piece, link);

		if (h->addr != ptr)
			continue;
		list_remove(&h->link);
		heap_release(h);
		return 0;
	}
	return MRT_ERR_BUFFER;
}

int own_heap_map(const struct own_heap *heap, bool self, uint64_t remote,
		 size_t len, void **local)
{
	if (!self)
		return MRT_ERR_NO_FABRIC;
	list_for_each (it, &heap->pieces) {
		const struct heap_piece *h =
		    list_entry(it, struct heap_piece, link);
		uint64_t start = (uintptr_t)h->addr;

		if (remote < start || remote - start > h->len ||
		    len > h->len - (remote - start))
			continue;
		*local = (void *)(uintptr_t)remote;
		return 0;
	}
	return MRT_ERR_BUFFER;
}
