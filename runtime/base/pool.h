/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pool.h: blocks of one size from slabs; get and put are a few instructions
 * and never touch the system while the pool has free blocks. One thread. Under
 * AddressSanitizer a free block may not be touched, but for the first word,
 * which a stale handle may read.
 */
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
	void *free;  /* first free block; each begins with the next's address */
	void *last;  /* free block, for pool_put_last */
	void *slabs; /* likewise linked */
	size_t size; /* of a block */
	size_t per_slab;
};

/* One that needs no pool_init, for objects of a type, aligned to 16. Objects of
 * users come from such pools, and go back by pool_put_last: a handle that is
 * used after its object was freed points to no other kind of thing, and says
 * so by its first word, which a free block uses. */
#define POOL_INIT(type, n)                                                     \
	{                                                                      \
		.size = (sizeof(type) + 15) & ~(size_t)15, .per_slab = n       \
	}

/* Blocks of `size` bytes, aligned to 16, or to 64 if the size is a multiple of
 * that; grows by per_slab blocks. */
void pool_init(struct pool *pool, size_t size, size_t per_slab);
/* Frees all memory, blocks in use included. */
void pool_fini(struct pool *pool);
/* Gets one more slab; NULL, or the block taken from it. */
void *pool_grow(struct pool *pool);

/* Uninitialised memory; NULL: no memory. */
static inline void *pool_get(struct pool *pool)
{
	void *block = pool->free;

	if (__builtin_expect(!block, 0))
		return pool_grow(pool);
	ASAN_UNPOISON_MEMORY_REGION(block, pool->size);
	pool->free = *(void **)block;
	return block;
}

/* The same of zeros. */
void *pool_get_zeroed(struct pool *pool);

/* All blocks, those in use and free ones, which begin with the address of
 * another or with NULL. */
void pool_each(const struct pool *pool,
	       void (*visit)(void *block, void *context), void *context);

static inline void pool_put(struct pool *pool, void *block)
{
	*(void **)block = pool->free;
	pool->free = block;
	ASAN_POISON_MEMORY_REGION((void **)block + 1,
				  pool->size - sizeof(void *));
}

/* The same for a block that shall be used again as late as possible; of a pool
 * to which nothing else gives back. */
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
