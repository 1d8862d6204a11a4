/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trial_reduce.c has the trials of reductions, on elements of 64 bits, with
 * predefined operations and users' operations. One of the latter does not
 * commute: affine maps x -> a x + b, with a in the upper half of the word and b
 * in the lower, composed in the order of ranks.
 */
#include "tests/system/trial.h"

struct mrt_op *trial_affine, *trial_user_xor;

/* ---- Operations --------------------------------------------------------- */

static uint64_t affine(uint64_t first, uint64_t then)
{
	uint32_t a = (uint32_t)(first >> 32), b = (uint32_t)first;
	uint32_t c = (uint32_t)(then >> 32), d = (uint32_t)then;

	return (uint64_t)(a * c) << 32 | (uint32_t)(b * c + d);
}

static uint64_t sum(uint64_t a, uint64_t b)
{
	return a + b;
}

static uint64_t largest(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t exclusive_or(uint64_t a, uint64_t b)
{
	return a ^ b;
}

/* The context of a user's operation is the function on one element. */
typedef uint64_t element_fn(uint64_t, uint64_t);

static void user_op(const void *in, void *inout, size_t count,
		    struct mrt_type *type, void *context)
{
	element_fn *fn = *(element_fn **)context;
	const uint64_t *a = in;
	uint64_t *b = inout;

	CHECK(type == MRT_UINT64);
	for (size_t k = 0; k < count; k++)
		b[k] = fn(a[k], b[k]);
}

static element_fn *affine_fn = affine, *xor_fn = exclusive_or;

void trial_ops_create(void)
{
	OK(mrt_op_create(user_op, &affine_fn, 0, &trial_affine));
	OK(mrt_op_create(user_op, &xor_fn, 1, &trial_user_xor));
}

void trial_ops_free(void)
{
	OK(mrt_op_free(&trial_affine));
	OK(mrt_op_free(&trial_user_xor));
	CHECK(trial_affine == MRT_OP_NULL);
}

static element_fn *draw_op(struct trial *t)
{
	t->type = MRT_UINT64;
	switch (trial_hash(t->seed, 20, 0) % 5) {
	case 0:
		t->op = MRT_SUM;
		return sum;
	case 1:
		t->op = MRT_MAX;
		return largest;
	case 2:
		t->op = trial_user_xor;
		return exclusive_or;
	default:
		t->op = trial_affine;
		return affine;
	}
}

/* ---- What comes in and out ---------------------------------------------- */

static uint64_t input(const struct trial *t, int rank, size_t k)
{
	return trial_hash(t->seed, 30 + (uint64_t)rank, k);
}

static void put(char *at, size_t k, uint64_t v)
{
	memcpy(at + k * 8, &v, 8);
}

/* A result says what is defined in the buffers: the input has `all` elements;
 * recv has elements at .. at + count - 1 of the result of ranks 0 .. last, none
 * if last < 0. */
struct result {
	size_t all, at, count;
	int last;
};

static void draw_reduction(struct trial *t, struct result r)
{
	element_fn *fn = draw_op(t);

	trial_room(t, t->in_place ? 0 : r.all * 8,
		   (t->in_place ? r.all : r.count) * 8);
	t->compared = r.count * 8;
	for (size_t k = 0; k < r.all; k++) {
		put(t->in_place ? t->before[1] : t->before[0], k,
		    input(t, t->rank, k));
		put(t->in_place ? t->after[1] : t->after[0], k,
		    input(t, t->rank, k));
	}
	for (size_t k = 0; k < r.count && r.last >= 0; k++) {
		uint64_t v = input(t, 0, r.at + k);

		for (int q = 1; q <= r.last; q++)
			v = fn(v, input(t, q, r.at + k));
		put(t->after[1], k, v);
	}
	if (t->in_place)
		t->send = MRT_IN_PLACE;
}

static void draw_reduce(struct trial *t)
{
	bool root = t->rank == t->root;

	t->in_place &= root;
	draw_reduction(
	    t, (struct result){t->count, 0, root ? t->count : 0, t->size - 1});
}

static void draw_allreduce(struct trial *t)
{
	draw_reduction(t, (struct result){t->count, 0, t->count, t->size - 1});
}

static void draw_scan(struct trial *t)
{
	draw_reduction(t, (struct result){t->count, 0, t->count, t->rank});
}

static void draw_exscan(struct trial *t)
{
	draw_reduction(t, (struct result){t->count, 0, t->count, t->rank - 1});
}

static void draw_reduce_scatter_block(struct trial *t)
{
	draw_reduction(t, (struct result){(size_t)t->size * t->count,
					  (size_t)t->rank * t->count, t->count,
					  t->size - 1});
}

static void draw_reduce_scatter(struct trial *t)
{
	struct result r = {0, 0, 0, t->size - 1};
	size_t *counts = calloc((size_t)t->size, sizeof(*counts));

	for (int q = 0; q < t->size; q++) {
		uint64_t h = trial_hash(t->seed, 40, (uint64_t)q);

		counts[q] = h % 4 ? (h >> 8) % (t->count + 1) : 0;
		if (q == t->rank)
			r.at = r.all;
		r.all += counts[q];
	}
	r.count = counts[t->rank];
	t->from.counts = counts;
	t->from.n = t->size;
	draw_reduction(t, r);
}

/* ---- Calls -------------------------------------------------------------- */

#define CALL(name, ...)                                                        \
	static int call_##name(struct trial *t, enum form form)                \
	{                                                                      \
		return TRIAL_CALL(t, form, name, t->send, t->recv,             \
				  __VA_ARGS__, t->comm);                       \
	}
CALL(reduce, t->count, t->type, t->op, t->root)
CALL(allreduce, t->count, t->type, t->op)
CALL(scan, t->count, t->type, t->op)
CALL(exscan, t->count, t->type, t->op)
CALL(reduce_scatter_block, t->count, t->type, t->op)
CALL(reduce_scatter, t->from.counts, t->type, t->op)

#define KIND(name)                                                             \
	{                                                                      \
#name, draw_##name, call_##name                                \
	}
const struct trial_kind trial_reductions[] = {
    KIND(reduce),	  KIND(allreduce), KIND(reduce_scatter_block),
    KIND(reduce_scatter), KIND(scan),	   KIND(exscan),
    {NULL, NULL, NULL}};
