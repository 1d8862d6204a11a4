/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exactsum.h: sums over all ranks whose bits depend neither on the number of
 * ranks nor on the distribution of elements.
 *
 * Algorithm: error-free extraction (Rump, Ogita, Oishi, "Accurate
 * floating-point summation", 2008; Demmel and Nguyen, "Fast reproducible
 * summation", 2013). With sigma a power of two well above every |v|, q = (sigma
 * + v) - sigma is v rounded to a multiple of ulp(sigma), and v - q is exact.
 * Sums of such q are exact in any order as long as they stay below sigma. Three
 * levels of them keep 150 - 3 log2(n) bits below the largest element, in any
 * order of additions and reductions. Cost: 12 additions per element, one
 * allreduce of 4 doubles per sum, and a second pass if the largest element was
 * underestimated.
 */
#ifndef COMMON_EXACTSUM_H
#define COMMON_EXACTSUM_H

#include <stddef.h>

#define EXACTSUM_LEVELS 3
#define EXACTSUM_MAX 4 /* sums per reduction */

struct exactsum {
	double headroom; /* power of two above the global number of terms */
	double bound;	 /* larger elements do not fit the levels */
	double sigma[EXACTSUM_LEVELS];
	double part[EXACTSUM_LEVELS];
	double over; /* number of elements above the bound */
	double max;  /* largest element above the bound */
};

/* Begins a sum. terms: upper limit of the elements that all ranks will add;
 * bound: an estimate of the largest, the same on all ranks. */
void exactsum_init(struct exactsum *s, size_t terms, double bound);

/* Adds the products a[i] * b[i]; or, if b is NULL, the a[i]. */
void exactsum_add(struct exactsum *s, const double *a, const double *b,
		  size_t n);

/*
 * Ends k sums: out[i] is the i-th over all ranks, or NaN if an element was not
 * finite, and s[] is empty again. Returns 0; or 1, on every rank, if an element
 * was above the bound: then s[] is empty with a better bound, and the caller
 * must add everything once more. Collective.
 */
int exactsum_reduce(struct exactsum *s, int k, double out[]);

#endif
