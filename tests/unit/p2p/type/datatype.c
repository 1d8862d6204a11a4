/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datatype.c: tests types against their maps (type_tree.h): bounds, packing
 * whole, in parts and in pieces, unpacking, elements, and what they tell of
 * themselves.
 */
#include "p2p/type/datatype.h"

#include <malloc.h>
#include <sys/uio.h>

#include "p2p/type/layout.h"
#include "p2p/type/type_elements.h"
#include "tests/tap.h"
#include "tests/unit/p2p/type/type_tree.h"

enum { TREES = 2500, COUNT_MAX = 3 };

static int wrong;

static void check(bool good, const char *what)
{
	if (!good && wrong++ < 10)
		printf("# %s\n", what);
}

static void check_bounds(struct mrt_type *type, const struct map *m)
{
	ptrdiff_t lb, extent, want_lb, want_extent;

	map_bounds(m, &want_lb, &want_extent);
	mrt_type_extent(type, &lb, &extent);
	check(lb == want_lb && extent == want_extent, "bounds");
	map_true_bounds(m, &want_lb, &want_extent);
	mrt_type_true_extent(type, &lb, &extent);
	check(lb == want_lb && extent == want_extent, "true bounds");
	check(mrt_type_size(type) == map_size(m), "size");
}

/* ---- Bytes --------------------------------------------------------------- */

/* Some elements in memory, with room for all that they reach. */
struct area {
	size_t count, bytes; /* elements; of their packed form */
	char *memory;
	size_t length;
	char *buf;     /* in memory */
	ptrdiff_t *at; /* [bytes] from buf, in order */
};

static struct area make_area(const struct map *m, size_t count)
{
	struct area a = {.count = count, .bytes = count * map_size(m)};
	ptrdiff_t lb, extent, low = 0, high = 0;
	size_t k = 0;

	map_bounds(m, &lb, &extent);
	a.at = malloc((a.bytes + 1) * sizeof(*a.at));
	for (size_t c = 0; c < count; c++)
		for (size_t i = 0; i < m->n; i++)
			for (size_t j = 0; j < m->entry[i].size; j++)
				a.at[k++] = m->entry[i].at + (ptrdiff_t)j +
					    (ptrdiff_t)c * extent;
	for (size_t i = 0; i < a.bytes; i++) {
		low = a.at[i] < low ? a.at[i] : low;
		high = a.at[i] > high ? a.at[i] : high;
	}
	a.length = (size_t)(high - low + 1);
	a.memory = malloc(a.length);
	a.buf = a.memory - low;
	for (size_t i = 0; i < a.length; i++)
		a.memory[i] = (char)below(256);
	return a;
}

static void free_area(struct area *a)
{
	free(a->at);
	free(a->memory);
}

static void check_range(const struct mrt_type *t, const struct area *a,
			size_t at, size_t len)
{
	char *got = malloc(len + 1);
	bool good = true;

	got[len] = 77;
	type_pack(t, a->buf, at, len, got);
	for (size_t i = 0; i < len; i++)
		good = good && got[i] == a->buf[a->at[at + i]];
	check(good, "pack");
	check(got[len] == 77, "pack writes beyond");
	free(got);
}

static void check_back(const struct mrt_type *t, struct area *a, size_t at,
		       size_t len)
{
	char *in = malloc(len + 1), *want = malloc(a->length);
	ptrdiff_t begin = a->buf - a->memory;

	for (size_t i = 0; i < len; i++)
		in[i] = (char)below(256);
	memcpy(want, a->memory, a->length);
	for (size_t i = 0; i < len; i++)
		want[begin + a->at[at + i]] = in[i];
	type_unpack(t, a->buf, at, len, in);
	check(!memcmp(want, a->memory, a->length), "unpack");
	memcpy(a->memory, want, a->length);
	free(in);
	free(want);
}

static void check_list(const struct mrt_type *t, const struct area *a)
{
	size_t n = type_iov_len(t, a->count), k = 0;
	struct iovec *iov = malloc((n + 1) * sizeof(*iov));
	bool good = true;

	type_iov(t, a->buf, a->count, iov);
	for (size_t i = 0; i < n; i++) {
		good = good && iov[i].iov_len;
		for (size_t j = 0; j < iov[i].iov_len && good; j++, k++)
			good = k < a->bytes &&
			       (char *)iov[i].iov_base + j == a->buf + a->at[k];
	}
	check(good && k == a->bytes, "list of pieces");
	free(iov);
}

static void check_bytes(struct mrt_type *type, const struct map *m)
{
	const struct mrt_type *t = type_get(type);

	for (size_t count = 0; count <= COUNT_MAX; count++) {
		struct area a = make_area(m, count);

		check_range(t, &a, 0, a.bytes);
		check_list(t, &a);
		check_back(t, &a, 0, a.bytes);
		for (int i = 0; i < 12 && a.bytes; i++) {
			size_t at = below(a.bytes);
			size_t len = below(a.bytes - at + 1);

			check_range(t, &a, at, len);
			check_back(t, &a, at, len);
		}
		free_area(&a);
	}
}

