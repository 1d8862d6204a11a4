/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scale_quantile.c: tests the statistics of mrt-scale. The interval contains
 * the median with a probability of 95 % by the binomial distribution, and of 93
 * % if `run` stops as soon as the interval is narrow. The test tries the latter
 * with a fixed seed and distributions that times have.
 */
#include <math.h>
#include <stdint.h>

#include "tools/common/quantile.h"
#include "tests/tap.h"

enum { MOST = 500, LEAST = 20, BATCH = 10, TRIES = 1000 }; /* as measure.c */

static uint64_t state = 8;

/* Returns a random number in (0, 1), by splitmix64. */
static double uniform(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return ((double)(z >> 11) + 0.5) / 9007199254740992.0;
}

static double gauss(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * acos(-1) * uniform());
}

static double normal(void)
{
	return 10 + gauss();
}

static double skewed(void)
{
	return 10 * exp(0.5 * gauss());
}

static double delayed(void)
{
	return 10 - 5 * log(uniform());
}

static double outliers(void)
{
	return uniform() < 0.9 ? 10 + 0.2 * gauss() : 20 + 3 * gauss();
}

/* Returns a value of a distribution with a heavy tail: its mean is infinite. */
static double heavy(void)
{
	return 10 + pow(uniform(), -1.2);
}

static double two_states(void)
{
	return uniform() < 0.55 ? 10 + 0.3 * gauss() : 13 + 0.3 * gauss();
}

/* The median of the two states is where the lower one has Phi(x) = 10/11. */
static const struct distribution {
	const char *name;
	double (*draw)(void);
	double median;
} distributions[] = {{"normal", normal, 10},
		     {"log-normal", skewed, 10},
		     {"exponential", delayed, 13.465735902799727},
		     {"outliers", outliers, 10.027942},
		     {"heavy tail", heavy, 12.29739670999407},
		     {"two states", two_states, 10.400554}};

/* Returns the probability that the median lies between the low-th and the
 * high-th of n values. */
static double binomial(int n, int low, int high)
{
	double sum = 0;

	for (int k = low; k < high; k++)
		sum += exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) -
			   n * log(2));
	return sum;
}

static void test_ranks(void)
{
	static const int known[][3] = {{8, 1, 8},     {10, 1, 10},
				       {20, 5, 16},   {50, 18, 33},
				       {100, 40, 61}, {500, 228, 273}};
	double values[MOST], low, high, least = 1;

	for (int i = 0; i < MOST; i++)
		values[i] = i + 1;
	for (int k = 0; k < 6; k++) {
		quantile_interval(values, known[k][0], &low, &high);
		ok(low == known[k][1] && high == known[k][2],
		   "of %d values from the %gth to the %gth", known[k][0], low,
		   high);
	}
	for (int n = 8; n <= MOST; n++) {
		quantile_interval(values, n, &low, &high);
		least = fmin(least, binomial(n, (int)low, (int)high));
	}
	ok(least >= 0.95 && least < 0.96, "at least 95 %%, but not much (%.2f)",
	   100 * least);
	quantile_interval(values, 7, &low, &high);
	ok(low == 0 && isinf(high), "of 7 values there is no interval");
	ok(fabs(binomial(20, 6, 15) - 0.9586) < 1e-4, "the binomial itself");
}

/* Takes the samples of a point as `run` does and adds their number to *samples.
 * Returns 1 if the median is in the interval, else 0. */
static int take(const struct distribution *d, double width, int *samples)
{
	double values[MOST], sorted[MOST], low, high;
	int n = 0;

	do {
		for (int k = 0; k < BATCH; k++)
			values[n++] = d->draw();
		memcpy(sorted, values, (size_t)n * sizeof(*values));
		quantile_sort(sorted, n);
	} while (n < MOST && (n < LEAST || quantile_width(sorted, n) > width));
	quantile_interval(sorted, n, &low, &high);
	*samples += n;
	return low <= d->median && d->median <= high;
}

static void test_coverage(void)
{
	for (size_t k = 0; k < sizeof(distributions) / sizeof(*distributions);
	     k++) {
		const struct distribution *d = &distributions[k];
		int in = 0, samples = 0;

		for (int i = 0; i < TRIES; i++)
			in += take(d, 0.05, &samples);
		ok(in >= 0.93 * TRIES,
		   "%s: the median is in %.1f %% of the intervals "
		   "(%.0f samples each)",
		   d->name, 100.0 * in / TRIES, (double)samples / TRIES);
	}
}

static void test_quantiles(void)
{
	static const double some[] = {1, 2, 4, 8}, none[8] = {0};
	double a[8], b[8], p;

	ok(quantile(some, 4, 0) == 1 && quantile(some, 4, 1) == 8 &&
	       quantile(some, 4, 0.5) == 3 && quantile(some, 4, 0.25) == 1.75,
	   "quantiles between values");
	ok(quantile_width(none, 8) == 0, "all zero is narrow");
	for (int i = 0; i < 8; i++) {
		a[i] = i;
		b[i] = i + 8;
	}
	/* U is 0; it has the mean 32 and the variance 64 * 17 / 12 */
	p = quantile_rank_sum(a, 8, b, 8);
	ok(fabs(p - erfc(31.5 / sqrt(64 * 17 / 6.0))) < 1e-12 && p < 0.001,
	   "rank sum of what does not overlap (p %.2g)", p);
	ok(quantile_rank_sum(a, 8, a, 8) == 1, "rank sum of the same");
	ok(quantile_rank_sum(a, 7, b, 8) == 1, "rank sum of few");
}

int main(void)
{
	test_ranks();
	test_coverage();
	test_quantiles();
	return tap_done();
}
