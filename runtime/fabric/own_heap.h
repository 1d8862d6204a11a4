/* SPDX-License-Identifier: Apache-2.0 */
/* own_heap.h: memory of mrt_alloc that only this rank maps, for fabrics that
 * share no memory with their peers. */
#ifndef FABRIC_OWN_HEAP_H
#define FABRIC_OWN_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/list.h"

struct own_heap {
	struct list pieces;
};

void own_heap_init(struct own_heap *heap);
void own_heap_fini(struct own_heap *heap);
/* The three are heap_alloc, heap_free and heap_map of struct fab_ops, the last
 * with `self`, whether the peer is this rank. Memory is always zeroed. */
int own_heap_alloc(struct own_heap *heap, size_t len, void **ptr);
int own_heap_free(struct own_heap *heap, void *ptr);
int own_heap_map(const struct own_heap *heap, bool self, uint64_t remote,
		 size_t len, void **local);
#endif
