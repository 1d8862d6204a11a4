/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prove_value.h: what an element is made of, for the prover.
 *
 * It is known by its index in the buffer it came from, and the ranks whose
 * contributions it has: how many, and `who`. In order, that is the first of so
 * many neighbouring ranks, and only neighbours can be joined, so that this is
 * exact. If the operation commutes, it is the sum of a number for each rank. Up
 * to 64 ranks these are powers of two: no other choice of as many powers has
 * the sum of different ones, so this is exact too. Above, they are hashes of 64
 * bits, fixed and unknown to plans: another choice of as many ranks (at most n)
 * has the same sum with a chance of about n / 2^64.
 */
#ifndef COLL_PROVE_VALUE_H
#define COLL_PROVE_VALUE_H

#include "coll/prove/prove_state.h"

struct value {
	uint32_t index;
	uint32_t count; /* 0: nobody may read it */
	uint64_t who;
};

struct values {
	int n;
	bool ordered;
	uint64_t *sum; /* [n + 1] of the numbers of the first ranks */
};
bool values_init(struct values *v, struct proof *p);

/* Element `index` of n ranks from `first` on. */
struct value values_of(const struct values *v, int first, int n, size_t index);
bool values_equal(struct value a, struct value b);
/* False: these must not be combined. */
bool values_join(const struct values *v, struct value left, struct value right,
		 struct value *joined);

enum { VALUE_TEXT = 64 };
void values_describe(const struct values *v, struct value value,
		     char text[VALUE_TEXT]);
#endif
