/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h: objects of one size from slabs. Get and put take a few instructions
 * and never enter the system while the pool has free blocks. One thread at a
 * time. Under AddressSanitizer a free block must not be touched but for its
 * first word, which a stale handle may read. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(block, size) ((void)0)
#define ASAN_UNPOISON_MEMORY_REGION(block, size) ((void)0)
#endif

struct pool {
	void *free;  /* first free block; each begins with the address of the
			next */
	void *last;  /* last free block, for pool_put_last */
	void *slabs; /* linked in the same way */
	size_t size; /* bytes of a block */
	size_t per_slab;
};

/* Initialises a pool of objects of a type statically, aligned to 16. Objects
 * that users hold come from such pools and go back by pool_put_last: a handle
 * that is used after its object was freed points to no object of another kind,
 * and its first word, which a free block overwrites, shows that it is stale. */
#define POOL_INIT(type, n)                                                     \
	{                                                                      \
		.size = (sizeof(type) + 15) & ~(size_t)15, .per_slab = n       \
	}

/* Prepares a pool of blocks of `size` bytes that grows by per_slab blocks. They
 * are aligned to 16, or to 64 if the size is a multiple of 64. */
void pool_init(struct pool *pool, size_t size, size_t per_slab);
/* Frees all memory, including blocks in use. */
void pool_fini(struct pool *pool);
/* Allocates one more slab; returns a block of it, or NULL without memory. */
void *pool_grow(struct pool *pool);

/* Returns an uninitialised block, or NULL without memory. */
static inline void *pool_get(struct pool *pool)
{
	void *block = pool->free;

	if (__builtin_expect(!block, 0))
		return pool_grow(pool);
	ASAN_UNPOISON_MEMORY_REGION(block, pool->size);
	pool->free = *(void **)block;
	return block;
}

/* Like pool_get, filled with zeros. */
void *pool_get_zeroed(struct pool *pool);

/* Visits all blocks, used or free. A free one begins with the address of
 * another block or with NULL. */
void pool_each(const struct pool *pool,
	       void (*visit)(void *block, void *context), void *context);

static inline void pool_put(struct pool *pool, void *block)
{
	*(void **)block = pool->free;
	pool->free = block;
	ASAN_POISON_MEMORY_REGION((void **)block + 1,
				  pool->size - sizeof(void *));
}

/* Like pool_put for a block that is to be reused as late as possible. A pool
 * whose blocks go back this way must not use pool_put as well. */
static inline void pool_put_last(struct pool *pool, void *block)
{
	*(void **)block = NULL;
	ASAN_POISON_MEMORY_REGION((void **)block + 1,
				  pool->size - sizeof(void *));
	if (pool->free)
		*(void **)pool->last = block;
	else
		pool->free = block;
	pool->last = block;
}
#endif
