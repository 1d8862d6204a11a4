/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exactsum.c: sums that do not depend on the order of their terms (see
 * exactsum.h). Must be compiled without contraction to fused multiply-add and
 * without -ffast-math.
 */
#include "apps/common/exactsum.h"

#include <float.h>
#include <math.h>
#include <mrt.h>

/* Independent chains keep the adder busy; exactness allows any order. */
#define LANES 4
/* The elements of the next sum may exceed those of the last so many times. */
#define GUESS 4096.0

/* Empties the sum and sets its levels for elements up to `bound`. */
static void exactsum_reset(struct exactsum *s, double bound)
{
	double top;
	int e;

	/* keeps the lowest level above subnormal numbers */
	bound = fmin(fmax(bound, 1e-200), 1e280);
	frexp(bound, &e);
	s->bound = ldexp(1.0, e);
	top = s->bound * s->headroom;
	for (int k = 0; k < EXACTSUM_LEVELS; k++) {
		s->sigma[k] = top * 2;
		/* what a level leaves is below its ulp, n times */
		top = s->sigma[k] * DBL_EPSILON * s->headroom;
		s->part[k] = 0;
	}
	s->over = s->max = 0;
}

void exactsum_init(struct exactsum *s, size_t terms, double bound)
{
	int e;

	frexp((double)terms + 2, &e);
	s->headroom = ldexp(1.0, e);
	exactsum_reset(s, bound);
}

static inline void add_one(double v, const double sigma[], double part[])
{
	for (int k = 0; k < EXACTSUM_LEVELS; k++) {
		double q = (sigma[k] + v) - sigma[k];

		part[k * LANES] += q;
		v -= q;
	}
}

void exactsum_add(struct exactsum *s, const double *a, const double *b,
		  size_t n)
{
	const double sigma[] = {s->sigma[0], s->sigma[1], s->sigma[2]};
	double part[EXACTSUM_LEVELS * LANES] = {0};
	double bound = s->bound, max = s->max, over = 0;

	for (size_t i = 0; i < n; i++) {
		double v = b ? a[i] * b[i] : a[i];

		if (!(fabs(v) <= bound)) {
			over++;
			max = fmax(max, fabs(v));
		}
		add_one(v, sigma, part + i % LANES);
	}
	for (int k = 0; k < EXACTSUM_LEVELS; k++)
		for (int j = 0; j < LANES; j++)
			s->part[k] += part[k * LANES + j];
	s->max = max;
	s->over += over;
}

/* Handles elements above their bound: returns 1 if better bounds were found. */
static int raise_bounds(struct exactsum *s, int k, const double over[])
{
	double mine[EXACTSUM_MAX] = {0}, max[EXACTSUM_MAX];
	int again = 1;

	for (int i = 0; i < k; i++)
		mine[i] = s[i].max;
	mrt_allreduce(mine, max, (size_t)k, MRT_DOUBLE, MRT_MAX,
		      MRT_COMM_WORLD);
	for (int i = 0; i < k; i++) {
		/* a NaN exceeds every bound but is not a maximum */
		if (over[i] > 0 && !(max[i] > s[i].bound && max[i] < 1e280))
			again = 0;
		exactsum_reset(&s[i], fmax(max[i], s[i].bound));
	}
	return again;
}

int exactsum_reduce(struct exactsum *s, int k, double out[])
{
	const size_t width = EXACTSUM_LEVELS + 1;
	double mine[EXACTSUM_MAX * (EXACTSUM_LEVELS + 1)] = {0};
	double all[EXACTSUM_MAX * (EXACTSUM_LEVELS + 1)];
	double over[EXACTSUM_MAX], overs = 0;

	for (int i = 0; i < k; i++) {
		double *row = mine + (size_t)i * width;

		for (int l = 0; l < EXACTSUM_LEVELS; l++)
			row[l] = s[i].part[l];
		row[EXACTSUM_LEVELS] = s[i].over;
	}
	mrt_allreduce(mine, all, (size_t)k * width, MRT_DOUBLE, MRT_SUM,
		      MRT_COMM_WORLD);
	for (int i = 0; i < k; i++)
		overs += over[i] = all[(size_t)i * width + EXACTSUM_LEVELS];
	if (overs > 0 && raise_bounds(s, k, over))
		return 1;
	for (int i = 0; i < k; i++) {
		const double *row = all + (size_t)i * width;

		out[i] = overs > 0 ? NAN : row[0] + (row[1] + row[2]);
		exactsum_reset(&s[i],
			       overs > 0 ? s[i].bound : fabs(out[i]) * GUESS);
	}
	return 0;
}
