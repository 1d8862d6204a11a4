/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_pack.c: packs and unpacks elements of derived types of several shapes,
 * next to memcpy of as many bytes. Rank 0 alone works. The three ways take
 * turns and the best of several rounds counts.
 */
#include "apps/bench/bench.h"
#include "apps/common/app.h"

#include <math.h>
#include <mrt_lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	WAYS = BENCH_PACK_WAYS,
	APART = 1024 /* bytes that keep buffers at other places of pages */
};

/* ---- Shapes: each makes elements of about `bytes` packed bytes ----------- */

struct elements {
	struct mrt_type *type;
	size_t count;
};

static struct elements blocks_of_8(size_t bytes)
{
	struct elements e = {.count = 1};

	mrt_type_vector(bytes / 8, 1, 2, MRT_DOUBLE, &e.type);
	return e;
}

static struct elements blocks_of_64(size_t bytes)
{
	struct elements e = {.count = 1};

	mrt_type_vector(bytes / 64, 8, 16, MRT_DOUBLE, &e.type);
	return e;
}

static struct elements short_vectors(size_t bytes)
{
	struct elements e = {.count = bytes / 24};

	mrt_type_vector(3, 1, 2, MRT_DOUBLE, &e.type);
	return e;
}

/* A box of 16 x 16 doubles in planes of 20 x 20. */
static struct elements bench_pack_box(size_t bytes)
{
	const size_t sizes[] = {bytes / 2048, 20, 20};
	const size_t part[] = {bytes / 2048, 16, 16}, start[] = {0, 2, 2};
	struct elements e = {.count = 1};

	mrt_type_subarray(3, sizes, part, start, MRT_ORDER_C, MRT_DOUBLE,
			  &e.type);
	return e;
}

/* An int and a double. */
static struct elements two_members(size_t bytes)
{
	const size_t lengths[] = {1, 1};
	const ptrdiff_t at[] = {0, 8};
	struct mrt_type *types[] = {MRT_INT, MRT_DOUBLE};
	struct elements e = {.count = bytes / 12};

	mrt_type_struct(2, lengths, at, types, &e.type);
	return e;
}

/* A char, three doubles and a float. */
static struct elements three_members(size_t bytes)
{
	const size_t lengths[] = {1, 3, 1};
	const ptrdiff_t at[] = {0, 8, 36};
	struct mrt_type *types[] = {MRT_CHAR, MRT_DOUBLE, MRT_FLOAT};
	struct elements e = {.count = bytes / 29};

	mrt_type_struct(3, lengths, at, types, &e.type);
	return e;
}

/* Irregular blocks of a few words, a third of all words. */
static struct elements bench_pack_indexed(size_t bytes, size_t words)
{
	size_t n = bytes / (4 * words);
	ptrdiff_t *at = app_alloc(n, sizeof(*at));
	struct elements e = {.count = 1};

	for (size_t i = 0; i < n; i++)
		at[i] = (ptrdiff_t)(words * (3 * i + (i * i / 3) % 2));
	mrt_type_indexed_block(n, words, at, MRT_INT, &e.type);
	free(at);
	return e;
}

static struct elements indices_of_4(size_t bytes)
{
	return bench_pack_indexed(bytes, 1);
}

static struct elements indices_of_8(size_t bytes)
{
	return bench_pack_indexed(bytes, 2);
}

static struct elements indices_of_16(size_t bytes)
{
	return bench_pack_indexed(bytes, 4);
}

/* Irregular blocks of one to four words. */
static struct elements bench_pack_uneven(size_t bytes)
{
	size_t n = bytes / 10;
	ptrdiff_t *at = app_alloc(n, sizeof(*at));
	size_t *length = app_alloc(n, sizeof(*length));
	struct elements e = {.count = 1};

	for (size_t i = 0; i < n; i++) {
		at[i] = (ptrdiff_t)(5 * i);
		length[i] = 1 + (i * i / 3) % 4;
	}
	mrt_type_indexed(n, length, at, MRT_INT, &e.type);
	free(at);
	free(length);
	return e;
}

static const struct shape {
	const char *name;
	struct elements (*make)(size_t bytes);
} shapes[] = {
    {"vector:8", blocks_of_8},	   {"vector:64", blocks_of_64},
    {"vector:3", short_vectors},   {"subarray", bench_pack_box},
    {"struct:2", two_members},	   {"struct:3", three_members},
    {"indexed:4", indices_of_4},   {"indexed:8", indices_of_8},
    {"indexed:16", indices_of_16}, {"indexed", bench_pack_uneven},
};

/* ---- The ways ------------------------------------------------------------ */

static struct {
	struct elements e;
	size_t bytes;
	char *memory, *packed, *copy;
} at;

