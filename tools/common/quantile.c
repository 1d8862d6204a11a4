/* SPDX-License-Identifier: Apache-2.0 */
/* quantile.c: order statistics (see quantile.h). */
#include "tools/common/quantile.h"

#include <math.h>
#include <stdlib.h>

#define Z95 1.959964

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void quantile_sort(double *values, int n)
{
	qsort(values, (size_t)n, sizeof(*values), by_value);
}

double quantile(const double *sorted, int n, double q)
{
	double at = q * (n - 1);
	int i = (int)at;

	if (i + 1 >= n)
		return sorted[n - 1];
	return sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]);
}

void quantile_interval(const double *sorted, int n, double *low, double *high)
{
	double half = Z95 * sqrt(n) / 2;
	int from = (int)floor(n / 2.0 - half);
	int to = (int)ceil(1 + n / 2.0 + half);

	*low = 0;
	*high = INFINITY;
	if (n < QUANTILE_FEW || from < 1 || to > n)
		return;
	*low = sorted[from - 1];
	*high = sorted[to - 1];
}

double quantile_width(const double *sorted, int n)
{
	double low, high, median = quantile(sorted, n, 0.5);

	quantile_interval(sorted, n, &low, &high);
	/* a median of 0 means that the clock saw nothing, so more samples would
	 * not help */
	if (median <= 0)
		return high > 0 ? INFINITY : 0;
	return fmax(high - median, median - low) / median;
}

/*
 * Returns the sum of the ranks of a's values among all values; equal values
 * share their ranks. *ties is the sum of t^3 - t over groups of t equal values.
 */
static double rank_sum(const double *a, int na, const double *b, int nb,
		       double *ties)
{
	double sum = 0;
	int i = 0, k = 0;

	*ties = 0;
	while (i < na || k < nb) {
		double v = k == nb || (i < na && a[i] < b[k]) ? a[i] : b[k];
		int i0 = i, k0 = k, t;

		while (i < na && a[i] <= v)
			i++;
		while (k < nb && b[k] <= v)
			k++;
		t = i - i0 + k - k0;
		sum += (i - i0) * (i0 + k0 + (t + 1) / 2.0);
		*ties += (double)t * t * t - t;
	}
	return sum;
}

double quantile_rank_sum(const double *a, int na, const double *b, int nb)
{
	double n = (double)na + nb, product = (double)na * nb;
	double ties, u, variance;

	if (na < QUANTILE_FEW || nb < QUANTILE_FEW)
		return 1;
	u = rank_sum(a, na, b, nb, &ties) - na * (na + 1.0) / 2;
	variance = product / 12 * (n + 1 - ties / (n * (n - 1)));
	if (variance <= 0)
		return 1;
	u = fmax(0, fabs(u - product / 2) - 0.5) / sqrt(variance);
	return erfc(u / sqrt(2));
}
