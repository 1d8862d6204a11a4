/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jitter.c: by how much ranks begin late: by the expected order statistics of
 * the distribution that the fabric names, dealt to the ranks by the seed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"
#include "tests/unit/tools/sim/bench_fabric.h"

enum { RANKS = 100 };
#define MEAN 83

/* Keeps when the first step of each rank began. */
static void see(void *to, const struct sim_seen *step)
{
	double *begins = to;

	if (step->step == 0)
		begins[step->rank] = step->begin;
}

/* Simulates a barrier. Sets when each of its n ranks begins. */
static int begins_of(double *begins, int n, double tail, uint64_t seed)
{
	struct sim_fabric fabric = bench_fabric(false);
	struct sim_job job = {.fabric = &fabric,
			      .nodes = n,
			      .ppn = 1,
			      .collective = COLL_BARRIER,
			      .type_size = 1,
			      .seed = seed,
			      .engine = SIM_HEAP,
			      .see = see,
			      .to = begins};
	struct sim_result result;
	char why[256];

	fabric.jitter = MEAN;
	fabric.jitter_tail = tail;
	select_parse(COLL_BARRIER, "dissemination", &job.choice, why,
		     sizeof(why));
	return sim_run(&job, &result, why, sizeof(why));
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Tests the times of n ranks against the sums and products that define the
 * order statistics. */
static void test_order(int n, double tail)
{
	double begins[RANKS], sum = 0, product = 1, mean = 0, worst = 0;

	ok(!begins_of(begins, n, tail, 1), "%d ranks, tail %.2f", n, tail);
	qsort(begins, (size_t)n, sizeof(*begins), ascending);
	for (int k = 0; k < n; k++) {
		double i = n - k, want;

		sum += 1 / i;
		product *= i / (i - tail);
		want =
		    MEAN * (tail > 0 ? (1 - tail) / tail * (product - 1) : sum);
		mean += begins[k] / n;
		worst = fmax(worst, fabs(begins[k] - want));
	}
	ok(worst < 2e-3, "... order statistics: within %.4f ns", worst);
	ok(fabs(mean - MEAN) < 2e-3, "... and their mean: %.3f ns", mean);
}

static void test_seeds(void)
{
	double a[RANKS], b[RANKS], c[RANKS];
	int moved = 0, neighbors = 0;

	ok(!begins_of(a, RANKS, 0, 1) && !begins_of(b, RANKS, 0, 1) &&
	       !begins_of(c, RANKS, 0, 2),
	   "two seeds");
	ok(!memcmp(a, b, sizeof(a)), "the same seed deals the same times");
	for (int r = 0; r < RANKS; r++)
		moved += fabs(a[r] - c[r]) > 1e-3;
	ok(moved > RANKS * 9 / 10, "another one deals others to %d ranks",
	   moved);
	for (int r = 1; r < RANKS; r++)
		neighbors += a[r] > a[r - 1];
	ok(neighbors > RANKS / 3 && neighbors < RANKS * 2 / 3,
	   "not in the order of ranks: %d are later than the one before",
	   neighbors);
}

int main(void)
{
	static const int ranks[] = {2, 3, 16, 64, 100};

	for (size_t k = 0; k < sizeof(ranks) / sizeof(*ranks); k++) {
		test_order(ranks[k], 0);
		test_order(ranks[k], 0.5);
	}
	test_order(RANKS, 0.9);
	test_seeds();
	return tap_done();
}
