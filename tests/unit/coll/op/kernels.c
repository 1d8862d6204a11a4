/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernels.c: compares every predefined operation on every type with plain
 * loops, for lengths around those of vectors, with dst apart from, equal to the
 * left and equal to the right operand; and tests which operation is defined for
 * which type.
 */
#include <complex.h>
#include <math.h>
#include <stdint.h>

#include "coll/op/kernels.h"
#include "coll/op/op.h"
#include "tests/tap.h"

enum { MOST = 71, BYTES = MOST * sizeof(long double complex) };

static union {
	char bytes[BYTES];
	long double complex align;
} left, right, dst, want;

static unsigned seed = 1;

static unsigned draw(void)
{
	seed = seed * 1664525u + 1013904223u;
	return seed >> 16;
}

/* ---- Plain loops -------------------------------------------------------- */

#define LOOP(type, expr)                                                       \
	do {                                                                   \
		const type *l = (const void *)left.bytes;                      \
		const type *r = (const void *)right.bytes;                     \
		type *w = (void *)want.bytes;                                  \
		for (size_t i = 0; i < n; i++) {                               \
			volatile type a = l[i], b = r[i];                      \
			w[i] = (type)(expr);                                   \
		}                                                              \
	} while (0)

#define ARITHMETIC(type, wide)                                                 \
	case KERNEL_SUM:                                                       \
		LOOP(type, (wide)a + (wide)b);                                 \
		return true;                                                   \
	case KERNEL_PROD:                                                      \
		LOOP(type, (wide)a *(wide)b);                                  \
		return true;

#define ORDER(type)                                                            \
	case KERNEL_MIN:                                                       \
		LOOP(type, a < b ? a : b);                                     \
		return true;                                                   \
	case KERNEL_MAX:                                                       \
		LOOP(type, a > b ? a : b);                                     \
		return true;

#define BITS(type)                                                             \
	case KERNEL_BAND:                                                      \
		LOOP(type, a &b);                                              \
		return true;                                                   \
	case KERNEL_BOR:                                                       \
		LOOP(type, a | b);                                             \
		return true;                                                   \
	case KERNEL_BXOR:                                                      \
		LOOP(type, a ^ b);                                             \
		return true;

#define LOGIC(type)                                                            \
	case KERNEL_LAND:                                                      \
		LOOP(type, a &&b);                                             \
		return true;                                                   \
	case KERNEL_LOR:                                                       \
		LOOP(type, a || b);                                            \
		return true;                                                   \
	case KERNEL_LXOR:                                                      \
		LOOP(type, !a != !b);                                          \
		return true;

#define FUNCTION(suffix, cases)                                                \
	static bool expect_##suffix(int kernel, size_t n)                      \
	{                                                                      \
		switch (kernel) {                                              \
			cases default : return false;                          \
		}                                                              \
	}
#define INTEGER(type)                                                          \
	FUNCTION(type, ARITHMETIC(type, uint64_t) ORDER(type) BITS(type)       \
			   LOGIC(type))

INTEGER(int8_t)
INTEGER(int16_t)
INTEGER(int32_t)
INTEGER(int64_t)
INTEGER(uint8_t)
INTEGER(uint16_t)
INTEGER(uint32_t)
INTEGER(uint64_t)
FUNCTION(float, ARITHMETIC(float, float) ORDER(float))
FUNCTION(double, ARITHMETIC(double, double) ORDER(double))
FUNCTION(long_double, ARITHMETIC(long double, long double) ORDER(long double))
FUNCTION(cfloat, ARITHMETIC(float complex, float complex))
FUNCTION(cdouble, ARITHMETIC(double complex, double complex))
FUNCTION(clong, ARITHMETIC(long double complex, long double complex))
FUNCTION(bool, LOGIC(uint8_t))
FUNCTION(byte, BITS(uint8_t))

/* ---- Inputs ------------------------------------------------------------- */

static void fill_bytes(char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (char)(draw() % 5 ? draw() : 0);
}

static void fill_bool(char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (char)(draw() % 2);
}

#define FILL(suffix, type)                                                     \
	static void fill_##suffix(char *p, size_t n)                           \
	{                                                                      \
		type *x = (void *)p;                                           \
		for (size_t i = 0; i < n / sizeof(type); i++)                  \
			x[i] = (type)((double)draw() / 97 - 300);              \
	}
FILL(float, float)
FILL(double, double)
FILL(long_double, long double)

static const struct row {
	struct mrt_type *type;
	bool (*expect)(int kernel, size_t n);
	void (*fill)(char *p, size_t n);
	size_t unit; /* bytes that are compared: long double has padding */
} rows[] = {
    {MRT_INT8, expect_int8_t, fill_bytes, 1},
    {MRT_INT16, expect_int16_t, fill_bytes, 2},
    {MRT_INT32, expect_int32_t, fill_bytes, 4},
    {MRT_INT64, expect_int64_t, fill_bytes, 8},
    {MRT_UINT8, expect_uint8_t, fill_bytes, 1},
    {MRT_UINT16, expect_uint16_t, fill_bytes, 2},
    {MRT_UINT32, expect_uint32_t, fill_bytes, 4},
    {MRT_UINT64, expect_uint64_t, fill_bytes, 8},
    {MRT_FLOAT, expect_float, fill_float, 4},
    {MRT_DOUBLE, expect_double, fill_double, 8},
    {MRT_LONG_DOUBLE, expect_long_double, fill_long_double, 10},
    {MRT_FLOAT_COMPLEX, expect_cfloat, fill_float, 8},
    {MRT_DOUBLE_COMPLEX, expect_cdouble, fill_double, 16},
    {MRT_LONG_DOUBLE_COMPLEX, expect_clong, fill_long_double, 0},
    {MRT_BOOL, expect_bool, fill_bool, 1},
    {MRT_BYTE, expect_byte, fill_bytes, 1},
};

