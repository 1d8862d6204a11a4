/* SPDX-License-Identifier: Apache-2.0 */
/*
 * algorithm.h: what an algorithm is: its name, when it may be used, how its
 * plan is built and what it costs. Each is one constant of its own file,
 * listed in algorithms.h.
 */
#ifndef COLL_ALGORITHM_H
#define COLL_ALGORITHM_H

#include "coll/plan/plan.h"
#include "coll/plan/shape.h"

/*
 * What one call takes, for the choice between algorithms. The first three are
 * counted along the longest chain of steps that wait for each other, the rest
 * over all ranks: they matter where ranks share cores or links.
 */
struct cost {
	double rounds; /* messages, one after the other */
	/* of rounds, those right behind another one: nothing has to come
	 * before they can leave */
	double together;
	double bytes;	/* in those messages */
	double reduced; /* bytes of results, one reduction after the other */
	double atomics; /* atomic operations, one after the other */
	double sends;	/* messages of all ranks */
	double moved;	/* bytes in the messages of all ranks */
	/* of rounds and bytes: those inside a node, where the shape has a
	 * topology */
	double intra_rounds, intra_bytes;
};

struct algorithm {
	const char *name; /* as MRT_<COLLECTIVE> takes it */
	/*
	 * What may follow the name after a colon, as one lower-case word
	 * ("radix", "segment"): a number that build gets as shape->arg. NULL:
	 * nothing. segment: in bytes.
	 */
	const char *arg;
	size_t arg_default, arg_min; /* arg_default stands for arg 0 */
	/* The argument is an algorithm of the same collective, by name: its
	 * place in the table, counted from 1; 0: the default choice. */
	bool arg_is_algorithm;
	bool cells; /* its plans have steps on cells */
	/* cost in words for people: n ranks, m bytes, a latency, b time per
	 * byte, c time per byte reduced, k the argument */
	const char *formula;
	/* May it be used? Of what all ranks know alike (size, count of regular
	 * collectives, operation, topology): the same on all. NULL: always. */
	bool (*fits)(const struct shape *shape);
	/* Appends the rank's steps. Pure; shape->arg is never 0 if there is
	 * an arg (but for arg_is_algorithm). size may be 1, count 0. */
	void (*build)(struct plan *plan, const struct shape *shape, int rank);
	/* *cost comes zeroed. Exact in sends and moved, for regular shapes. */
	void (*cost)(const struct shape *shape, struct cost *cost);
};

/* For `fits`. */
bool fits_commutative(const struct shape *shape);

/* For `cost`: ceil(log2 n); bytes of a block. */
static inline int log2_ceil(int n)
{
	int k = 0;

	while (1 << k < n)
		k++;
	return k;
}

static inline double shape_bytes(const struct shape *shape)
{
	return (double)shape->count * (double)shape->type_size;
}
#endif
