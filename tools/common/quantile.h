/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quantile.h: statistics of times. Times are skewed and have outliers, so no
 * distribution is assumed. After Hoefler and Belli, "Scientific benchmarking of
 * parallel computing systems" (SC'15), rules 5 to 7.
 */
#ifndef TOOLS_COMMON_QUANTILE_H
#define TOOLS_COMMON_QUANTILE_H

enum { QUANTILE_FEW = 8 }; /* minimum number of values for statistics */

/* Sorts n values in ascending order. */
void quantile_sort(double *values, int n);

/* Returns the q-quantile of sorted values, for 0 <= q <= 1 and n > 0,
 * interpolated linearly (definition 7 of Hyndman and Fan). */
double quantile(const double *sorted, int n, double q);

/*
 * Computes the 95 % confidence interval of the median from sorted values: order
 * statistics n/2 -+ 1.96 sqrt(n)/2, rounded outwards. Below 8 values *low is 0
 * and *high is INFINITY. The binomial distribution would allow an interval
 * shorter by up to one value on either side; but sampling that checks
 * repeatedly and stops when the interval is narrow would then have a coverage
 * of 92 % (tests/unit/tools/scale/scale_quantile.c).
 */
void quantile_interval(const double *sorted, int n, double *low, double *high);

/* Returns the longer side of that interval relative to the median: 0.05 is +-5
 * %. 0 if all values are 0. */
double quantile_width(const double *sorted, int n);

/*
 * Returns the two-sided p-value that a and b, both sorted, have the same
 * distribution: the rank sum test of Wilcoxon, Mann and Whitney in its normal
 * approximation, corrected for ties; 1 if either has fewer than 8 values.
 */
double quantile_rank_sum(const double *a, int na, const double *b, int nb);

#endif
