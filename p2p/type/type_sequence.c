/* SPDX-License-Identifier: Apache-2.0 */
/* type_sequence.c: type signatures as polynomials, and what fits what. */
#include "p2p/type/type_sequence.h"

#include <stdio.h>

#include "p2p/type/type_elements.h"

enum { HAS_PACKED = 1, HAS_BYTE = 2 };

static const struct type_sequence nothing = {.power = 1};

static struct type_sequence sequence_join(struct type_sequence a,
					  struct type_sequence b)
{
	bool same = !a.elements || !b.elements || a.basic == b.basic;

	return (struct type_sequence){
	    a.value * b.power + b.value, a.power * b.power,
	    a.elements + b.elements,
	    same ? (a.elements ? a.basic : b.basic) : TYPE_ROWS, a.any | b.any};
}

struct type_sequence type_sequence_repeat(struct type_sequence s, size_t n)
{
	struct type_sequence all = nothing;

	for (; n; n /= 2) {
		if (n & 1)
			all = sequence_join(all, s);
		s = sequence_join(s, s);
	}
	return all;
}

/* Returns the sequence of one basic element. An integer type of Fortran has the
 * hash of the C type of its size. */
static struct type_sequence sequence_basic(uint64_t kind, size_t row)
{
	if (kind >= TYPE_FINT8 && kind <= TYPE_FINT64)
		kind = kind == TYPE_FINT64 ? TYPE_INT64
					   : TYPE_INT8 + kind - TYPE_FINT8;
	return (struct type_sequence){(kind + 1) * 0x9e3779b97f4a7c15ull | 1,
				      0xd6e8feb86659fd93ull, 1, (uint32_t)row,
				      kind == TYPE_NONE	  ? HAS_PACKED
				      : kind == TYPE_BYTE ? HAS_BYTE
							  : 0};
}

/* Returns the sequence of a pair, such as MRT_DOUBLE_INT, which matches a
 * structure of its two members. */
static struct type_sequence sequence_pair(uint64_t kind)
{
	static const struct {
		unsigned char value, index;
	} of[] = {
	    [TYPE_FLOAT_INT] = {TYPE_FLOAT, TYPE_INT32},
	    [TYPE_DOUBLE_INT] = {TYPE_DOUBLE, TYPE_INT32},
	    [TYPE_LONG_INT] = {TYPE_INT64, TYPE_INT32},
	    [TYPE_INT_INT] = {TYPE_INT32, TYPE_INT32},
	    [TYPE_SHORT_INT] = {TYPE_INT16, TYPE_INT32},
	    [TYPE_LONG_DOUBLE_INT] = {TYPE_LONG_DOUBLE, TYPE_INT32},
	    [TYPE_FLOAT_FLOAT] = {TYPE_FLOAT, TYPE_FLOAT},
	    [TYPE_INT64_INT64] = {TYPE_INT64, TYPE_INT64},
	    [TYPE_DOUBLE_DOUBLE] = {TYPE_DOUBLE, TYPE_DOUBLE},
	};

	return sequence_join(sequence_basic(of[kind].value, TYPE_ROWS),
			     sequence_basic(of[kind].index, TYPE_ROWS));
}

struct type_sequence type_sequence_of(const struct mrt_type *type)
{
	struct type_sequence all = nothing;
	const struct mrt_type *part;
	size_t n;

	if (!type || !type->size)
		return nothing;
	if (!type->contents)
		return type_class_is_pair(type->kind)
			   ? sequence_pair(type->kind)
			   : sequence_basic(type->kind,
					    (size_t)(type - type_table));
	for (size_t k = 0; (part = type_part(type, k, &n)); k++)
		all = sequence_join(
		    all, type_sequence_repeat(type_sequence_of(part), n));
	return all;
}

static uint64_t value_of_row(uint32_t row)
{
	return sequence_basic(type_table[row].kind, row).value;
}

bool type_sequence_fits(const struct type_sequence *sent,
			const struct type_sequence *one)
{
	if (((sent->any | one->any) & HAS_PACKED) || !sent->elements ||
	    !one->elements)
		return true;
	if (sent->elements % one->elements == 0)
		return type_sequence_repeat(*one,
					    sent->elements / one->elements)
			   .value == sent->value;
	return sent->basic >= TYPE_ROWS || one->basic >= TYPE_ROWS ||
	       value_of_row(sent->basic) == value_of_row(one->basic);
}

void type_sequence_name(const struct type_sequence *s, char *text, size_t len)
{
	const char *name =
	    s->basic < TYPE_ROWS ? type_table[s->basic].name : NULL;

	snprintf(text, len, "%llu %s", (unsigned long long)s->elements,
		 name ?: "elements of several types");
}
