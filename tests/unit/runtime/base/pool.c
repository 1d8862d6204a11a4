/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c: tests runtime/base/pool.c: blocks are distinct, aligned, reused. */
#include "runtime/base/pool.h"

#include <stdint.h>

#include "tests/tap.h"

enum { N = 500, STEPS = 50000 };

static void test_size(size_t size)
{
	struct pool pool;
	unsigned char *blocks[N] = {0};
	int bad = 0, misaligned = 0;

	pool_init(&pool, size, 16);
	srand(2);
	for (int step = 0; step < STEPS; step++) {
		int k = rand() % N;

		if (blocks[k]) {
			/* a shared block would hold another mark */
			for (size_t i = 0; i < size; i++)
				bad += blocks[k][i] != (unsigned char)k;
			pool_put(&pool, blocks[k]);
			blocks[k] = NULL;
			continue;
		}
		blocks[k] = pool_get(&pool);
		if (!blocks[k])
			abort();
		misaligned += (uintptr_t)blocks[k] % 16 != 0;
		memset(blocks[k], k, size);
	}
	is_int(bad, 0, "blocks of %zu bytes do not overlap", size);
	is_int(misaligned, 0, "blocks of %zu bytes are aligned to 16", size);
	pool_fini(&pool);
}

static void test_reuse(void)
{
	struct pool pool;
	void *first, *second, *slabs;

	pool_init(&pool, 100, 4);
	first = pool_get(&pool);
	pool_put(&pool, first);
	second = pool_get(&pool);
	ok(first == second, "the block put last comes first");
	slabs = pool.slabs;
	for (int i = 0; i < 3; i++)
		pool_get(&pool);
	ok(pool.slabs == slabs, "a slab holds per_slab blocks");
	pool_get(&pool);
	ok(pool.slabs != slabs, "then there is another");
	pool_fini(&pool);
}

int main(void)
{
	static const size_t sizes[] = {1, 8, 24, 64, 100, 4096};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		test_size(sizes[i]);
	test_reuse();
	return tap_done();
}
