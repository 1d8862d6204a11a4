/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibrate.c: the method of calibrate.h. Two limits of message lengths are not
 * smooth parameters; they are searched for in powers of two and of four.
 *
 * Source: K. Levenberg, Quarterly of Applied Mathematics 2 (1944); D.
 * Marquardt, SIAM Journal on Applied Mathematics 11 (1963); K. Lange, R.
 * Little, J. Taylor, "Robust statistical modeling using the t distribution",
 * JASA 84 (1989).
 */
#include "tools/scale/calibrate.h"

#include "tools/scale/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORK = 200000 }; /* messages to be simulated for each set of values */
#define SPREAD 0.15	/* of the logarithms, as far as it is expected */
#define FREEDOM 4
#define STEP 0.03 /* of a logarithm, for derivatives */
#define Z80 1.2816

struct fit {
	const struct sim_fabric *base;
	const struct sim_topology *topology;
	struct times_row *rows;
	int n;
	double prior[PARAMETERS], width[PARAMETERS], theta[PARAMETERS];
	double *residual, *slope; /* [n], [n][PARAMETERS] */
	double normal[PARAMETERS][PARAMETERS], gradient[PARAMETERS];
	double damping;
	int steps; /* so far */
	struct calibration now;
};

/* ---- Residuals ---- */

/* Sets residuals to ln(predicted / measured) / SPREAD; 0 if there is no
 * prediction. */
static void calibrate_predict(struct fit *f, const double *theta,
			      double *residual)
{
	parameters_apply(&f->now, f->base, theta);
	for (int i = 0; i < f->n; i++) {
		struct times_row *r = &f->rows[i];

		times_predict(r, &f->now.fabric, f->topology);
		residual[i] = log(r->predicted / r->us) / SPREAD;
		if (!isfinite(residual[i]))
			residual[i] = 0;
	}
}

static double cost_of(const struct fit *f, const double *theta,
		      const double *residual)
{
	double cost = 0;

	for (int i = 0; i < f->n; i++)
		cost += (FREEDOM + 1) / 2.0 *
			log1p(residual[i] * residual[i] / FREEDOM);
	for (int k = 0; k < PARAMETERS; k++)
		cost += pow((theta[k] - f->prior[k]) / f->width[k], 2) / 2;
	return cost;
}

/* Sets slopes, the normal matrix and the gradient at theta. */
static void calibrate_linearize(struct fit *f)
{
	double theta[PARAMETERS];
	double *moved = scale_alloc((size_t)f->n, sizeof(*moved));

	memset(f->normal, 0, sizeof(f->normal));
	for (int k = 0; k < PARAMETERS; k++) {
		memcpy(theta, f->theta, sizeof(theta));
		theta[k] += STEP;
		calibrate_predict(f, theta, moved);
		for (int i = 0; i < f->n; i++)
			f->slope[i * PARAMETERS + k] =
			    (moved[i] - f->residual[i]) / STEP;
		f->gradient[k] =
		    (f->theta[k] - f->prior[k]) / (f->width[k] * f->width[k]);
		f->normal[k][k] = 1 / (f->width[k] * f->width[k]);
	}
	free(moved);
	for (int i = 0; i < f->n; i++) {
		const double *s = &f->slope[i * PARAMETERS];
		double r = f->residual[i];
		double weight = (FREEDOM + 1) / (FREEDOM + r * r);

		for (int k = 0; k < PARAMETERS; k++) {
			f->gradient[k] += weight * s[k] * r;
			for (int l = 0; l < PARAMETERS; l++)
				f->normal[k][l] += weight * s[k] * s[l];
		}
	}
}

/* ---- Linear algebra ---- */

/* Solves (normal + damping on the diagonal) x = b by Cholesky's method; the
 * matrix is positive definite, by the widths of the priors. */
static void calibrate_solve(const struct fit *f, double damping,
			    const double *b, double *x)
{
	double l[PARAMETERS][PARAMETERS] = {{0}};

	for (int i = 0; i < PARAMETERS; i++)
		for (int k = 0; k <= i; k++) {
			double sum =
			    f->normal[i][k] * (i == k ? 1 + damping : 1);

			for (int j = 0; j < k; j++)
				sum -= l[i][j] * l[k][j];
			l[i][k] = i == k ? sqrt(sum) : sum / l[k][k];
		}
	for (int i = 0; i < PARAMETERS; i++) {
		x[i] = b[i];
		for (int j = 0; j < i; j++)
			x[i] -= l[i][j] * x[j];
		x[i] /= l[i][i];
	}
	for (int i = PARAMETERS - 1; i >= 0; i--) {
		for (int j = i + 1; j < PARAMETERS; j++)
			x[i] -= l[j][i] * x[j];
		x[i] /= l[i][i];
	}
}

/* ---- The search ---- */

/* Takes a step that lessens the cost. Returns by how much; 0 if none does. */
static double calibrate_step(struct fit *f, double cost)
{
	double to[PARAMETERS], by[PARAMETERS], next;
	double *residual = scale_alloc((size_t)f->n, sizeof(*residual));

	for (int tries = 0; tries < 8; tries++) {
		calibrate_solve(f, f->damping, f->gradient, by);
		for (int k = 0; k < PARAMETERS; k++)
			to[k] = f->theta[k] - fmax(-1, fmin(1, by[k]));
		calibrate_predict(f, to, residual);
		next = cost_of(f, to, residual);
		if (next < cost) {
			memcpy(f->theta, to, sizeof(to));
			memcpy(f->residual, residual,
			       (size_t)f->n * sizeof(*residual));
			f->damping = fmax(f->damping / 5, 1e-4);
			free(residual);
			return cost - next;
		}
		f->damping *= 5;
	}
	free(residual);
	return 0;
}

