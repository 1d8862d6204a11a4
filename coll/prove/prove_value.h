/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prove_value.h: the symbolic value of an element, for the prover.
 *
 * A value is an index in the buffer where the element came from, and the ranks
 * whose contributions it has: their number, and `who`. If the operation does
 * not commute, who is the first of `count` consecutive ranks, and only
 * neighbouring ranges can be joined, so this is exact. If it commutes, who is
 * the sum of a number for each rank. Up to 64 ranks these numbers are powers of
 * two: no other choice of as many of them has the same sum, so this is exact
 * too. Above, they are fixed 64-bit hashes that plans do not know: another
 * choice of as many ranks (at most n) has the same sum with a probability of
 * about n / 2^64.
 */
#ifndef COLL_PROVE_VALUE_H
#define COLL_PROVE_VALUE_H

#include "coll/prove/prove_state.h"

struct value {
	uint32_t index;
	uint32_t count; /* 0: garbage, which no step may read */
	uint64_t who;
};

struct values {
	int n;
	bool ordered;
	uint64_t *sum; /* [n + 1] sums of the numbers of the first ranks */
};
bool values_init(struct values *v, struct proof *p);

/* Returns element `index` with the contributions of n ranks from `first` on. */
struct value values_of(const struct values *v, int first, int n, size_t index);
bool values_equal(struct value a, struct value b);
/* Combines two values. Returns false if they must not be combined. */
bool values_join(const struct values *v, struct value left, struct value right,
		 struct value *joined);

enum { VALUE_TEXT = 64 };
void values_describe(const struct values *v, struct value value,
		     char text[VALUE_TEXT]);
#endif