static bool equal(const struct row *row, const char *got, size_t n)
{
	size_t size = type_get(row->type)->size;
	size_t value = sizeof(long double) == 16 ? 10 : sizeof(long double);
	bool good = true;

	for (size_t i = 0; i < n * size; i += row->unit ? size : 16)
		good &=
		    !memcmp(got + i, want.bytes + i,
			    row->unit && row->unit != 10 ? row->unit : value);
	return good;
}

/* alias 0: dst apart; 1: the left operand; 2: the right one. */
static bool apply(const struct mrt_op *op, const struct row *row, size_t n,
		  int alias)
{
	const struct mrt_type *type = type_get(row->type);
	char *out = alias == 0	 ? dst.bytes
		    : alias == 1 ? left.bytes
				 : right.bytes;
	size_t end = n * type->size;
	char guard;

	row->fill(left.bytes, BYTES);
	row->fill(right.bytes, BYTES);
	if (!row->expect(op->kernel, n))
		return false;
	guard = out[end];
	op_apply(op, type, left.bytes, right.bytes, out, n);
	return equal(row, out, n) && out[end] == guard;
}

static void test_row(struct mrt_op *handle, const struct row *row)
{
	const struct mrt_op *op = op_get(handle);
	const struct mrt_type *type = type_get(row->type);
	bool good = true;

	if (!row->expect(op->kernel, 0)) {
		ok(!op_fits(op, type), "%s is not for %s", op->name,
		   type->name);
		return;
	}
	if (!ok(op_fits(op, type), "%s is for %s", op->name, type->name))
		return;
	for (size_t n = 0; n < MOST; n++)
		for (int alias = 0; alias < 3; alias++)
			good &= apply(op, row, n, alias);
	ok(good, "%s of %s", op->name, type->name);
}

static void test_all(void)
{
	static struct mrt_op *const ops[] = {
	    MRT_SUM, MRT_PROD, MRT_MIN,	 MRT_MAX, MRT_BAND,
	    MRT_BOR, MRT_BXOR, MRT_LAND, MRT_LOR, MRT_LXOR};

	for (size_t o = 0; o < sizeof(ops) / sizeof(ops[0]); o++)
		for (size_t t = 0; t < sizeof(rows) / sizeof(rows[0]); t++)
			test_row(ops[o], &rows[t]);
}

/* The formula gives "not a number" where C's own product does not. */
static void test_infinite_product(void)
{
	const double a[2] = {INFINITY, INFINITY}, b[2] = {1, 0};
	double p[2];

	op_apply(op_get(MRT_PROD), type_get(MRT_DOUBLE_COMPLEX), a, b, p, 1);
	ok(isnan(p[0]) && isnan(p[1]), "a complex product is the formula");
}

/* ---- The user's --------------------------------------------------------- */

enum { LONG = 3000 }; /* elements: several pieces */

/* An operation that is not commutative and checks its type and context. */
static void subtract(const void *in, void *inout, size_t count,
		     struct mrt_type *type, void *context)
{
	const int64_t *a = in;
	int64_t *b = inout;

	*(bool *)context &= type == MRT_INT64 && count > 0;
	for (size_t i = 0; i < count; i++)
		b[i] = a[i] - b[i];
}

static void test_user(void)
{
	static int64_t l[LONG], r[LONG], apart[LONG];
	bool told = true;
	const struct mrt_op op = {.fn = subtract, .context = &told};

	for (int alias = 0; alias < 3; alias++) {
		int64_t *out = alias == 0 ? apart : alias == 1 ? l : r;
		bool good = true;

		for (int i = 0; i < LONG; i++) {
			l[i] = i * 7;
			r[i] = i;
		}
		op_apply(&op, type_get(MRT_INT64), l, r, out, LONG);
		for (int i = 0; i < LONG; i++)
			good &= out[i] == i * 6 && (alias == 2 || r[i] == i) &&
				(alias == 1 || l[i] == i * 7);
		ok(good, "a user's operation, dst %s",
		   alias == 0	? "apart"
		   : alias == 1 ? "left"
				: "right");
	}
	op_apply(&op, type_get(MRT_INT64), l, r, l, 0);
	ok(told, "it gets type and context, and no empty vector");
}

int main(void)
{
	ok(!op_get(MRT_OP_NULL) && !op_get((struct mrt_op *)0x25) &&
	       !op_get((struct mrt_op *)0x200),
	   "handles that are no operations");
	test_all();
	op_init();
	printf("# the kernels for this CPU\n");
	test_all();
	test_infinite_product();
	test_user();
	return tap_done();
}