/* Shows on a terminal that a fit goes on; it may take minutes. */
static void show_step(struct fit *f, double cost)
{
	f->steps++;
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\rfit to %d rows: step %d, cost %.1f \033[K",
			f->n, f->steps, cost);
}

static void hide_steps(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

/* Goes on from theta. Returns the cost. */
static double calibrate_descend(struct fit *f, int steps)
{
	double cost, less = INFINITY;

	calibrate_predict(f, f->theta, f->residual);
	cost = cost_of(f, f->theta, f->residual);
	f->damping = 0.01;
	for (int k = 0; k < steps && less > 1e-3 * cost; k++) {
		calibrate_linearize(f);
		less = calibrate_step(f, cost);
		cost -= less;
		show_step(f, cost);
	}
	return cost;
}

/* Tries values of one limit, and keeps the best one and its theta. */
static void search_limit(struct fit *f, uint64_t *limit, const uint64_t *values,
			 int n)
{
	double start[PARAMETERS], best[PARAMETERS], least = INFINITY, cost;
	uint64_t chosen = *limit;

	memcpy(start, f->theta, sizeof(start));
	memcpy(best, start, sizeof(best));
	for (int k = 0; k < n; k++) {
		*limit = values[k];
		memcpy(f->theta, start, sizeof(start));
		cost = calibrate_descend(f, 3);
		if (cost < least - (chosen == values[k] ? 0 : 1)) {
			least = cost;
			chosen = values[k];
			memcpy(best, f->theta, sizeof(best));
		}
	}
	*limit = chosen;
	memcpy(f->theta, best, sizeof(best));
}

static void calibrate_search(struct fit *f)
{
	static const uint64_t eager[] = {8176,	1024,  2048, 4096,
					 16384, 32768, 65536};
	static const uint64_t medium[] = {SIM_NO_LIMIT, 1 << 18, 1 << 20,
					  1 << 22, 1 << 24};

	f->now.eager = eager[0];
	f->now.medium = medium[0];
	calibrate_descend(f, 6);
	search_limit(f, &f->now.eager, eager, 7);
	search_limit(f, &f->now.medium, medium, 5);
	search_limit(f, &f->now.eager, eager, 7);
	f->now.cost = calibrate_descend(f, 20);
}

/* Sets the intervals, from the curvature of the cost. */
static void set_intervals(struct fit *f)
{
	struct calibration *c = &f->now;

	calibrate_linearize(f);
	parameters_apply(c, f->base, f->theta);
	for (int k = 0; k < PARAMETERS; k++) {
		double unit[PARAMETERS] = {0}, column[PARAMETERS], deviation;

		unit[k] = 1;
		calibrate_solve(f, 0, unit, column);
		deviation = sqrt(column[k]);
		c->left[k] = deviation / f->width[k];
		c->low[k] = c->value[k] * exp(-Z80 * deviation);
		c->high[k] = c->value[k] * exp(Z80 * deviation);
	}
}

static int by_work(const void *a, const void *b)
{
	const struct times_row *x = a, *y = b;

	return (x->work > y->work) - (x->work < y->work);
}

bool calibrate_holds_out(const struct calibrate_rows *rows,
			 const struct times_row *row)
{
	return times_ranks(row) > rows->max_ranks ||
	       (rows->without && !strcmp(times_name(row), rows->without));
}

/* Takes the rows to be fitted, less those whose simulation would take most of
 * the time. */
static void take_rows(struct fit *f, const struct times *t,
		      const struct calibrate_rows *rows)
{
	double work = 0;
	int n = 0;

	f->rows = scale_alloc((size_t)t->n, sizeof(*f->rows));
	for (int i = 0; i < t->n; i++)
		if (!calibrate_holds_out(rows, &t->rows[i])) {
			f->rows[n] = t->rows[i];
			times_predict(&f->rows[n++], f->base, f->topology);
		}
	qsort(f->rows, (size_t)n, sizeof(*f->rows), by_work);
	while (f->n < n && work + f->rows[f->n].work <= WORK)
		work += f->rows[f->n++].work;
}

/* Goes on from another fit. */
static void calibrate_continue(struct fit *f, const struct calibration *start)
{
	enum { STEPS = 4 };

	for (int k = 0; k < PARAMETERS; k++)
		f->theta[k] = log(start->value[k]);
	f->now.eager = start->eager;
	f->now.medium = start->medium;
	f->now.cost = calibrate_descend(f, STEPS);
}

void calibrate(const struct times *t, const struct calibrate_rows *rows,
	       const struct sim_fabric *base,
	       const struct sim_topology *topology,
	       const struct calibration *start, struct calibration *c)
{
	struct fit f = {.base = base, .topology = topology};

	take_rows(&f, t, rows);
	f.residual = scale_alloc((size_t)f.n, sizeof(*f.residual));
	f.slope = scale_alloc((size_t)f.n * PARAMETERS, sizeof(*f.slope));
	parameters_of(base, f.prior, f.width);
	memcpy(f.theta, f.prior, sizeof(f.theta));
	if (start)
		calibrate_continue(&f, start);
	else
		calibrate_search(&f);
	set_intervals(&f);
	hide_steps();
	f.now.rows = f.n;
	*c = f.now;
	free(f.rows);
	free(f.residual);
	free(f.slope);
}
