/* SPDX-License-Identifier: Apache-2.0 */
/* cases.h: the shapes of all ranks of a call; what is irregular (blocks,
 * neighbours, topology, which ranks are in place) is drawn from a seed. */
#ifndef TESTS_COLL_CASES_H
#define TESTS_COLL_CASES_H

#include "coll/prove/prove.h"
#include "coll/plan/select.h"

struct deal {
	enum collective collective;
	const struct algorithm *algorithm;
	/* size, root, count, type_size, commutative, combine, arg */
	struct shape shape;
	bool in_place;	/* of some ranks */
	bool irregular; /* blocks, where the collective has them */
	bool placed;	/* has a topology */
	int nodes;	/* of the topology; 0: drawn, with caches */
	bool cyclic;	/* round robin over these nodes, not in ranges */
	bool odd; /* ranges of 3, 5, 4, 3 .. ranks, the rest on the last */
	unsigned seed;
};

static inline unsigned draw(unsigned *seed, unsigned below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (unsigned)(((uint64_t)*seed * below) >> 32);
}

/* The shapes of all ranks; deal_free frees them. */
struct table;
struct table *deal_make(const struct deal *d);
const struct shape *deal_shapes(const struct table *t);
void deal_free(struct table *t);

/* Proves the plans of a deal, like prove_plans; the text tells the seed. An
 * algorithm that does not fit is skipped. */
const char *deal_prove(const struct deal *d, struct prove_counts *counts);

/* Tells whether every proof takes n ranks, of `most` or fewer: the first half
 * of them, and those next to the whole, where what depends on powers of two
 * shows once more. */
static inline bool deal_takes(int n, int most)
{
	return n <= (most + 1) / 2 || n >= most - 2;
}

/* Properties of collectives. */
bool deal_rooted(enum collective c);
bool deal_reduces(enum collective c);
bool deal_blocks(enum collective c);	/* a block for each rank */
bool deal_irregular(enum collective c); /* blocks of any length */
bool deal_in_place(enum collective c);
#endif
