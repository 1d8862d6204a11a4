/* SPDX-License-Identifier: Apache-2.0 */
/* figure.c: selects what a picture shows (see figure.h). */
#include "tools/scale/figure.h"

#include "tools/common/quantile.h"
#include "tools/scale/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a change must exceed noise to count as a crossing */
#define MARGIN 1.05
#define CHANCE 0.01

double figure_x(const struct figure *f, const struct point *p)
{
	return f->ranks ? (double)p->bytes : p->ranks;
}

int figure_curve(const struct figure *f, const char *way)
{
	for (int c = 0; c < f->n; c++)
		if (!strcmp(f->curves[c].way, way))
			return c;
	return -1;
}

static struct curve *curve_of(struct figure *f, const char *way)
{
	int c = figure_curve(f, way);

	if (c >= 0)
		return &f->curves[c];
	if (f->n == FIGURE_CURVES)
		return NULL;
	f->curves[f->n] = (struct curve){.way = way};
	return &f->curves[f->n++];
}

/* Points of a study are sorted by test, ranks, way and bytes, so those of a
 * curve ascend, over bytes and over ranks. */
void figure_collect(struct figure *f, const struct study *study,
		    const struct study *measured)
{
	f->n = 0;
	for (int i = 0; i < study->n; i++) {
		const struct point *p = &study->points[i], *other;
		struct curve *c;

		if (strcmp(p->test, f->test) != 0 ||
		    (f->ranks ? p->ranks != f->ranks : p->bytes != f->bytes))
			continue;
		other = study_find(measured, p);
		if (other && !study_same_choice(p, other))
			continue;
		c = curve_of(f, p->way);
		if (!c)
			continue;
		c->points = scale_grow(c->points, (size_t)c->n + 1,
				       sizeof(struct point *));
		c->points[c->n++] = p;
	}
}

void figure_fini(struct figure *f)
{
	for (int c = 0; c < f->n; c++)
		free(f->curves[c].points);
	f->n = 0;
}

static const struct point *point_at(const struct figure *f, int curve, double x)
{
	const struct curve *c = &f->curves[curve];

	for (int i = 0; i < c->n; i++)
		if (figure_x(f, c->points[i]) == x)
			return c->points[i];
	return NULL;
}

static double median_figure(const struct point *p)
{
	return quantile(p->us, p->n, 0.5);
}

double figure_median(const struct figure *f, int curve, double x)
{
	const struct point *p = point_at(f, curve, x);

	return p ? median_figure(p) : NAN;
}

int figure_positions(const struct figure *f, double **x)
{
	int n = 0, unique = 0;

	*x = NULL;
	for (int c = 0; c < f->n; c++)
		for (int i = 0; i < f->curves[c].n; i++) {
			*x = scale_grow(*x, (size_t)n + 1, sizeof(**x));
			(*x)[n++] = figure_x(f, f->curves[c].points[i]);
		}
	if (n)
		quantile_sort(*x, n);
	for (int i = 0; i < n; i++)
		if (!unique || (*x)[i] != (*x)[unique - 1])
			(*x)[unique++] = (*x)[i];
	return unique;
}

static int is_default(const struct curve *c)
{
	return !strcmp(c->way, "default");
}

/* Returns whether p is faster by the margin and, given enough samples, not by
 * chance. */
static int is_faster(const struct point *p, const struct point *than)
{
	double chance = quantile_rank_sum(p->us, p->n, than->us, than->n);

	return median_figure(p) * MARGIN < median_figure(than) &&
	       (p->n < QUANTILE_FEW || than->n < QUANTILE_FEW ||
		chance < CHANCE);
}

int figure_fastest(const struct figure *f, double x, int before)
{
	const struct point *best = NULL, *old, *p;
	int fastest = -1;

	for (int c = 0; c < f->n; c++) {
		p = is_default(&f->curves[c]) ? NULL : point_at(f, c, x);
		/* a median of 0 means that the clock saw nothing */
		if (p && median_figure(p) > 0 &&
		    (!best || median_figure(p) < median_figure(best))) {
			best = p;
			fastest = c;
		}
	}
	old = best && before >= 0 ? point_at(f, before, x) : NULL;
	return old && !is_faster(best, old) ? before : fastest;
}

/* Returns how much slower than the fastest the curve is on average; 0 if it
 * must be shown, because it is the fastest somewhere or the default. */
static double figure_slowdown(const struct figure *f, int curve,
			      const double *x, int n)
{
	double sum = 0;
	int best = -1, seen = 0;

	if (is_default(&f->curves[curve]))
		return 0;
	for (int i = 0; i < n; i++) {
		double us = figure_median(f, curve, x[i]);

		best = figure_fastest(f, x[i], best);
		if (best == curve)
			return 0;
		if (best < 0 || isnan(us))
			continue;
		sum += log(us / figure_median(f, best, x[i]));
		seen++;
	}
	return seen ? exp(sum / seen) : INFINITY;
}

void figure_choose(struct figure *f, int most, const struct figure *with)
{
	double slow[FIGURE_CURVES] = {0}, *x;
	int n = figure_positions(f, &x);

	for (int c = 0; c < f->n; c++)
		slow[c] = with && figure_curve(with, f->curves[c].way) >= 0
			      ? -1
			      : figure_slowdown(f, c, x, n);
	free(x);
	while (f->n > most) {
		int worst = 0;

		for (int c = 1; c < f->n; c++)
			if (slow[c] >= slow[worst])
				worst = c;
		free(f->curves[worst].points);
		f->n--;
		for (int c = worst; c < f->n; c++) {
			f->curves[c] = f->curves[c + 1];
			slow[c] = slow[c + 1];
		}
	}
}
