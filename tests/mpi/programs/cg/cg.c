/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cg.c solves a Poisson equation on a square by conjugate gradients. The rows
 * are shared out; the right side makes the solution known.
 */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_MPI_H
#include <mpi.h>
#endif

enum { SIDE = 40 };

static int rank, size, nrows, first;

/* A vector has a row of halo on both sides. */
static double *vector(void)
{
	return calloc((size_t)(nrows + 2) * SIDE, sizeof(double));
}

static double dot(const double *a, const double *b)
{
	double sum = 0;

	for (int i = SIDE; i < (nrows + 1) * SIDE; i++)
		sum += a[i] * b[i];
	MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM,
		      MPI_COMM_WORLD);
	return sum;
}

/* Computes y += s x, or y = x + s y. */
static void add(double *y, double s, const double *x)
{
	for (int i = SIDE; i < (nrows + 1) * SIDE; i++)
		y[i] += s * x[i];
}

static void scale_add(double *y, double s, const double *x)
{
	for (int i = SIDE; i < (nrows + 1) * SIDE; i++)
		y[i] = x[i] + s * y[i];
}

static void exchange(double *x)
{
	int up = rank ? rank - 1 : MPI_PROC_NULL;
	int down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;

	MPI_Sendrecv(x + SIDE, SIDE, MPI_DOUBLE, up, 1, x + (nrows + 1) * SIDE,
		     SIDE, MPI_DOUBLE, down, 1, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	MPI_Sendrecv(x + nrows * SIDE, SIDE, MPI_DOUBLE, down, 2, x, SIDE,
		     MPI_DOUBLE, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Computes y = A x with the five-point stencil. */
static void apply(double *x, double *y)
{
	exchange(x);
	for (int r = 1; r <= nrows; r++) {
		for (int c = 0; c < SIDE; c++) {
			int i = r * SIDE + c;

			y[i] = 4 * x[i] - x[i - SIDE] - x[i + SIDE];
			if (c > 0)
				y[i] -= x[i - 1];
			if (c + 1 < SIDE)
				y[i] -= x[i + 1];
		}
	}
}

static int solve(const double *b, double *x)
{
	double *r = vector(), *p = vector(), *q = vector();
	double old, new, end;
	int steps = 0;

	add(r, 1, b);
	add(p, 1, b);
	old = dot(r, r);
	end = 1e-24 * old;
	for (; old > end && steps < 1000; steps++) {
		double alpha;

		apply(p, q);
		alpha = old / dot(p, q);
		add(x, alpha, p);
		add(r, -alpha, q);
		new = dot(r, r);
		scale_add(p, new / old, r);
		old = new;
	}
	free(r);
	free(p);
	free(q);
	return steps;
}

int main(int argc, char **argv)
{
	double *known, *b, *x, worst = 0, all;
	int steps;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	first = SIDE * rank / size;
	nrows = SIDE * (rank + 1) / size - first;
	known = vector();
	b = vector();
	x = vector();
	for (int i = 0; i < nrows * SIDE; i++)
		known[SIDE + i] = sin(0.37 * (first * SIDE + i)) + 2;
	apply(known, b);
	steps = solve(b, x);
	for (int i = SIDE; i < (nrows + 1) * SIDE; i++)
		worst = fmax(worst, fabs(x[i] - known[i]));
	MPI_Allreduce(&worst, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	if (rank == 0)
		printf("cg: %d steps, error %.1e\n", steps, all);
	free(known);
	free(b);
	free(x);
	MPI_Finalize();
	return all > 1e-8;
}
