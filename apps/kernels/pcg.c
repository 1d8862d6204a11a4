/* SPDX-License-Identifier: Apache-2.0 */
/* pcg.c: preconditioned conjugate gradients (see pcg.h). */
#include "apps/kernels/pcg.h"

#include "apps/common/exactsum.h"

#include <math.h>
#include <mrt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Consecutive restarts that may fail to halve the residual. */
#define RESTARTS_MAX 3
/* Seconds between progress lines. */
#define PROGRESS_EVERY 0.4

struct solver {
	struct dmat *m;
	const struct pcg_options *opt;
	size_t rows;
	const double *b;
	double *x;
	double *r;
	double *z; /* [rows] preconditioned residual; r itself without Jacobi */
	double *p; /* search direction, with room for foreign entries */
	double *q; /* A p */
	double *inverse; /* of the diagonal; NULL without Jacobi */
	double bnorm;
	double rz; /* r . z */
	double rr; /* r . r */
	struct exactsum sum_pq;
	struct exactsum sums[2]; /* r . z and r . r */
	long iterations;
	double last_progress;
};

static void reduce_rz(struct solver *s)
{
	struct phases *watch = s->opt->watch;
	double out[2];
	int again;

	do {
		phases_switch(watch, PCG_DOT);
		exactsum_add(&s->sums[0], s->r, s->z, s->rows);
		exactsum_add(&s->sums[1], s->r, s->r, s->rows);
		phases_switch(watch, PCG_REDUCE);
		again = exactsum_reduce(s->sums, 2, out);
	} while (again);
	phases_switch(watch, PCG_VECTOR);
	s->rz = out[0];
	s->rr = out[1];
}

static double reduce_pq(struct solver *s)
{
	struct phases *watch = s->opt->watch;
	double out;
	int again;

	do {
		phases_switch(watch, PCG_DOT);
		exactsum_add(&s->sum_pq, s->p, s->q, s->rows);
		phases_switch(watch, PCG_REDUCE);
		again = exactsum_reduce(&s->sum_pq, 1, &out);
	} while (again);
	phases_switch(watch, PCG_VECTOR);
	return out;
}

/* Computes z = M^-1 r, then r . z and r . r. */
static void pcg_precondition(struct solver *s)
{
	if (s->inverse) {
		phases_switch(s->opt->watch, PCG_PRECOND);
		for (size_t i = 0; i < s->rows; i++)
			s->z[i] = s->inverse[i] * s->r[i];
	}
	reduce_rz(s);
}

/* Computes r = b - A x from x itself. */
static void true_residual(struct solver *s)
{
	dmat_multiply(s->m, s->x, s->r, s->opt->watch, PCG_HALO, PCG_SPMV);
	for (size_t i = 0; i < s->rows; i++)
		s->r[i] = s->b[i] - s->r[i];
	pcg_precondition(s);
}

static double pcg_relative(const struct solver *s)
{
	return sqrt(s->rr) / s->bnorm;
}

static void show_progress(struct solver *s)
{
	double now;

	if (!s->opt->progress)
		return;
	now = mrt_wtime();
	if (now - s->last_progress < PROGRESS_EVERY)
		return;
	s->last_progress = now;
	fprintf(stderr, "\riteration %ld, residual %.2e ", s->iterations,
		pcg_relative(s));
	fflush(stderr);
}

/* Makes one step along p. Returns 0, or -1 if the matrix turns out not to be
 * positive definite. */
static int pcg_step(struct solver *s)
{
	double pq, alpha;

	dmat_multiply(s->m, s->p, s->q, s->opt->watch, PCG_HALO, PCG_SPMV);
	pq = reduce_pq(s);
	if (!(pq > 0) || !(s->rz > 0))
		return -1;
	alpha = s->rz / pq;
	for (size_t i = 0; i < s->rows; i++) {
		s->x[i] += alpha * s->p[i];
		s->r[i] -= alpha * s->q[i];
	}
	pcg_precondition(s);
	s->iterations++;
	show_progress(s);
	return 0;
}