static void check_dense(struct mrt_type *type, const struct map *m)
{
	struct area a = make_area(m, COUNT_MAX);
	bool dense = true;

	for (size_t i = 0; i < a.bytes; i++)
		dense = dense && a.at[i] == (ptrdiff_t)i;
	check(!type_get(type)->dense || (dense && a.bytes), "dense");
	check(type_get(type)->dense == !!type_get_dense(type), "dense handles");
	free_area(&a);
}

/* ---- Elements ------------------------------------------------------------ */

static void check_elements(struct mrt_type *type, const struct map *m)
{
	struct mrt_status status = {.source = 0};
	size_t bytes = 0, n;

	if (!m->n)
		return;
	for (size_t k = 0; k < 2 * m->n; k++) {
		status.bytes = bytes;
		check(!mrt_get_elements(&status, type, &n) && n == k,
		      "elements");
		check(!mrt_set_elements(&status, type, k) &&
			  status.bytes == bytes,
		      "bytes of elements");
		status.bytes = bytes + m->entry[k % m->n].size / 2;
		if (status.bytes != bytes)
			check(mrt_get_elements(&status, type, &n) ==
				  MRT_ERR_TYPE,
			      "part of an element");
		bytes += m->entry[k % m->n].size;
	}
}

static size_t extern_sum;

static void sum_up(void *context, const struct mrt_type *basic, size_t n)
{
	*(size_t *)context += n * basic->elements;
	extern_sum += n * basic->size;
}

static void check_basics(struct mrt_type *type, const struct map *m)
{
	size_t n = 0;

	extern_sum = 0;
	type_each_basic(type_get(type), 2, sum_up, &n);
	check(n == 2 * m->n && extern_sum == 2 * map_size(m), "basic types");
}

/* ---- Trees --------------------------------------------------------------- */

static void check_all(struct mrt_type *type, const struct map *m)
{
	check_bounds(type, m);
	check_bytes(type, m);
	check_dense(type, m);
	check_elements(type, m);
	check_basics(type, m);
}

static void trees(int depth)
{
	wrong = 0;
	for (unsigned long seed = 1; seed <= TREES; seed++) {
		struct mrt_type *type, *again;
		struct map *m;
		int before = wrong;

		tree_seed = seed * 1000 + (unsigned long)depth;
		type = tree_make(depth, &m);
		mrt_type_commit(type);
		check_all(type, m);
		again = tree_remake(type);
		tree_free(type);
		mrt_type_commit(again);
		check_bounds(again, m);
		check_bytes(again, m);
		tree_free(again);
		free(m);
		if (wrong > before && before < 10)
			printf("# depth %d, seed %lu\n", depth, seed);
	}
	ok(!wrong, "%d random types, at most %d deep", TREES, depth);
}

/* ---- Layouts ------------------------------------------------------------- */

static void layouts(void)
{
	enum { N = 1000 };
	static ptrdiff_t displs[N];
	struct mrt_type *t, *u;

	mrt_type_vector(1000000, 1, 2, MRT_DOUBLE, &t);
	ok(type_get(t)->region.layout &&
	       type_get(t)->region.layout->form == LAYOUT_LOOP &&
	       !type_get(t)->region.layout->each.layout,
	   "a vector of a million blocks is one loop");
	mrt_type_contiguous(3, t, &u);
	is_int(type_iov_len(type_get(u), 1), 3000000, "three of them");
	mrt_type_free(&t);
	mrt_type_free(&u);
	mrt_type_vector(10, 4, 4, MRT_INT, &t);
	mrt_type_commit(t);
	ok(type_get(t)->dense, "a vector without gaps is dense");
	mrt_type_free(&t);
	for (int i = 0; i < N; i++)
		displs[i] = 3 * i;
	mrt_type_indexed_block(N, 1, displs, MRT_INT, &t);
	ok(type_get(t)->region.layout->form == LAYOUT_LOOP,
	   "regular blocks are a loop");
	mrt_type_free(&t);
	displs[N - 1]++;
	mrt_type_indexed_block(N, 1, displs, MRT_INT, &t);
	ok(type_get(t)->region.layout->form == LAYOUT_RUNS &&
	       type_get(t)->region.layout->count == N &&
	       !type_get(t)->region.layout->start,
	   "others are as many displacements");
	mrt_type_free(&t);
	for (int i = 0; i < N; i++)
		displs[i] = i;
	mrt_type_indexed_block(N, 1, displs, MRT_INT, &t);
	ok(!type_get(t)->region.layout, "blocks that touch are one run");
	mrt_type_free(&t);
}

/* ---- Life, and what is wrong --------------------------------------------- */

