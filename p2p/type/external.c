/* SPDX-License-Identifier: Apache-2.0 */
/*
 * external.c: converts packed elements to "external32" and back: big-endian,
 * with the sizes of table 14.2 (long 4, wchar_t 2, long double IEEE's of 16
 * bytes). The elements are packed first; then their basic types are converted
 * one by one.
 */
#include "p2p/type/external.h"

#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "p2p/type/type_elements.h"
#include "runtime/engine/proc.h"

/* ---- Basic types --------------------------------------------------------- */

/* The conversion of a number. The parts of a complex or a pair are numbers of
 * their own. */
struct number {
	size_t size;	 /* native bytes */
	size_t external; /* bytes in external32 */
	enum { UNSIGNED, SIGNED, LONG_DOUBLE } how;
};

static bool is_handle(const struct mrt_type *t, struct mrt_type *handle)
{
	return type_handle(t) == handle;
}

static bool is_signed(const struct mrt_type *t)
{
	return (t->kind >= TYPE_INT8 && t->kind <= TYPE_INT64) ||
	       is_handle(t, MRT_WCHAR) || is_handle(t, MRT_LONG_INT);
}

/* The numbers of a predefined type: n[0] numbers part[0], then n[1] numbers
 * part[1]. */
static void numbers_of(const struct mrt_type *t, struct number part[2],
		       size_t n[2])
{
	static const struct number integer = {sizeof(int), 4, SIGNED};
	bool is_complex = t->kind == TYPE_CFLOAT || t->kind == TYPE_CDOUBLE ||
			  t->kind == TYPE_CLONG_DOUBLE ||
			  t->kind == TYPE_CFLOAT16 || t->kind == TYPE_CFLOAT128;
	size_t size = type_class_is_pair(t->kind) ? type_pair_value(t)
		      : is_complex		  ? t->size / 2
						  : t->size;
	bool is_long = is_handle(t, MRT_LONG) || is_handle(t, MRT_LONG_INT) ||
		       is_handle(t, MRT_UNSIGNED_LONG);

	part[0] = (struct number){size, size, is_signed(t) ? SIGNED : UNSIGNED};
	if (is_long)
		part[0].external = 4;
	else if (is_handle(t, MRT_WCHAR))
		part[0].external = 2;
	else if (t->kind == TYPE_LONG_DOUBLE || t->kind == TYPE_CLONG_DOUBLE ||
		 t->kind == TYPE_LONG_DOUBLE_INT)
		part[0] = (struct number){size, 16, LONG_DOUBLE};
	part[1] = integer;
	n[0] = is_complex ? 2 : 1;
	n[1] = type_class_is_pair(t->kind);
	if (t->kind >= TYPE_FLOAT_FLOAT) {
		n[0] = 2;
		n[1] = 0;
	}
}

/* ---- Numbers ------------------------------------------------------------- */

static void external_reverse(unsigned char *to, const unsigned char *from,
			     size_t len)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	for (size_t i = 0; i < len; i++)
		to[i] = from[len - 1 - i];
#else
	memcpy(to, from, len);
#endif
}

#if LDBL_MANT_DIG == 64 && defined(__SIZEOF_FLOAT128__)
typedef __float128 quad;
#else
typedef long double quad;
#endif
_Static_assert(sizeof(quad) == 16, "a long double of IEEE's 16 bytes");

static void out_number(struct number how, const char *from, char *to)
{
	unsigned char wide[16];
	long double value;
	quad q;

	if (how.how == LONG_DOUBLE) {
		memcpy(&value, from, sizeof(value));
		q = value;
		memcpy(wide, &q, sizeof(q));
	} else {
		memcpy(wide, from, how.size);
	}
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	external_reverse((unsigned char *)to, wide, how.external);
#else
	memcpy(to, wide + how.size - how.external, how.external);
#endif
}

/* Sign-extends the low bytes of a number, or extends them by zeros, to
 * `size`. */
static void external_extend(struct number how, unsigned char *number)
{
	bool negative = how.how == SIGNED && number[how.external - 1] & 0x80;

	memset(number + how.external, negative ? 0xff : 0,
	       how.size - how.external);
}

static void in_number(struct number how, const char *from, char *to)
{
	unsigned char wide[16];
	long double value;
	quad q;

	external_reverse(wide, (const unsigned char *)from, how.external);
	if (how.how == LONG_DOUBLE) {
		memcpy(&q, wide, sizeof(q));
		value = (long double)q;
		/* the padding of a long double */
		memset(to, 0, how.size);
		memcpy(to, &value, LDBL_MANT_DIG == 64 ? 10 : sizeof(value));
		return;
	}
	if (how.size > how.external)
		external_extend(how, wide);
	memcpy(to, wide, how.size);
}

/* ---- Elements ------------------------------------------------------------ */

struct convert {
	char *native, *external; /* NULL, NULL: only adds up bytes */
	size_t bytes;		 /* of the external form */
	bool out;
};

static void convert_numbers(struct convert *c, struct number how, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (c->out)
			out_number(how, c->native, c->external);
		else
			in_number(how, c->external, c->native);
		c->native += how.size;
		c->external += how.external;
	}
}

static void external_convert(void *context, const struct mrt_type *basic,
			     size_t n)
{
	struct convert *c = context;
	struct number part[2];
	size_t each[2];

	numbers_of(basic, part, each);
	c->bytes +=
	    n * (each[0] * part[0].external + each[1] * part[1].external);
	if (!c->native)
		return;
	for (size_t i = 0; i < n; i++) {
		convert_numbers(c, part[0], each[0]);
		convert_numbers(c, part[1], each[1]);
	}
}

size_t external_size(const struct mrt_type *type)
{
	struct convert c = {NULL, NULL, 0, true};

	type_each_basic(type, 1, external_convert, &c);
	return c.bytes;
}

static int no_memory(size_t bytes)
{
	return proc_fail(MRT_ERR_NO_MEM, "no memory to convert %zu bytes",
			 bytes);
}

int external_pack(const struct mrt_type *type, const void *buf, size_t count,
		  void *out)
{
	size_t bytes = count * type->size;
	struct convert c = {malloc(bytes ? bytes : 1), out, 0, true};
	char *packed = c.native;

	if (!packed)
		return no_memory(bytes);
	type_pack(type, buf, 0, bytes, packed);
	type_each_basic(type, count, external_convert, &c);
	free(packed);
	return 0;
}

int external_unpack(const struct mrt_type *type, void *buf, size_t count,
		    const void *in)
{
	size_t bytes = count * type->size;
	struct convert c = {malloc(bytes ? bytes : 1), (char *)(uintptr_t)in, 0,
			    false};
	char *packed = c.native;

	if (!packed)
		return no_memory(bytes);
	type_each_basic(type, count, external_convert, &c);
	type_unpack(type, buf, 0, bytes, packed);
	free(packed);
	return 0;
}
