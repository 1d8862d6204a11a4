/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim_noise.c: what disturbs ranks: noise of single uses of a CPU, and jitter
 * of whole ranks. Both are functions of the seed, not of time.
 *
 * Source: order statistics of the generalized Pareto distribution: B. Arnold,
 * N. Balakrishnan, H. Nagaraja, "A First Course in Order Statistics", 1992.
 * Permutation: M. Luby, C. Rackoff, SIAM Journal on Computing 17 (1988).
 */
#include <math.h>

#include "tools/sim/sim_machine.h"

/* ---- Noise: a function of rank, step, use and seed ---- */

static uint64_t sim_noise_mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

/* Returns a number in (0, 1]. */
static double sim_noise_uniform(uint64_t x)
{
	return (double)((x >> 11) + 1) * 0x1p-53;
}

void machine_noise(const struct sim_machine *m, struct moment *at, int rank,
		   uint32_t step, unsigned use)
{
	const struct sim_job *j = m->job;
	uint64_t x;

	if (j->noise <= 0)
		return;
	x = sim_noise_mix(
	    sim_noise_mix(j->seed ^ sim_noise_mix((uint64_t)rank)) ^
	    step * 4ull ^ use);
	if (sim_noise_uniform(x) > j->noise_chance)
		return;
	moment_add(at, SIM_OVERHEAD,
		   (int64_t)llround(-log(sim_noise_uniform(sim_noise_mix(x))) *
				    j->noise * 1e3));
}

/* ---- Jitter ---- */

/* Returns 1 + 1/2 + ... + 1/n. */
static double sim_noise_harmonic(int n)
{
	double sum = 0;

	if (n > 32) /* Euler's constant; the next term is below 1e-8 */
		return log(n) + 0.57721566490153286 + 0.5 / n -
		       1 / (12.0 * n * n);
	for (int k = 1; k <= n; k++)
		sum += 1.0 / k;
	return sum;
}

/* Returns the expected value, in means, of what is exceeded by `above` of n
 * values. */
static double order_statistic(int above, int n, double tail)
{
	if (tail <= 0)
		return sim_noise_harmonic(n) - sim_noise_harmonic(above);
	return (1 - tail) / tail *
	       (exp(lgamma(n + 1.0) - lgamma(n + 1 - tail) +
		    lgamma(above + 1 - tail) - lgamma(above + 1.0)) -
		1);
}

/* Returns x, of 0 .. n - 1, at its place in an order that the seed chooses: a
 * cipher of the least even number of bits, repeated until the place is in
 * range. */
static uint32_t sim_noise_shuffled(uint64_t seed, uint32_t x, uint32_t n)
{
	uint32_t half = 1, mask;

	while (1ull << 2 * half < n)
		half++;
	mask = (1u << half) - 1;
	do {
		uint32_t left = x >> half, right = x & mask;

		for (uint64_t k = 0; k < 4; k++) {
			uint32_t next =
			    left ^
			    (sim_noise_mix(sim_noise_mix(seed ^ k) ^ right) &
			     mask);

			left = right;
			right = next;
		}
		x = left << half | right;
	} while (x >= n);
	return x;
}

static int64_t sim_noise_late(const struct sim_machine *m, int above)
{
	const struct sim_fabric *f = m->job->fabric;

	return (int64_t)llround(
	    f->jitter * order_statistic(above, m->ranks, f->jitter_tail) * 1e3);
}

static bool has_jitter(const struct sim_machine *m)
{
	return m->job->fabric->jitter > 0 && !m->job->begins;
}

int64_t machine_jitter(const struct sim_machine *m, int rank)
{
	return has_jitter(m)
		   ? sim_noise_late(m, (int)sim_noise_shuffled(
					   m->job->seed, (uint32_t)rank,
					   (uint32_t)m->ranks))
		   : 0;
}

int64_t machine_latest(const struct sim_machine *m)
{
	return has_jitter(m) ? sim_noise_late(m, 0) : 0;
}
