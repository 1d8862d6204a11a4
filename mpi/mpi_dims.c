/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_dims.c: MPI_Dims_create (MPI 4.1, 8.5.2). "As close to each other as
 * possible" is taken as the least difference of the largest and the smallest
 * dimension, and of several such grids the one with the least first, second,
 * .. dimension. The search over divisors is exact; bounds by powers, and by
 * the best grid so far, leave little of it.
 */
#include <limits.h>
#include <string.h>

#include "mpi/mpi_impl.h"

enum {
	DIVISORS = 1536, /* no int has more */
	FACTORS = 32	 /* no int has as many factors but 1 */
};

struct search {
	int divisors[DIVISORS]; /* ascending */
	int n;
	int k; /* factors wanted */
	int now[FACTORS], best[FACTORS];
	int spread; /* of best; -1: none yet */
};

static void find_divisors(struct search *s, int m)
{
	int high = 0, large[DIVISORS];

	s->n = 0;
	for (int d = 1; d <= m / d; d++) {
		if (m % d)
			continue;
		s->divisors[s->n++] = d;
		if (d != m / d)
			large[high++] = m / d;
	}
	while (high)
		s->divisors[s->n++] = large[--high];
}

/* base^exponent, or something above INT_MAX. */
static long long power(long long base, int exponent)
{
	long long p = 1;

	while (exponent-- && p <= INT_MAX)
		p *= base;
	return p;
}

static void keep(struct search *s)
{
	int spread = s->now[0] - s->now[s->k - 1];

	if (s->spread >= 0 && spread >= s->spread)
		return;
	s->spread = spread;
	memcpy(s->best, s->now, sizeof(s->now));
}

/*
 * now[at ..] from the product m, each factor at most that before. Ascending,
 * so that of grids with the same spread the first found is the one wanted.
 */
static void descend(struct search *s, int at, int m)
{
	int left = s->k - at;

	if (left == 1) {
		s->now[at] = m;
		if (at == 0 || m <= s->now[at - 1])
			keep(s);
		return;
	}
	for (int i = 0; i < s->n; i++) {
		int f = s->divisors[i], first = at ? s->now[0] : f;

		if (power(f, left) < m || m % f)
			continue;
		if (at && f > s->now[at - 1])
			break;
		/* the smallest factor can be no more than the mean of those
		 * that follow */
		if (s->spread >= 0 && first > s->spread &&
		    power(first - s->spread + 1, left - 1) > m / f)
			break;
		s->now[at] = f;
		descend(s, at + 1, m / f);
		if (s->spread == 0)
			break;
	}
}

/* The dimensions that are 0 from m. */
static void balance(int m, int nfree, int ndims, int dims[])
{
	struct search s = {.spread = -1};
	int at = 0;

	s.k = nfree < FACTORS ? nfree : FACTORS;
	find_divisors(&s, m);
	descend(&s, 0, m);
	for (int i = 0; i < ndims; i++) {
		if (!dims[i]) {
			dims[i] = at < s.k ? s.best[at] : 1;
			at++;
		}
	}
}

API(Dims_create)(int nnodes, int ndims, int dims[])
{
	int nfree = 0, left = nnodes;

	if (nnodes < 1)
		return mpi_fail(MPI_COMM_SELF, __func__, MPI_ERR_ARG,
				"%d nodes", nnodes);
	if (ndims < 0)
		return mpi_fail(MPI_COMM_SELF, __func__, MPI_ERR_DIMS,
				"%d dimensions", ndims);
	for (int i = 0; i < ndims; i++) {
		if (dims[i] < 0 || (dims[i] && left % dims[i]))
			return mpi_fail(MPI_COMM_SELF, __func__, MPI_ERR_DIMS,
					"dimension %d is %d, of %d nodes", i,
					dims[i], nnodes);
		left /= dims[i] ? dims[i] : 1;
		nfree += !dims[i];
	}
	if (!nfree && left != 1 && ndims)
		return mpi_fail(MPI_COMM_SELF, __func__, MPI_ERR_DIMS,
				"%d nodes are more than the dimensions have",
				nnodes);
	if (nfree)
		balance(left, nfree, ndims, dims);
	return MPI_SUCCESS;
}
