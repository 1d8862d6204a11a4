/* SPDX-License-Identifier: Apache-2.0 */
/*
 * win_ops.c tests accumulates with every predefined operation on every kind of
 * predefined type against operators of C (MPI 4.1, 6.9.2, 6.9.4 and 12.3.4).
 * Values are so small that every order of operations has the same result.
 */
#include "tests/mpi/mpi_test.h"

#include <complex.h>

enum op {
	MAX,
	MIN,
	SUM,
	PROD,
	LAND,
	LOR,
	LXOR,
	BAND,
	BOR,
	BXOR,
	MINLOC,
	MAXLOC
};
enum {
	NUMBERS = 1 << MAX | 1 << MIN | 1 << SUM | 1 << PROD,
	LOGICS = 1 << LAND | 1 << LOR | 1 << LXOR,
	BITS = 1 << BAND | 1 << BOR | 1 << BXOR,
	PLACES = 1 << MINLOC | 1 << MAXLOC
};

static MPI_Op handle_of(enum op op)
{
	const MPI_Op handles[] = {
	    [MAX] = MPI_MAX,   [MIN] = MPI_MIN,	      [SUM] = MPI_SUM,
	    [PROD] = MPI_PROD, [LAND] = MPI_LAND,     [LOR] = MPI_LOR,
	    [LXOR] = MPI_LXOR, [BAND] = MPI_BAND,     [BOR] = MPI_BOR,
	    [BXOR] = MPI_BXOR, [MINLOC] = MPI_MINLOC, [MAXLOC] = MPI_MAXLOC};

	return handles[op];
}

/* ---- What the operations are --------------------------------------------- */

/* Each sort of types has three functions: one stores value k, one combines an
 * element with another, one compares. */
struct sort {
	void (*set)(void *at, int k);
	void (*combine)(enum op op, void *into, const void *with);
	bool (*equal)(const void *a, const void *b);
};

