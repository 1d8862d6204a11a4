/* SPDX-License-Identifier: Apache-2.0 */
/* inter_pair.h divides the world into two groups with an intercommunicator
 * between them, for inter_*.c. */
#ifndef TESTS_MPI_INTER_PAIR_H
#define TESTS_MPI_INTER_PAIR_H

#include "tests/mpi/mpi_test.h"

/* The world ranks of the two sides: low .. first - 1 and the rest, or, apart,
 * the even ones and the odd ones in reverse order. */
struct division {
	int low, first;
	bool apart;
};

/* The caller's view of a division; side 2 is in neither group. */
struct pair {
	struct division is;
	int side, rank, own, other;
	MPI_Comm local, inter;
};

/* Returns the world rank of a rank of a side. */
static inline int member(const struct division *d, int side, int r)
{
	if (d->apart)
		return side ? 2 * (np / 2 - r) - 1 : 2 * r;
	return (side ? d->first : d->low) + r;
}

static inline struct pair make_division(struct division is)
{
	int odd = me % 2, n[2] = {is.first - is.low, np - is.first};
	struct pair p = {.is = is,
			 .side = is.apart      ? odd
				 : me < is.low ? 2
					       : me >= is.first};

	if (is.apart) {
		n[0] = np - np / 2;
		n[1] = np / 2;
	}
	p.local = p.inter = MPI_COMM_NULL;
	OK(MPI_Comm_split(W, p.side > 1 ? MPI_UNDEFINED : p.side,
			  is.apart && odd ? -me : me, &p.local));
	if (p.side > 1)
		return p;
	p.own = n[p.side];
	p.other = n[1 - p.side];
	OK(MPI_Comm_rank(p.local, &p.rank));
	OK(MPI_Intercomm_create(p.local, 0, W, member(&is, 1 - p.side, 0), 12,
				&p.inter));
	return p;
}

/* World ranks 0 .. first-1 are side 0, the others side 1. */
static inline struct pair make_pair(int first)
{
	return make_division((struct division){.first = first});
}

/* Returns the world rank of a rank of the other group. */
static inline int opposite(const struct pair *p, int r)
{
	return member(&p->is, 1 - p->side, r);
}

static inline void free_pair(struct pair *p)
{
	OK(MPI_Comm_free(&p->inter));
	CHECK(p->inter == MPI_COMM_NULL);
	OK(MPI_Comm_free(&p->local));
}

/* Runs a test with groups of 1 and n - 1, n / 2 and the rest, n - 1 and 1
 * ranks. */
static inline void each_pair(void (*test)(struct pair *p))
{
	const int firsts[] = {1, np / 2, np - 1};

	if (np < 2) {
		mpi_test_skip("two groups need two ranks");
		return;
	}
	for (int k = 0; k < 3; k++) {
		struct pair p = make_pair(firsts[k]);

		test(&p);
		free_pair(&p);
	}
}
#endif