static void life(void)
{
	struct mrt_type *t, *u, *v, *parts[1];
	ptrdiff_t values[3];
	int x;

	mrt_type_vector(2, 1, 2, MRT_INT, &t);
	ok(!type_get(t)->committed && !type_get_dense(t), "not committed");
	mrt_type_set_data(t, &x);
	mrt_type_set_form(t, 7);
	mrt_type_contiguous(2, t, &u);
	ok(!mrt_type_data(u) && !mrt_type_form(u), "a type starts without");
	ok(!mrt_type_contents(u, 3, 1, values, parts), "contents");
	ok(parts[0] != t && !mrt_type_data(parts[0]) &&
	       mrt_type_form(parts[0]) == 7,
	   "a part is a new type");
	ok(!mrt_type_free(&t) && t == MRT_TYPE_NULL, "freed");
	mrt_type_commit(u);
	mrt_type_dup(u, &v);
	ok(type_get(v)->committed, "a copy of a committed type is");
	mrt_type_free(&u);
	is_int(mrt_type_size(v), 16, "a copy outlives its original");
	mrt_type_free(&v);
	is_int(mrt_type_size(parts[0]), 8, "and so does a part");
	mrt_type_free(&parts[0]);
	mrt_type_set_data(MRT_INT, &x);
	ok(mrt_type_data(MRT_INT) == &x && !mrt_type_data(MRT_LONG),
	   "data of a predefined type");
	mrt_type_set_data(MRT_INT, NULL);
}

static void wrong_calls(void)
{
	struct mrt_type *t = NULL, *null = MRT_TYPE_NULL, *i = MRT_INT;
	const size_t length = (size_t)-1, size = 4, start = 3;
	const ptrdiff_t at = 0;
	size_t n, position = 0;
	char buf[64];

	is_int(mrt_type_contiguous((size_t)-1, i, &t), MRT_ERR_COUNT,
	       "a negative count");
	is_int(mrt_type_contiguous(1, null, &t), MRT_ERR_TYPE, "a null type");
	is_int(mrt_type_indexed(1, &length, &at, i, &t), MRT_ERR_COUNT,
	       "a negative length");
	is_int(mrt_type_hvector(1ul << 40, 1, 1l << 40, i, &t), MRT_ERR_COUNT,
	       "more than the address space");
	is_int(mrt_type_subarray(1, &size, &size, &start, MRT_ORDER_C, i, &t),
	       MRT_ERR_ARG, "a part that reaches beyond its array");
	is_int(mrt_type_struct(1, NULL, &at, &i, &t), MRT_ERR_ARG,
	       "no lengths");
	ok(!t, "nothing came of all these");
	is_int(mrt_type_free(&i), MRT_ERR_TYPE, "free of a predefined type");
	is_int(mrt_type_free(&null), MRT_ERR_TYPE, "free of none");
	is_int(mrt_pack(buf, 3, MRT_INT, buf + 32, 11, &position),
	       MRT_ERR_TRUNCATE, "no room to pack");
	mrt_type_contiguous(3, MRT_INT, &t);
	is_int(mrt_pack(buf, 1, t, buf + 32, 32, &position), MRT_ERR_TYPE,
	       "pack of a type that is not committed");
	is_int(mrt_pack_size((size_t)-1, t, &n), MRT_ERR_COUNT,
	       "the packed size of a negative count");
	mrt_type_free(&t);
}

/* ---- Memory -------------------------------------------------------------- */

/* The linker has the library call these: bytes that are allocated, and the most
 * there have been. */
static ptrdiff_t held, most;

void *__real_malloc(size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *block);

static void *block_held(void *block)
{
	held += (ptrdiff_t)malloc_usable_size(block);
	most = held > most ? held : most;
	return block;
}

void *__wrap_malloc(size_t size)
{
	return block_held(__real_malloc(size));
}

void *__wrap_realloc(void *old, size_t size)
{
	held -= (ptrdiff_t)malloc_usable_size(old);
	return block_held(__real_realloc(old, size));
}

void __wrap_free(void *block)
{
	held -= (ptrdiff_t)malloc_usable_size(block);
	__real_free(block);
}

/* A type keeps a length and a displacement twice, as it was made and as its
 * layout, and its construction takes not much more. Blocks that are alike share
 * what describes one of them. */
static void memory(void)
{
	enum { N = 100000 };
	size_t *lengths = malloc(N * sizeof(*lengths));
	ptrdiff_t *displs = malloc(N * sizeof(*displs)), at = 0, before;
	struct mrt_type *t, *part;

	for (int i = 0; i < N; i++) {
		lengths[i] = 1 + below(3);
		displs[i] = at;
		at += (ptrdiff_t)(lengths[i] + 1 + below(3));
	}
	before = most = held;
	mrt_type_indexed(N, lengths, displs, MRT_DOUBLE, &t);
	ok(most - before <= 36 * N, "an indexed type takes %td bytes a block",
	   (most - before) / N);
	mrt_type_free(&t);
	ok(held == before, "and gives them back");
	mrt_type_vector(3, 1, 2, MRT_INT, &part);
	before = most = held;
	mrt_type_indexed(N, lengths, displs, part, &t);
	ok(most - before <= 48 * N, "of vectors it takes %td bytes a block",
	   (most - before) / N);
	mrt_type_free(&t);
	ok(held == before, "and gives these back");
	mrt_type_free(&part);
	free(lengths);
	free(displs);
}

int main(void)
{
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	for (int depth = 0; depth <= 4; depth++)
		trees(depth);
	layouts();
	life();
	wrong_calls();
	memory();
	return tap_done();
}