#define SET(T, name, value)                                                    \
	static void set_##name(void *at, int k)                                \
	{                                                                      \
		*(T *)at = value;                                              \
	}                                                                      \
	static bool equal_##name(const void *a, const void *b)                 \
	{                                                                      \
		return *(const T *)a == *(const T *)b;                         \
	}                                                                      \
	static void combine_##name(enum op op, void *into, const void *with);  \
	static const struct sort name = {set_##name, combine_##name,           \
					 equal_##name};                        \
	static void combine_##name(enum op op, void *into, const void *with)

/* Mostly ones and zeros, so that products and bits stay of interest. */
static const int plain[] = {1, 2, 3, 1, 0, 1, 6, 1};

#define INTEGER(T)                                                             \
	SET(T, integer_##T, (T)plain[k & 7])                                   \
	{                                                                      \
		T a = *(T *)into, b = *(const T *)with;                        \
		const T results[] = {                                          \
		    [MAX] = a > b ? a : b, [MIN] = a < b ? a : b,              \
		    [SUM] = (T)(a + b),	   [PROD] = (T)(a * b),                \
		    [LAND] = a && b,	   [LOR] = a || b,                     \
		    [LXOR] = !a != !b,	   [BAND] = a & b,                     \
		    [BOR] = a | b,	   [BXOR] = a ^ b};                    \
                                                                               \
		*(T *)into = results[op];                                      \
	}
INTEGER(int8_t)
INTEGER(uint8_t)
INTEGER(int16_t)
INTEGER(uint16_t)
INTEGER(int32_t)
INTEGER(uint32_t)
INTEGER(int64_t)
INTEGER(uint64_t)

#define FLOATING(T, name)                                                      \
	SET(T, name, (T)(plain[k & 7] - 2.5))                                  \
	{                                                                      \
		T a = *(T *)into, b = *(const T *)with;                        \
		const T results[] = {[MAX] = a > b ? a : b,                    \
				     [MIN] = a < b ? a : b,                    \
				     [SUM] = a + b,                            \
				     [PROD] = a * b};                          \
                                                                               \
		*(T *)into = results[op];                                      \
	}
FLOATING(float, reals)
FLOATING(double, doubles)
FLOATING(long double, long_doubles)

#define COMPLEX(T, R, name)                                                    \
	SET(T, name, (R)(plain[k & 7]) - (R)(k & 1) * (T)I)                    \
	{                                                                      \
		T a = *(T *)into, b = *(const T *)with;                        \
                                                                               \
		*(T *)into = op == SUM ? a + b : a * b;                        \
	}
COMPLEX(float complex, float, complexes)
COMPLEX(double complex, double, double_complexes)
COMPLEX(long double complex, long double, long_double_complexes)

SET(bool, logicals, k & 1)
{
	bool a = *(bool *)into, b = *(const bool *)with;

	*(bool *)into = op == LAND ? a && b : op == LOR ? a || b : a != b;
}

#define PAIR(T, name)                                                          \
	struct name {                                                          \
		T value;                                                       \
		int index;                                                     \
	};                                                                     \
	static void set_##name(void *at, int k)                                \
	{                                                                      \
		((struct name *)at)->value = (T)plain[k & 7];                  \
		((struct name *)at)->index = 100 - k;                          \
	}                                                                      \
	static bool equal_##name(const void *left, const void *right)          \
	{                                                                      \
		const struct name *a = left, *b = right;                       \
                                                                               \
		return a->value == b->value && a->index == b->index;           \
	}                                                                      \
	static void combine_##name(enum op op, void *into, const void *with)   \
	{                                                                      \
		struct name *a = into;                                         \
		const struct name *b = with;                                   \
                                                                               \
		if (a->value == b->value)                                      \
			a->index = a->index < b->index ? a->index : b->index;  \
		else if ((a->value > b->value) == (op == MINLOC))              \
			*a = *b;                                               \
	}                                                                      \
	static const struct sort name##s = {set_##name, combine_##name,        \
					    equal_##name};
PAIR(float, float_int)
PAIR(double, double_int)
PAIR(long, long_int)
PAIR(int, int_int)
PAIR(short, short_int)
PAIR(long double, long_double_int)

/* ---- The types ----------------------------------------------------------- */

static const struct type {
	MPI_Datatype type;
	const struct sort *sort;
	int size; /* from one element to the next */
	int ops;
	const char *name;
} types[] = {
#define ROW(type, sort, size, ops)                                             \
	{                                                                      \
		MPI_##type, &sort, size, ops, #type                            \
	}
#define INT_ROW(type, T)                                                       \
	ROW(type, integer_##T, sizeof(T), NUMBERS | LOGICS | BITS)
    INT_ROW(SIGNED_CHAR, int8_t),
    INT_ROW(UNSIGNED_CHAR, uint8_t),
    INT_ROW(SHORT, int16_t),
    INT_ROW(UNSIGNED_SHORT, uint16_t),
    INT_ROW(INT, int32_t),
    INT_ROW(UNSIGNED, uint32_t),
    INT_ROW(LONG, int64_t),
    INT_ROW(UNSIGNED_LONG, uint64_t),
    INT_ROW(LONG_LONG, int64_t),
    INT_ROW(UNSIGNED_LONG_LONG, uint64_t),
    INT_ROW(INT8_T, int8_t),
    INT_ROW(UINT8_T, uint8_t),
    INT_ROW(INT16_T, int16_t),
    INT_ROW(UINT16_T, uint16_t),
    INT_ROW(INT32_T, int32_t),
    INT_ROW(UINT32_T, uint32_t),
    INT_ROW(INT64_T, int64_t),
    INT_ROW(UINT64_T, uint64_t),
    ROW(AINT, integer_int64_t, 8, NUMBERS | BITS),
    ROW(COUNT, integer_int64_t, 8, NUMBERS | BITS),
    ROW(OFFSET, integer_int64_t, 8, NUMBERS | BITS),
    ROW(BYTE, integer_uint8_t, 1, BITS),
    ROW(FLOAT, reals, sizeof(float), NUMBERS),
    ROW(DOUBLE, doubles, sizeof(double), NUMBERS),
    ROW(LONG_DOUBLE, long_doubles, sizeof(long double), NUMBERS),
    ROW(C_BOOL, logicals, sizeof(bool), LOGICS),
    ROW(C_FLOAT_COMPLEX, complexes, sizeof(float complex),
	1 << SUM | 1 << PROD),
    ROW(C_DOUBLE_COMPLEX, double_complexes, sizeof(double complex),
	1 << SUM | 1 << PROD),
    ROW(C_LONG_DOUBLE_COMPLEX, long_double_complexes,
	sizeof(long double complex), 1 << SUM | 1 << PROD),
    ROW(FLOAT_INT, float_ints, sizeof(struct float_int), PLACES),
    ROW(DOUBLE_INT, double_ints, sizeof(struct double_int), PLACES),
    ROW(LONG_INT, long_ints, sizeof(struct long_int), PLACES),
    ROW(2INT, int_ints, sizeof(struct int_int), PLACES),
    ROW(SHORT_INT, short_ints, sizeof(struct short_int), PLACES),
    ROW(LONG_DOUBLE_INT, long_double_ints, sizeof(struct long_double_int),
	PLACES),
};
enum { TYPES = sizeof(types) / sizeof(*types) };

/* ---- Trials -------------------------------------------------------------- */

enum { N = 5, ROOM = N * 32 };

/* Element k of a rank, and of what is there before (rank -1). */
static void fill(const struct type *t, char *at, int rank)
{
	memset(at, 0, ROOM);
	for (int k = 0; k < N; k++)
		t->sort->set(at + k * t->size, 3 * rank + k + 5);
}

static bool same(const struct type *t, const char *a, const char *b)
{
	int good = 0;

	for (int k = 0; k < N; k++)
		good += t->sort->equal(a + k * t->size, b + k * t->size);
	return good == N;
}

static void report(bool good, const struct type *t, int op, const char *what)
{
	if (!CHECK(good))
		fprintf(stderr, "%s, operation %d: %s\n", t->name, op, what);
}

/* All ranks combine their elements with those of all. */
static void combine(MPI_Win win, char *mem, const struct type *t, enum op op)
{
	_Alignas(16) char mine[ROOM], want[ROOM], other[ROOM], before[ROOM];

	fill(t, mem, -1);
	fill(t, mine, me);
	fill(t, want, -1);
	for (int r = 0; r < np; r++) {
		fill(t, other, r);
		for (int k = 0; k < N; k++)
			t->sort->combine(op, want + k * t->size,
					 other + k * t->size);
	}
	OK(MPI_Win_fence(0, win));
	for (int r = 0; r < np; r++)
		if ((r + me + (int)op) & 1)
			OK(MPI_Accumulate(mine, N, t->type, r, 0, N, t->type,
					  handle_of(op), win));
		else
			OK(MPI_Get_accumulate(mine, N, t->type, before, N,
					      t->type, r, 0, N, t->type,
					      handle_of(op), win));
	OK(MPI_Win_fence(0, win));
	report(same(t, mem, want), t, (int)op, "the result");
}

/* One rank replaces the elements of another, and gets them back. */
static void replace(MPI_Win win, char *mem, const struct type *t)
{
	_Alignas(16) char mine[ROOM], want[ROOM], before[ROOM], after[ROOM];
	int r = right_of(me);

	fill(t, mem, -1);
	fill(t, want, -1);
	fill(t, mine, me);
	OK(MPI_Win_fence(0, win));
	OK(MPI_Get_accumulate(mine, N, t->type, before, N, t->type, r, 0, N,
			      t->type, MPI_REPLACE, win));
	OK(MPI_Get_accumulate(NULL, 0, t->type, after, N, t->type, r, 0, N,
			      t->type, MPI_NO_OP, win));
	OK(MPI_Win_fence(0, win));
	report(same(t, before, want), t, -1, "what was there");
	report(same(t, after, mine), t, -1, "what has replaced it");
	fill(t, want, left_of(me));
	report(same(t, mem, want), t, -1, "what is there");
}

static void all(MPI_Win win, char *mem)
{
	for (int k = 0; k < TYPES; k++) {
		for (int op = MAX; op <= MAXLOC; op++)
			if (types[k].ops & 1 << op)
				combine(win, mem, &types[k], (enum op)op);
		replace(win, mem, &types[k]);
	}
}

static void allocated(void)
{
	MPI_Win win;
	char *mem;

	OK(MPI_Win_allocate(ROOM, 1, MPI_INFO_NULL, W, &mem, &win));
	all(win, mem);
	OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
	OK(MPI_Win_free(&win));
}

static void created(void)
{
	static _Alignas(16) char mem[ROOM];
	MPI_Win win;

	OK(MPI_Win_create(mem, ROOM, 1, MPI_INFO_NULL, W, &win));
	all(win, mem);
	OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
	OK(MPI_Win_free(&win));
}

/* Nothing is updated by a type without elements, or by none of a type. */
static void nothing(void)
{
	int mem = 17, one = 1, old = 18;
	MPI_Datatype none, some[3];
	MPI_Win win;

	OK(MPI_Type_contiguous(0, MPI_INT, &none));
	OK(MPI_Type_commit(&none));
	some[0] = none;
	some[1] = MPI_INT;
	some[2] = MPI_CHAR;
	OK(MPI_Win_create(&mem, sizeof(mem), 1, MPI_INFO_NULL, W, &win));
	OK(MPI_Win_fence(0, win));
	for (int k = 0; k < 9; k++) {
		int n = k % 3 ? 0 : 5, m = k / 3 ? 0 : 5, r = right_of(me);
		MPI_Datatype here = some[k % 3], there = some[k / 3];

		OK(MPI_Accumulate(&one, n, here, r, 0, m, there, MPI_SUM, win));
		OK(MPI_Accumulate(&one, n, here, r, 0, m, there, MPI_REPLACE,
				  win));
		OK(MPI_Get_accumulate(&one, n, here, &old, n, here, r, 0, m,
				      there, MPI_SUM, win));
		OK(MPI_Get_accumulate(NULL, 0, MPI_INT, &old, n, here, r, 0, m,
				      there, MPI_NO_OP, win));
	}
	OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
	CHECK_EQ(mem, 17);
	CHECK_EQ(old, 18);
	OK(MPI_Win_free(&win));
	OK(MPI_Type_free(&none));
}

/* ---- Bytes --------------------------------------------------------------- */

static void add_bytes(MPI_Win win, char *mem)
{
	const int ints[2] = {1000, me};
	const unsigned char parts[4] = {200, 0, (unsigned char)me, 1};
	int sums[2];

	memset(mem, 0, ROOM);
	OK(MPI_Win_fence(0, win));
	OK(MPI_Accumulate(ints, 8, MPI_BYTE, 0, 0, 2, MPI_INT, MPI_SUM, win));
	OK(MPI_Accumulate(ints, 2, MPI_INT, 0, 8, 8, MPI_BYTE, MPI_SUM, win));
	OK(MPI_Accumulate(parts, 4, MPI_BYTE, 0, 16, 4, MPI_BYTE, MPI_SUM,
			  win));
	OK(MPI_Accumulate(parts, 4, MPI_BYTE, 0, 20, 4, MPI_BYTE, MPI_LOR,
			  win));
	OK(MPI_Win_fence(0, win));
	if (me)
		return;
	for (int k = 0; k < 2; k++) {
		memcpy(sums, mem + 8 * k, sizeof(sums));
		CHECK_EQ(sums[0], 1000 * np);
		CHECK_EQ(sums[1], np * (np - 1) / 2);
	}
	CHECK_EQ((unsigned char)mem[16], 200 * np % 256);
	CHECK_EQ(mem[17], 0);
	CHECK_EQ(mem[18], np * (np - 1) / 2);
	CHECK_EQ(mem[19], np);
	CHECK_EQ(mem[20], 1);
	CHECK_EQ(mem[21], 0);
	CHECK_EQ(mem[22], np > 1);
	CHECK_EQ(mem[23], 1);
}

/* Accumulates are refused if nothing says what their elements are: bytes where
 * a sign matters, bytes of the target in pieces, and types that differ. */
static void refuse_bytes(MPI_Win win)
{
	char bytes[16] = {0};
	int three[3] = {0};
	MPI_Datatype pairs;

	OK(MPI_Type_vector(2, 2, 3, MPI_BYTE, &pairs));
	OK(MPI_Type_commit(&pairs));
	OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	OK(MPI_Win_fence(0, win));
	CHECK_ERROR(MPI_ERR_OP, MPI_Accumulate(bytes, 8, MPI_BYTE, 0, 0, 8,
					       MPI_BYTE, MPI_MAX, win));
	CHECK_ERROR(MPI_ERR_OP, MPI_Accumulate(three, 1, MPI_INT, 0, 0, 1,
					       pairs, MPI_SUM, win));
	CHECK_ERROR(MPI_ERR_OP, MPI_Accumulate(three, 1, MPI_INT, 0, 0, 1,
					       MPI_FLOAT, MPI_SUM, win));
	OK(MPI_Win_fence(0, win));
	OK(MPI_Type_free(&pairs));
}

static void bytes(void)
{
	static _Alignas(16) char own[ROOM];
	MPI_Win win;
	char *mem;

	OK(MPI_Win_create(own, ROOM, 1, MPI_INFO_NULL, W, &win));
	add_bytes(win, own);
	refuse_bytes(win);
	OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
	OK(MPI_Win_free(&win));
	OK(MPI_Win_allocate(ROOM, 1, MPI_INFO_NULL, W, &mem, &win));
	add_bytes(win, mem);
	OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
	OK(MPI_Win_free(&win));
}

static const struct mpi_case cases[] = {
    {"all operations and types, allocated", allocated},
    {"all operations and types, created", created},
    {"bytes", bytes},
    {"types without elements", nothing},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
