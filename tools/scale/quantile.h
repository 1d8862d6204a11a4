/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quantile.h: statistics of times, which are skewed and have outliers: nothing
 * here assumes a distribution. After Hoefler and Belli, "Scientific
 * benchmarking of parallel computing systems" (SC'15), rules 5 to 7.
 */
#ifndef SCALE_QUANTILE_H
#define SCALE_QUANTILE_H

enum { QUANTILE_FEW = 8 }; /* values, below which nothing is said of them */

/* Sorts n values, ascending. */
void quantile_sort(double *values, int n);

/* The q-quantile of sorted values, 0 <= q <= 1, n > 0: between two of them by
 * linear interpolation (Hyndman and Fan's definition 7). */
double quantile(const double *sorted, int n, double q);

/*
 * 95 % confidence interval of the median from sorted values: order statistics
 * n/2 -+ 1.96 sqrt(n)/2, rounded outwards. Below 8 values there is none: *low
 * is 0, *high INFINITY. The binomial distribution would do with up to one value
 * less on either side; but who looks again and again, and stops when the
 * interval is narrow, then gets 92 % (tests/unit/tools/scale/scale_quantile.c).
 */
void quantile_interval(const double *sorted, int n, double *low, double *high);

/* The longer side of that interval, by the median: 0.05 is +-5 %. 0 if all
 * values are 0. */
double quantile_width(const double *sorted, int n);

/*
 * Two-sided p-value that a and b, both sorted, come from the same
 * distribution: the rank sum test of Wilcoxon, Mann and Whitney, by its normal
 * approximation with correction for ties; 1 if one has less than 8 values.
 */
double quantile_rank_sum(const double *a, int na, const double *b, int nb);

#endif
