/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plot_draw.c: one picture by gnuplot, as SVG and as PNG, both axes logarithmic:
 * measured medians as points in a band from the 25 % to the 75 % quantile,
 * predictions as dashed lines, and a dotted line where another algorithm
 * becomes the fastest.
 */
#include "apps/scale/plot.h"

#include "apps/common/app.h"
#include "apps/common/gnuplot.h"
#include "apps/scale/figure.h"
#include "apps/scale/quantile.h"
#include "apps/scale/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CURVES_MAX 8 /* more cannot be told from each other */

static void print_data(const struct figure *f, char letter, FILE *s)
{
	for (int c = 0; c < f->n; c++) {
		fprintf(s, "$%c%d << END\n", letter, c);
		for (int i = 0; i < f->curves[c].n; i++) {
			const struct point *p = f->curves[c].points[i];
			double us = quantile(p->us, p->n, 0.5);

			/* the axis has no place for what no clock has seen */
			if (us > 0)
				fprintf(s, "%.15g %.6g %.6g %.6g\n",
					figure_x(f, p), us,
					fmax(quantile(p->us, p->n, 0.25),
					     us / 1000),
					quantile(p->us, p->n, 0.75));
		}
		fputs("END\n", s);
	}
}

/* Of the predictions if there are no measurements. */
static void mark_crossings(const struct figure *f, FILE *s)
{
	double *x;
	int n = figure_positions(f, &x), best = -1;

	for (int i = 0; i < n; i++) {
		int next = figure_fastest(f, x[i], best);

		if (i && best >= 0 && next >= 0 && next != best) {
			double a[2], b[2];

			for (int k = 0; k < 2; k++) {
				a[k] = figure_median(f, best, x[i - 1 + k]);
				b[k] = figure_median(f, next, x[i - 1 + k]);
			}
			gnuplot_mark(s, gnuplot_crossing(&x[i - 1], a, b),
				     f->curves[next].way);
		}
		best = next;
	}
	free(x);
}

/* A way has one colour, measured or predicted; the default is black. (Wong,
 * "Points of view: color blindness", Nature Methods 2011, and two more.) */
static const char *colour(const struct figure *measured,
			  const struct figure *predicted, const char *way)
{
	static const char *const palette[] = {"#0072B2", "#D55E00", "#009E73",
					      "#CC79A7", "#E69F00", "#56B4E9",
					      "#882255", "#999933"};
	enum { COLOURS = sizeof(palette) / sizeof(palette[0]) };
	const struct figure *figures[] = {measured, predicted};
	int used = 0;

	if (!strcmp(way, "default"))
		return "black";
	for (int k = 0; k < 2; k++)
		for (int c = 0; c < figures[k]->n; c++, used++)
			if (!strcmp(figures[k]->curves[c].way, way))
				return palette[used % COLOURS];
	return palette[0];
}

static void print_curves(const struct figure *f, const struct figure *g,
			 FILE *s)
{
	fputs("plot ", s);
	for (int c = 0; c < f->n; c++) {
		const char *way = f->curves[c].way, *rgb = colour(f, g, way);

		fprintf(s,
			"$m%d using 1:3:4 with filledcurves lc rgb '%s' fs "
			"transparent solid 0.15 noborder notitle, "
			"$m%d using 1:2 with linespoints pt %d ps 0.7 lc rgb "
			"'%s' title '%s' noenhanced, ",
			c, rgb, c, c + 4, rgb, way);
	}
	for (int c = 0; c < g->n; c++) {
		const char *way = g->curves[c].way;

		fprintf(s,
			"$p%d using 1:2 with lines dt 2 lw 1.5 lc rgb '%s' "
			"title '%s, predicted' noenhanced, ",
			c, colour(f, g, way), way);
	}
	fputs("NaN notitle\n", s);
}

/* Just what there is, not up to the next power. */
static void print_range(const struct figure *f, const struct figure *g, FILE *s)
{
	double *x, from = INFINITY, to = 0;

	for (int k = 0; k < 2; k++) {
		int n = figure_positions(k ? g : f, &x);

		if (n) {
			from = fmin(from, x[0]);
			to = fmax(to, x[n - 1]);
		}
		free(x);
	}
	fprintf(s, "set xrange [%.15g:%.15g]\n", fmax(from, 0.5) / 1.05,
		to * 1.05);
}

static void print_script(const struct figure *f, const struct figure *g,
			 const char *terminal, const char *out, FILE *s)
{
	fprintf(s, "set terminal %s\nset output '%s'\n", terminal, out);
	if (f->ranks)
		fprintf(s, "set title '%s, %d ranks' noenhanced\n"
			   "set xlabel 'bytes'\nset format x '%%.0b %%B'\n",
			f->test, f->ranks);
	else
		fprintf(s, "set title '%s, %zu bytes' noenhanced\n"
			   "set xlabel 'ranks'\nset format x '%%.0f'\n",
			f->test, f->bytes);
	print_range(f, g, s);
	fputs("set ylabel 'microseconds'\nset logscale x 2\nset logscale y\n"
	      "set key outside right font ',10'\nset grid\n", s);
	mark_crossings(f->n ? f : g, s);
	print_data(f, 'm', s);
	print_data(g, 'p', s);
	print_curves(f, g, s);
}

static int draw(const struct plot *p, const char *name, const struct figure *f,
		const struct figure *g)
{
	static const char *const kinds[][2] = {
	    {"svg", "svg size 1000,560 background 'white' font 'sans,12'"},
	    {"png", "pngcairo size 1000,560 font 'sans,11'"}};
	char path[STUDY_PATH];
	struct gnuplot gp;

	for (int k = 0; k < 2; k++) {
		const char *bad;

		snprintf(path, sizeof(path), "%s/%s.%s", p->folder, name,
			 kinds[k][0]);
		bad = gnuplot_open(&gp, path);
		if (!bad) {
			print_script(f, g, kinds[k][1], gp.tmp, gp.script);
			bad = gnuplot_close(&gp);
		}
		if (bad)
			return scale_error(APP_CANTCREAT, "%s: %s", path, bad);
	}
	return 0;
}

static int can_draw(const struct figure *f)
{
	double *x;
	int n = figure_positions(f, &x);

	free(x);
	return n > 1;
}

int plot_draw(struct plot *p, const char *test, int ranks, size_t bytes)
{
	struct figure f = {.test = test, .ranks = ranks, .bytes = bytes};
	struct figure g = f;
	struct picture *picture;
	int code = 0;

	figure_collect(&f, &p->study);
	figure_collect(&g, &p->with);
	figure_choose(&f, CURVES_MAX);
	figure_choose(&g, CURVES_MAX);
	if (can_draw(&f) || can_draw(&g)) {
		p->pictures = scale_grow(p->pictures, (size_t)p->n + 1,
					 sizeof(*p->pictures));
		picture = &p->pictures[p->n++];
		picture->test = test;
		if (ranks)
			snprintf(picture->name, sizeof(picture->name),
				 "%s-%d-ranks", test, ranks);
		else
			snprintf(picture->name, sizeof(picture->name),
				 "%s-%zu-bytes", test, bytes);
		code = draw(p, picture->name, &f, &g);
	}
	figure_fini(&f);
	figure_fini(&g);
	return code;
}
