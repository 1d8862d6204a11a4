/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_parts.c: reductions of long vectors by messages, which a rank reduces
 * part by part while they come (MRT_COLL_DIRECT=no): of elements of 1 to 16
 * bytes, that are divided between parts or are not, by operations that are not
 * commutative, from memory that the peer maps, reads or is sent.
 */
#include "tests/system/api.h"

int me, np, api_failures;

enum { LONGEST = 3 << 20, ODD = 12 };

static unsigned char *in, *out;

/* The byte i of what a rank contributes. */
static unsigned char byte(int rank, size_t i)
{
	return (unsigned char)(i * 31 + i / 4096 * 7 + (size_t)rank * 101);
}

static void fill(size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		in[i] = byte(me, i);
	memset(out, 0x5a, bytes);
}

/* Checks that out has the sum of all ranks' bytes, or their exclusive or. */
static void check(size_t bytes, bool sum)
{
	bool good = true;

	for (size_t i = 0; i < bytes; i++) {
		unsigned all = 0;

		for (int r = 0; r < np; r++)
			all = sum ? all + byte(r, i) : all ^ byte(r, i);
		good &= out[i] == (unsigned char)all;
	}
	CHECK(good);
}

/* Reduces that many bytes of one type by exclusive or, which any division of
 * the bytes must leave the same. */
static void xors(struct mrt_type *type, size_t size, size_t bytes)
{
	struct mrt_request *request;

	fill(bytes);
	OK(mrt_iallreduce(in, out, bytes / size, type, MRT_BXOR, W, &request));
	OK(mrt_wait(&request, MRT_STATUS_IGNORE));
	check(bytes / size * size, false);
}

static void test_sizes(void)
{
	static const size_t lengths[] = {9000, 65536, 300003, LONGEST};

	for (int k = 0; k < 4; k++) {
		xors(MRT_UINT8, 1, lengths[k]);
		xors(MRT_UINT16, 2, lengths[k]);
		xors(MRT_UINT64, 8, lengths[k]);
	}
}

/* A function x -> a x + b modulo 2^32; their composition does not commute. */
struct map {
	unsigned a, b;
};

static void compose(const void *left, void *right, size_t count,
		    struct mrt_type *type, void *context)
{
	const struct map *l = left;
	struct map *r = right;

	(void)type;
	(void)context;
	for (size_t i = 0; i < count; i++)
		r[i] = (struct map){l[i].a * r[i].a, l[i].b * r[i].a + r[i].b};
}

static struct map map_of(int rank, size_t i)
{
	return (struct map){(unsigned)(2 * i + 3) * 2654435761u +
				2 * (unsigned)rank,
			    (unsigned)i * 40503u + (unsigned)rank * 97u};
}

static void test_order(void)
{
	size_t n = LONGEST / sizeof(struct map);
	struct map *mine = (void *)in, *all = (void *)out;
	struct mrt_type *pair;
	struct mrt_op *op;
	bool good = true;

	OK(mrt_type_contiguous(2, MRT_UINT32, &pair));
	OK(mrt_type_commit(pair));
	OK(mrt_op_create(compose, NULL, 0, &op));
	for (size_t i = 0; i < n; i++)
		mine[i] = map_of(me, i);
	OK(mrt_allreduce(mine, all, n, pair, op, W));
	for (size_t i = 0; i < n; i++) {
		struct map sum = map_of(np - 1, i);

		for (int r = np - 2; r >= 0; r--) {
			struct map left = map_of(r, i);

			compose(&left, &sum, 1, pair, NULL);
		}
		good &= all[i].a == sum.a && all[i].b == sum.b;
	}
	CHECK(good);
	OK(mrt_op_free(&op));
	OK(mrt_type_free(&pair));
}

/* Adds elements of ODD bytes, which parts would divide. */
static void add_odd(const void *left, void *right, size_t count,
		    struct mrt_type *type, void *context)
{
	const unsigned char *l = left;
	unsigned char *r = right;

	(void)type;
	(void)context;
	for (size_t i = 0; i < count * ODD; i++)
		r[i] = (unsigned char)(r[i] + l[i]);
}

static void test_odd(void)
{
	size_t n = LONGEST / ODD;
	struct mrt_type *odd;
	struct mrt_op *op;

	OK(mrt_type_contiguous(ODD, MRT_UINT8, &odd));
	OK(mrt_type_commit(odd));
	OK(mrt_op_create(add_odd, NULL, 1, &op));
	fill(n * ODD);
	OK(mrt_allreduce(in, out, n, odd, op, W));
	check(n * ODD, true);
	OK(mrt_op_free(&op));
	OK(mrt_type_free(&odd));
}

static const struct api_case cases[] = {
    {"elements of 1 to 8 bytes", test_sizes},
    {"pairs, in the order of ranks", test_order},
    {"elements of 12 bytes", test_odd},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	bool mapped = argc > 1 && !strcmp(argv[1], "mapped");
	void *heap[2] = {NULL, NULL};

	OK(mrt_init(&argc, &argv));
	me = mrt_rank(W);
	np = mrt_size(W);
	for (int k = 0; k < 2; k++)
		if (mapped)
			OK(mrt_alloc(LONGEST, &heap[k]));
		else
			heap[k] = malloc(LONGEST);
	in = heap[0];
	out = heap[1];
	api_run(cases);
	for (int k = 0; k < 2; k++)
		if (mapped)
			OK(mrt_free(heap[k]));
		else
			free(heap[k]);
	OK(mrt_finalize());
	return api_failures != 0;
}