static void pcg_turn(struct solver *s, double beta)
{
	for (size_t i = 0; i < s->rows; i++)
		s->p[i] = s->z[i] + beta * s->p[i];
}

/* Iterates from the residual in r until the recurrence says converged. Returns
 * 0 or -1. */
static int pcg_iterate(struct solver *s)
{
	memcpy(s->p, s->z, s->rows * sizeof(*s->p));
	while (s->iterations < s->opt->max_iter) {
		double before = s->rz;

		if (pcg_step(s))
			return -1;
		if (pcg_relative(s) <= s->opt->tol)
			return 0;
		pcg_turn(s, s->rz / before);
	}
	return 0;
}

static enum pcg_outcome solve_pcg(struct solver *s, struct pcg_result *result)
{
	double best = INFINITY;
	int fruitless = 0;

	for (;;) {
		int indefinite = pcg_iterate(s);

		true_residual(s);
		result->residual = pcg_relative(s);
		if (result->residual <= s->opt->tol)
			return PCG_CONVERGED;
		if (indefinite)
			return PCG_INDEFINITE;
		if (s->iterations >= s->opt->max_iter)
			return PCG_MAX_ITER;
		fruitless = result->residual < best / 2 ? 0 : fruitless + 1;
		if (fruitless > RESTARTS_MAX)
			return PCG_STAGNATED;
		best = fmin(best, result->residual);
		result->restarts++;
	}
}

/* Refuses a diagonal that is not positive: Jacobi would divide by zero, and the
 * matrix is not positive definite anyway. All ranks return the same. */
static int set_up_jacobi(struct solver *s)
{
	int bad = 0;

	if (s->opt->precond == PCG_NONE)
		return 0;
	s->inverse = dmat_vector(s->m);
	s->z = dmat_vector(s->m);
	dmat_diagonal(s->m, s->inverse);
	for (size_t i = 0; i < s->rows; i++) {
		bad |= !(s->inverse[i] > 0);
		s->inverse[i] = 1 / s->inverse[i];
	}
	mrt_allreduce(MRT_IN_PLACE, &bad, 1, MRT_INT, MRT_MAX, MRT_COMM_WORLD);
	return bad;
}

static void set_up(struct solver *s)
{
	size_t n = (size_t)s->m->n;

	s->rows = (size_t)s->m->rows.rows;
	s->r = dmat_vector(s->m);
	s->p = dmat_vector(s->m);
	s->q = dmat_vector(s->m);
	s->z = s->r;
	exactsum_init(&s->sum_pq, n, 1);
	exactsum_init(&s->sums[0], n, 1);
	exactsum_init(&s->sums[1], n, 1);
}

static void tear_down(struct solver *s)
{
	if (s->inverse)
		free(s->z);
	free(s->inverse);
	free(s->q);
	free(s->p);
	free(s->r);
}

void pcg_solve(struct dmat *m, const double *b, double *x,
	       const struct pcg_options *opt, struct pcg_result *result)
{
	struct solver s = {.m = m, .opt = opt, .b = b, .x = x};

	*result = (struct pcg_result){.outcome = PCG_CONVERGED};
	phases_switch(opt->watch, PCG_VECTOR);
	set_up(&s);
	memcpy(s.r, b, s.rows * sizeof(*b));
	if (set_up_jacobi(&s)) {
		result->outcome = PCG_INDEFINITE;
		result->residual = 1;
	} else {
		pcg_precondition(&s);
		s.bnorm = sqrt(s.rr);
		if (s.bnorm > 0)
			result->outcome = solve_pcg(&s, result);
	}
	result->iterations = s.iterations;
	if (opt->progress)
		fputs("\r\033[K", stderr);
	phases_switch(opt->watch, PCG_OTHER);
	tear_down(&s);
}
