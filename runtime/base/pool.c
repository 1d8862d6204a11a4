/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c: the slabs of pool.h. */
#include "runtime/base/pool.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };

/* Returns the bytes of a slab's link, padded to align the blocks behind it. */
static size_t pool_header(const struct pool *pool)
{
	return pool->size % LINE ? 16 : LINE;
}

void pool_init(struct pool *pool, size_t size, size_t per_slab)
{
	pool->free = pool->slabs = NULL;
	pool->size = (size + 15) & ~(size_t)15;
	pool->per_slab = per_slab;
}

void pool_fini(struct pool *pool)
{
	for (void *slab = pool->slabs, *next; slab; slab = next) {
		next = *(void **)slab;
		ASAN_UNPOISON_MEMORY_REGION(
		    slab, pool_header(pool) + pool->size * pool->per_slab);
		free(slab);
	}
	pool->free = pool->slabs = NULL;
}

void pool_each(const struct pool *pool,
	       void (*visit)(void *block, void *context), void *context)
{
	for (char *slab = pool->slabs; slab; slab = *(void **)(void *)slab)
		for (size_t i = 0; i < pool->per_slab; i++)
			visit(slab + pool_header(pool) + i * pool->size,
			      context);
}

void *pool_get_zeroed(struct pool *pool)
{
	void *block = pool_get(pool);

	return block ? memset(block, 0, pool->size) : NULL;
}

void *pool_grow(struct pool *pool)
{
	size_t align = pool_header(pool), blocks = pool->size * pool->per_slab;
	char *slab = aligned_alloc(align, align + blocks), *first;

	if (!slab)
		return NULL;
	*(void **)(void *)slab = pool->slabs;
	pool->slabs = slab;
	first = slab + align;
	pool->last = first + pool->size; /* the block put first below */
	for (size_t i = 1; i < pool->per_slab; i++)
		pool_put(pool, first + i * pool->size);
	return first;
}
