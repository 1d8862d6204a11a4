/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll.c compares collectives with a plain reference: every operation on every
 * type it takes, many sizes, every root, in place or not, on several
 * communicators. Inputs are small whole numbers, so that every order of adding
 * gives the same bits in floating point as well.
 *
 *   coll [--max-count N] [--in-turn] [NAME..]
 * NAME: barrier, bcast, reduce, allreduce. --in-turn: one operation for each
 * type, each in its turn, where a CPU is slow.
 */
#include <complex.h>
#include <stdint.h>

#include "tests/system/api.h"

int me, np, api_failures;

/* A type holds a number in one of these forms. */
enum kind { INTEGER, REAL, COMPLEX, BOOLEAN, RAW };
struct type {
	struct mrt_type *handle;
	const char *name;
	enum kind kind;
	void (*put)(void *at, size_t k, long v);
	long (*get)(const void *at, size_t k);
};

#define ACCESS(name, ctype)                                                    \
	static void put_##name(void *at, size_t k, long v)                     \
	{                                                                      \
		((ctype *)at)[k] = (ctype)v;                                   \
	}                                                                      \
	static long get_##name(const void *at, size_t k)                       \
	{                                                                      \
		return (long)((const ctype *)at)[k];                           \
	}
#define TYPES(X)                                                               \
	X(SHORT, INTEGER, short)                                               \
	X(INT, INTEGER, int)                                                   \
	X(LONG, INTEGER, long)                                                 \
	X(LONG_LONG, INTEGER, long long)                                       \
	X(UNSIGNED_SHORT, INTEGER, unsigned short)                             \
	X(UNSIGNED, INTEGER, unsigned)                                         \
	X(UNSIGNED_LONG, INTEGER, unsigned long)                               \
	X(UNSIGNED_LONG_LONG, INTEGER, unsigned long long)                     \
	X(FLOAT, REAL, float)                                                  \
	X(DOUBLE, REAL, double)                                                \
	X(LONG_DOUBLE, REAL, long double)                                      \
	X(FLOAT_COMPLEX, COMPLEX, float complex)                               \
	X(DOUBLE_COMPLEX, COMPLEX, double complex)                             \
	X(LONG_DOUBLE_COMPLEX, COMPLEX, long double complex)                   \
	X(BOOL, BOOLEAN, _Bool)                                                \
	X(BYTE, RAW, unsigned char)                                            \
	X(CHAR, INTEGER, char)                                                 \
	X(SIGNED_CHAR, INTEGER, signed char)                                   \
	X(UNSIGNED_CHAR, INTEGER, unsigned char)                               \
	X(INT8, INTEGER, int8_t)                                               \
	X(UINT8, INTEGER, uint8_t)                                             \
	X(INT16, INTEGER, int16_t)                                             \
	X(UINT16, INTEGER, uint16_t)                                           \
	X(INT32, INTEGER, int32_t)                                             \
	X(UINT32, INTEGER, uint32_t)                                           \
	X(INT64, INTEGER, int64_t)                                             \
	X(UINT64, INTEGER, uint64_t)
