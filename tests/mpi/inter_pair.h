/* SPDX-License-Identifier: Apache-2.0 */
/* inter_pair.h divides the world into two groups with an intercommunicator
 * between them, for inter_*.c. */
#ifndef TESTS_MPI_INTER_PAIR_H
#define TESTS_MPI_INTER_PAIR_H

#include "tests/mpi/mpi_test.h"

/* The caller's view of the division. World ranks 0 .. first-1 are side 0, the
 * others side 1. */
struct pair {
	int first, side, rank, own, other;
	MPI_Comm local, inter;
};

static inline struct pair make_pair(int first)
{
	struct pair p = {.first = first, .side = me >= first};

	p.rank = p.side ? me - first : me;
	p.own = p.side ? np - first : first;
	p.other = np - p.own;
	p.local = p.inter = MPI_COMM_NULL;
	OK(MPI_Comm_split(W, p.side, me, &p.local));
	OK(MPI_Intercomm_create(p.local, 0, W, p.side ? 0 : first, 12,
				&p.inter));
	return p;
}

/* Returns the world rank of a rank of the other group. */
static inline int opposite(const struct pair *p, int r)
{
	return p->side ? r : p->first + r;
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
