/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c: slabs behind pool.h. */
#include "runtime/base/pool.h"

#include <stdlib.h>

enum { SLAB_HEADER = 16 }; /* the link, padded to keep blocks aligned */

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
		free(slab);
	}
	pool->free = pool->slabs = NULL;
}

void *pool_grow(struct pool *pool)
{
	char *slab = malloc(SLAB_HEADER + pool->size * pool->per_slab);

	if (!slab)
		return NULL;
	*(void **)(void *)slab = pool->slabs;
	pool->slabs = slab;
	for (size_t i = 1; i < pool->per_slab; i++)
		pool_put(pool, slab + SLAB_HEADER + i * pool->size);
	return slab + SLAB_HEADER;
}