#define ONE_ACCESS(name, kind, ctype) ACCESS(name, ctype)
TYPES(ONE_ACCESS)
#define ONE_TYPE(name, kind, ctype)                                            \
	{MRT_##name, #name, kind, put_##name, get_##name},
static const struct type types[] = {TYPES(ONE_TYPE)};
enum { N_TYPES = sizeof(types) / sizeof(types[0]) };

/* The operations on whole numbers, and the kinds that take them (mrt.h). */
static const struct op {
	struct mrt_op *handle;
	const char *name;
	unsigned kinds;
} ops[] = {
    {MRT_SUM, "SUM", 1 << INTEGER | 1 << REAL | 1 << COMPLEX},
    {MRT_PROD, "PROD", 1 << INTEGER | 1 << REAL | 1 << COMPLEX},
    {MRT_MIN, "MIN", 1 << INTEGER | 1 << REAL},
    {MRT_MAX, "MAX", 1 << INTEGER | 1 << REAL},
    {MRT_LAND, "LAND", 1 << INTEGER | 1 << BOOLEAN},
    {MRT_LOR, "LOR", 1 << INTEGER | 1 << BOOLEAN},
    {MRT_LXOR, "LXOR", 1 << INTEGER | 1 << BOOLEAN},
    {MRT_BAND, "BAND", 1 << INTEGER | 1 << RAW},
    {MRT_BOR, "BOR", 1 << INTEGER | 1 << RAW},
    {MRT_BXOR, "BXOR", 1 << INTEGER | 1 << RAW},
};
enum { N_OPS = sizeof(ops) / sizeof(ops[0]) };

static long apply(const struct op *op, long a, long b)
{
	switch ((uintptr_t)op->handle) {
	case 0x21:
		return a + b;
	case 0x22:
		return a < b ? a : b;
	case 0x23:
		return a > b ? a : b;
	case 0x24:
		return a * b;
	case 0x28:
		return a & b;
	case 0x29:
		return a | b;
	case 0x2a:
		return a ^ b;
	case 0x30:
		return a && b;
	case 0x31:
		return a || b;
	default:
		return !a != !b;
	}
}

/* Returns the input of a rank. Inputs are small, so that products of 8 ranks
 * stay below 127. */
static long input(const struct op *op, const struct type *t, int rank, size_t k)
{
	unsigned h = ((unsigned)rank * 2654435761u) ^
		     ((unsigned)k * 2246822519u + 12345);

	h ^= h >> 15;
	if (t->kind == BOOLEAN)
		return h % 2;
	if (op->handle == MRT_PROD)
		return rank % 2 || rank > 8 ? 1 : 1 + (long)(h % 3);
	return (long)(h % 8);
}

static void check_result(const struct op *op, const struct type *t,
			 const void *got, size_t count, int size)
{
	for (size_t k = 0; k < count; k++) {
		long want = input(op, t, 0, k);
		_Alignas(16) char one[32];

		for (int r = 1; r < size; r++)
			want = apply(op, want, input(op, t, r, k));
		t->put(one, 0, want); /* overflows as the type does */
		want = t->get(one, 0);
		if (t->get(got, k) != want) {
			fprintf(stderr,
				"rank %d: %s of %s, element %zu of "
				"%zu: %ld, not %ld\n",
				me, op->name, t->name, k, count, t->get(got, k),
				want);
			api_failures++;
			return;
		}
	}
}

static void one_reduction(const struct op *op, const struct type *t,
			  size_t count, struct mrt_comm *comm, int root,
			  bool in_place)
{
	size_t size = mrt_type_size(t->handle);
	char *in = malloc((count + 1) * size),
	     *out = malloc((count + 1) * size);
	int rank = mrt_rank(comm);
	bool has_result = root < 0 || rank == root;
	const void *from = in;

	in_place = in_place && has_result;
	for (size_t k = 0; k < count; k++)
		t->put(in_place ? out : in, k, input(op, t, rank, k));
	memset(out + count * size, 0x5c, size);
	if (in_place)
		from = MRT_IN_PLACE;
	if (root < 0)
		OK(mrt_allreduce(from, out, count, t->handle, op->handle,
				 comm));
	else
		OK(mrt_reduce(from, has_result ? out : NULL, count, t->handle,
			      op->handle, root, comm));
	if (has_result)
		check_result(op, t, out, count, mrt_size(comm));
	for (size_t k = 0; k < size; k++)
		CHECK(out[count * size + k] == 0x5c);
	free(in);
	free(out);
}

static size_t max_count = 100000;
static bool in_turn;
static const size_t counts[] = {0,    1,    2,	  3,	 5,	6,   7,
				8,    9,    16,	  31,	 100,	511, 1024,
				1025, 3000, 9973, 65536, 100000};
enum { N_COUNTS = sizeof(counts) / sizeof(counts[0]) };

static bool takes(int op, int type)
{
	return ops[op].kinds >> types[type].kind & 1;
}

/* Returns whether --in-turn tries this operation on this type. Each type has
 * one of those that it takes, by its number, so that all have their turn. */
static bool is_turn(int op, int type)
{
	int before = 0, all = 0;

	for (int o = 0; o < N_OPS; o++) {
		all += takes(o, type);
		before += o < op && takes(o, type);
	}
	return before == type % all;
}

/* Tries every operation and type at a few counts, and two of them at every
 * count. */
static void reductions(struct mrt_comm *comm, bool to_all)
{
	int size = mrt_size(comm);

	for (int o = 0; o < N_OPS; o++) {
		for (int t = 0; t < N_TYPES; t++) {
			int root = to_all ? -1 : (o + t) % size;

			if (!takes(o, t) || (in_turn && !is_turn(o, t)))
				continue;
			one_reduction(&ops[o], &types[t], 1, comm, root, false);
			one_reduction(&ops[o], &types[t], 37, comm, root, true);
			one_reduction(&ops[o], &types[t], 1300, comm, root,
				      false);
		}
	}
	for (int c = 0; c < N_COUNTS; c++) {
		if (counts[c] > max_count)
			break;
		for (int root = 0; root < (to_all ? 1 : size); root++) {
			int at = to_all ? -1 : root;

			one_reduction(&ops[0], &types[1], counts[c], comm, at,
				      c % 2);
			one_reduction(&ops[3], &types[9], counts[c], comm, at,
				      !(c % 2));
		}
	}
}

static void test_allreduce(struct mrt_comm *comm)
{
	reductions(comm, true);
}

static void test_reduce(struct mrt_comm *comm)
{
	reductions(comm, false);
}

static void test_bcast(struct mrt_comm *comm)
{
	int size = mrt_size(comm), rank = mrt_rank(comm);

	for (int c = 0; c < N_COUNTS; c++) {
		size_t n = counts[c];

		if (n > max_count)
			break;
		for (int root = 0; root < size; root++) {
			int *x = malloc((n + 1) * sizeof(int)), bad = 0;

			for (size_t k = 0; k <= n; k++)
				x[k] = rank == root ? root * 1000 + (int)k : -1;
			OK(mrt_bcast(x, n, MRT_INT, root, comm));
			for (size_t k = 0; k < n; k++)
				bad += x[k] != root * 1000 + (int)k;
			bad += rank != root && x[n] != -1;
			CHECK(bad == 0);
			free(x);
		}
	}
}

/* Checks by the clocks of all ranks that no rank leaves a barrier before all
 * are in it. */
static void test_barrier(struct mrt_comm *comm)
{
	double in, out, first_out, last_in;

	for (int k = 0; k < 300; k++) {
		if (k % 7 == mrt_rank(comm) % 7)
			for (volatile int spin = 0; spin < 20000; spin++)
				;
		in = mrt_wtime();
		OK(mrt_barrier(comm));
		out = mrt_wtime();
		if (k % 10)
			continue;
		OK(mrt_allreduce(&in, &last_in, 1, MRT_DOUBLE, MRT_MAX, comm));
		OK(mrt_allreduce(&out, &first_out, 1, MRT_DOUBLE, MRT_MIN,
				 comm));
		/* the clocks of two nodes cannot be compared */
		CHECK(first_out >= last_in || mrt_node_size() < np);
	}
}

static const struct {
	const char *name;
	void (*run)(struct mrt_comm *comm);
} cases[] = {{"barrier", test_barrier},
	     {"bcast", test_bcast},
	     {"reduce", test_reduce},
	     {"allreduce", test_allreduce}};

/* Runs a case on world, its reverse, halves, and self. */
static void run_case(int c)
{
	struct mrt_comm *back, *half;
	int all;

	api_failures = 0;
	OK(mrt_comm_split(W, 0, -me, &back));
	OK(mrt_comm_split(W, me % 2, 0, &half));
	cases[c].run(W);
	cases[c].run(back);
	cases[c].run(half);
	cases[c].run(MRT_COMM_SELF);
	OK(mrt_comm_free(&back));
	OK(mrt_comm_free(&half));
	for (int r = 1; r < np; r++) {
		if (me == r)
			OK(mrt_send(&api_failures, 1, MRT_INT, 0, 1, W));
		if (me == 0) {
			OK(mrt_recv(&all, 1, MRT_INT, r, 1, W, NULL));
			api_failures += all;
		}
	}
	if (me == 0)
		printf("%sok - %s\n", api_failures ? "not " : "",
		       cases[c].name);
	fflush(stdout);
}

static bool named(const char *name, char **names, char **end)
{
	while (names < end)
		if (!strcmp(*names++, name))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	char **names = argv, **end = argv; /* the cases asked for; none: all */
	int failed = 0;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--max-count") && i + 1 < argc)
			max_count = (size_t)atol(argv[++i]);
		else if (!strcmp(argv[i], "--in-turn"))
			in_turn = true;
		else
			*end++ = argv[i];
	}
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	if (mrt_init(&argc, &argv))
		return 1;
	me = mrt_rank(W);
	np = mrt_size(W);
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		if (names < end && !named(cases[c].name, names, end))
			continue;
		run_case((int)c);
		failed |= api_failures != 0;
	}
	return mrt_finalize() || failed;
}
