/* SPDX-License-Identifier: Apache-2.0 */
/* prove_value.c: sets of contributions. */
#include "coll/prove/prove_value.h"

#include <stdio.h>

enum { EXACT = 64 };

/* splitmix64: G. Steele et al., OOPSLA 2014 */
static uint64_t prove_value_hash(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

bool values_init(struct values *v, struct proof *p)
{
	v->n = p->n;
	v->ordered = !prove_shape(p, 0)->commutative;
	v->sum = prove_alloc(p, (size_t)p->n + 1, sizeof(*v->sum));
	for (int r = 0; r < p->n && v->sum; r++)
		v->sum[r + 1] =
		    v->sum[r] +
		    (v->n <= EXACT ? 1ull << r : prove_value_hash((uint64_t)r));
	return v->sum;
}

struct value values_of(const struct values *v, int first, int n, size_t index)
{
	uint64_t sum = v->sum[first + n] - v->sum[first];

	return (struct value){(uint32_t)index, (uint32_t)n,
			      v->ordered ? (uint64_t)first : sum};
}

bool values_equal(struct value a, struct value b)
{
	return a.index == b.index && a.count == b.count && a.who == b.who;
}

bool values_join(const struct values *v, struct value left, struct value right,
		 struct value *joined)
{
	*joined = (struct value){left.index, left.count + right.count,
				 v->ordered ? left.who : left.who + right.who};
	if (left.index != right.index || joined->count > (uint32_t)v->n)
		return false;
	if (v->ordered)
		return left.who + left.count == right.who;
	return v->n > EXACT || !(left.who & right.who);
}

void values_describe(const struct values *v, struct value value,
		     char text[VALUE_TEXT])
{
	if (!value.count)
		snprintf(text, VALUE_TEXT, "nothing");
	else if (v->ordered)
		snprintf(text, VALUE_TEXT, "element %u of ranks %d to %d",
			 value.index, (int)value.who,
			 (int)value.who + (int)value.count - 1);
	else
		snprintf(text, VALUE_TEXT, "element %u of %u ranks (%#llx)",
			 value.index, value.count,
			 (unsigned long long)value.who);
}