static double run_pack(struct bench *b, size_t bytes, long iterations)
{
	double start = mrt_wtime();

	for (long i = 0; b->me == 0 && i < iterations; i++) {
		size_t position = 0;

		mrt_pack(at.memory, at.e.count, at.e.type, at.packed, at.bytes,
			 &position);
	}
	return b->me == 0 ? mrt_wtime() - start : 0;
}

static double run_unpack(struct bench *b, size_t bytes, long iterations)
{
	double start = mrt_wtime();

	for (long i = 0; b->me == 0 && i < iterations; i++) {
		size_t position = 0;

		mrt_unpack(at.packed, at.bytes, &position, at.memory,
			   at.e.count, at.e.type);
	}
	return b->me == 0 ? mrt_wtime() - start : 0;
}

static double run_memcpy(struct bench *b, size_t bytes, long iterations)
{
	double start = mrt_wtime();

	for (long i = 0; b->me == 0 && i < iterations; i++) {
		memcpy(at.copy, at.packed, at.bytes);
		__asm__ volatile("" ::: "memory"); /* each is done */
	}
	return b->me == 0 ? mrt_wtime() - start : 0;
}

static double (*const runs[WAYS])(struct bench *, size_t,
				  long) = {run_pack, run_unpack, run_memcpy};

/* ---- One shape ----------------------------------------------------------- */

static void lay_out(const struct shape *shape, size_t bytes)
{
	ptrdiff_t lb, extent;
	size_t length;

	at.e = shape->make(bytes);
	mrt_type_commit(at.e.type);
	mrt_type_extent(at.e.type, &lb, &extent);
	length = at.e.count * (size_t)extent;
	at.bytes = at.e.count * mrt_type_size(at.e.type);
	at.memory = app_alloc(length, 1);
	at.packed = app_alloc(2 * at.bytes + APART, 1);
	at.copy = at.packed + at.bytes + APART;
	for (size_t i = 0; i < length; i++)
		at.memory[i] = bench_pattern(0, i);
}

static void bench_pack_clear(void)
{
	mrt_type_free(&at.e.type);
	free(at.memory);
	free(at.packed);
}

/* Returns 1 if what is packed, unpacked into other memory and packed again
 * differs, or is nothing but zeros. */
static int is_wrong(struct bench *b)
{
	ptrdiff_t lb, extent;
	char *memory = at.memory;
	size_t zeros = 0;
	int bad;

	if (b->me != 0)
		return 0;
	run_pack(b, at.bytes, 1);
	memcpy(at.copy, at.packed, at.bytes);
	mrt_type_extent(at.e.type, &lb, &extent);
	at.memory = app_alloc(at.e.count * (size_t)extent, 1);
	run_unpack(b, at.bytes, 1);
	memset(at.packed, 0, at.bytes);
	run_pack(b, at.bytes, 1);
	bad = memcmp(at.copy, at.packed, at.bytes) != 0;
	for (size_t i = 0; i < at.bytes; i++)
		zeros += !at.packed[i];
	free(at.memory);
	at.memory = memory;
	return bad || zeros == at.bytes;
}

static void time_ways(struct bench *b, struct bench_row rows[WAYS])
{
	double best[WAYS];

	bench_by_turns(b, rows, WAYS, best);
	for (int w = 0; w < WAYS; w++) {
		rows[w].avg = (double)at.bytes * (double)rows[w].iterations /
			      fmax(best[w], 1e-9) / 1e9;
		rows[w].min = rows[w].max = rows[w].avg;
	}
}

static int bench_pack_measure(struct bench *b, const struct shape *shape,
			      size_t bytes)
{
	static const char *const names[WAYS] = {"pack", "unpack", "memcpy"};
	char name[WAYS][32];
	struct bench_test way[WAYS];
	struct bench_row rows[WAYS];
	int bad;

	lay_out(shape, bytes);
	bad = b->check ? is_wrong(b) : 0;
	for (int w = 0; w < WAYS; w++) {
		snprintf(name[w], sizeof(name[w]), "%s-%s", names[w],
			 shape->name);
		way[w] = (struct bench_test){
		    .name = name[w], .kind = BENCH_PACK, .run = runs[w]};
		rows[w] = (struct bench_row){
		    .test = &way[w], .bytes = at.bytes, .bad = bad};
	}
	time_ways(b, rows);
	bench_out_pack(b, rows, shape->name);
	bench_pack_clear();
	return bad;
}

static int bench_pack_sweep(struct bench *b, size_t bytes)
{
	int bad = 0;

	for (size_t s = 0; s < sizeof(shapes) / sizeof(*shapes); s++)
		bad |= bench_pack_measure(b, &shapes[s], bytes);
	return bad;
}

const struct bench_test bench_pack_tests[] = {{.name = "pack",
					       .kind = BENCH_PACK,
					       .min = 2048,
					       .max = 1 << 22,
					       .sweep = bench_pack_sweep},
					      {.name = NULL}};
