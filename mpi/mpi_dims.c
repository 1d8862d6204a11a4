/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_dims.c: MPI_Dims_create (MPI 4.1, 8.5.2). "As close to each other as
 * possible" is read as the least difference between the largest and the
 * smallest dimension. Of several such grids the one with the largest smallest
 * dimension is chosen (21 x 16 x 15, not 20 x 18 x 14, as MPICH does); then the
 * one with the least second dimension, and so on.
 *
 * The search is exact. It repeatedly asks whether a number is a product of k
 * divisors between two bounds: one of them has its largest prime factor, which
 * leaves few to try, and failures are remembered. So for two bounds there are
 * at most k times the number of divisors of questions, and the best bounds are
 * among the first that are tried.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_impl.h"

enum {
	DIVISORS = 1600, /* no int has more, */
	PRIMES = 9,	 /* nor more different primes, */
	FACTORS = 32	 /* nor as many factors but 1 */
};

struct search {
	int divisors[DIVISORS], n; /* ascending */
	int primes[PRIMES], nprimes;
	int low, high; /* bounds of the factors */
	/* [k][i]: divisor i is no product of k factors within the bounds */
	bool failed[FACTORS][DIVISORS];
};

static void find_divisors(struct search *s, int m)
{
	int nlarge = 0, large[DIVISORS];

	s->n = s->nprimes = 0;
	for (int d = 1; d <= m / d; d++) {
		if (m % d)
			continue;
		s->divisors[s->n++] = d;
		if (d != m / d)
			large[nlarge++] = m / d;
	}
	while (nlarge)
		s->divisors[s->n++] = large[--nlarge];
	for (int i = 1; i < s->n && m > 1; i++) {
		if (m % s->divisors[i] == 0)
			s->primes[s->nprimes++] = s->divisors[i];
		while (m % s->divisors[i] == 0)
			m /= s->divisors[i];
	}
}

/* Returns base^exponent, or a number above INT_MAX. */
static long long dims_power(long long base, int exponent)
{
	long long p = 1;

	while (exponent-- && p <= INT_MAX)
		p *= base;
	return p;
}

/* The index of the first divisor that is at least x; there is one. */
static int index_of(const struct search *s, int x)
{
	int low = 0, high = s->n - 1;

	while (low < high) {
		int mid = (low + high) / 2;

		if (s->divisors[mid] < x)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool is_product(struct search *s, int m, int k);

/* Tries the factors that have m's largest prime factor: one of them must be in
 * the product. */
static bool try_factors(struct search *s, int m, int k)
{
	int i = s->nprimes - 1, prime;

	while (m % s->primes[i])
		i--;
	prime = s->primes[i];
	for (i = index_of(s, s->low); i < s->n; i++) {
		int f = s->divisors[i];

		if (f > s->high || f > m)
			break;
		if (f % prime == 0 && m % f == 0 && is_product(s, m / f, k - 1))
			return true;
	}
	return false;
}

/* Whether m is a product of k factors within the bounds. */
static bool is_product(struct search *s, int m, int k)
{
	bool *failed;

	if (k == 0 || m == 1)
		return m == 1 && (k == 0 || s->low == 1);
	if (dims_power(s->low, k) > m || dims_power(s->high, k) < m)
		return false;
	failed = &s->failed[k][index_of(s, m)];
	if (!*failed)
		*failed = !try_factors(s, m, k);
	return !*failed;
}

static bool has_factors(struct search *s, int m, int k, int low, int high)
{
	s->low = low;
	s->high = high;
	memset(s->failed, 0, sizeof(s->failed));
	return is_product(s, m, k);
}

/* Finds the largest and smallest of k factors of m with the least
 * difference. */
static void find_bounds(struct search *s, int m, int k, int *first, int *last)
{
	int spread = INT_MAX;

	for (int i = 0; i < s->n; i++) {
		int f = s->divisors[i], rest = m / f;
		int low = spread < f ? f - spread : 1;

		if (dims_power(f, k) < m)
			continue;
		if (dims_power(low, k - 1) > rest) /* as for all that follow */
			break;
		for (int j = index_of(s, low);
		     j <= i && has_factors(s, rest, k - 1, s->divisors[j], f);
		     j++) {
			*first = f;
			*last = s->divisors[j];
			spread = f - *last;
		}
	}
}

/* Finds dims[k], descending, with product m; k < FACTORS. */
static void find_dims(struct search *s, int m, int k, int *dims)
{
	int first = m, last = m;

	find_divisors(s, m);
	find_bounds(s, m, k, &first, &last);
	dims[0] = first;
	for (int at = 1; at < k; at++) {
		int left = k - at - 1, i = index_of(s, last);

		m /= dims[at - 1];
		while (m % s->divisors[i] ||
		       !has_factors(s, m / s->divisors[i], left, last,
				    s->divisors[i]))
			i++;
		dims[at] = s->divisors[i];
	}
}

/* Sets the dimensions that are 0 to factors of m. */
static int dims_balance(int m, int nfree, int ndims, int dims[])
{
	struct search *s = malloc(sizeof(*s));
	int found[FACTORS], k = nfree < FACTORS ? nfree : FACTORS - 1, at = 0;

	if (!s)
		return MRT_ERR_NO_MEM;
	find_dims(s, m, k, found);
	free(s);
	for (int i = 0; i < ndims; i++) {
		if (!dims[i]) {
			dims[i] = at < k ? found[at] : 1;
			at++;
		}
	}
	return 0;
}

API(Dims_create)(int nnodes, int ndims, int dims[])
{
	int nfree = 0, left = nnodes;

	if (nnodes < 1)
		return mpi_fail(MPI_COMM_NULL, __func__, MPI_ERR_ARG,
				"%d nodes", nnodes);
	if (ndims < 0)
		return mpi_fail(MPI_COMM_NULL, __func__, MPI_ERR_DIMS,
				"%d dimensions", ndims);
	if (ndims && !dims)
		return mpi_null(MPI_COMM_NULL, __func__, "dims");
	for (int i = 0; i < ndims; i++) {
		if (dims[i] < 0 || (dims[i] && left % dims[i]))
			return mpi_fail(MPI_COMM_NULL, __func__, MPI_ERR_DIMS,
					"dimension %d is %d, of %d nodes", i,
					dims[i], nnodes);
		left /= dims[i] ? dims[i] : 1;
		nfree += !dims[i];
	}
	if (!nfree && left != 1 && ndims)
		return mpi_fail(MPI_COMM_NULL, __func__, MPI_ERR_DIMS,
				"%d nodes are more than the dimensions have",
				nnodes);
	return mpi_result(MPI_COMM_NULL, __func__,
			  nfree ? dims_balance(left, nfree, ndims, dims) : 0);
}
