/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plot_draw.c: draws one picture by gnuplot, as SVG and PNG, on logarithmic
 * axes. Measured medians are points in a band from the 25 % to the 75 %
 * quantile; predictions are lines; a vertical line marks where another
 * algorithm becomes the fastest.
 */
#include "tools/scale/plot.h"

#include "apps/common/app.h"
#include "tools/common/gnuplot.h"
#include "tools/scale/figure.h"
#include "tools/common/quantile.h"
#include "tools/scale/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CURVES_MAX 8 /* more curves could not be told apart */

static void print_data(const struct figure *f, int k, FILE *s)
{
	for (int c = 0; c < f->n; c++) {
		fprintf(s, "$k%dc%d << END\n", k, c);
		for (int i = 0; i < f->curves[c].n; i++) {
			const struct point *p = f->curves[c].points[i];
			double us = quantile(p->us, p->n, 0.5);

			/* a time of 0 has no place on a logarithmic axis */
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

/* Returns where b becomes faster than a, from x[0] to x[1]. */
static double plot_draw_crossing(const struct figure *f, const double *x, int a,
				 int b)
{
	double before[2], after[2];

	for (int e = 0; e < 2; e++) {
		before[e] = figure_median(f, a, x[e]);
		after[e] = figure_median(f, b, x[e]);
	}
	return gnuplot_crossing(x, before, after);
}

/*
 * Marks crossings with dotted lines named below; those of the other study (k is
 * 1) with dashed lines named above. A name that would overlap a neighbour's is
 * left out.
 */
static void mark_crossings(const struct plot *p, const struct figure *f, int k,
			   FILE *s)
{
	double *x, last = 0, near;
	int n = figure_positions(f, &x), best = -1;
	struct gnuplot_mark mark = {.dash = k ? 2 : 3, .y = k ? 0.98 : 0.02};

	near = n ? pow(x[n - 1] / fmax(x[0], 1), 0.05) : 0;
	for (int i = 0; i < n; i++) {
		int next = figure_fastest(f, x[i], best);

		if (i && best >= 0 && next >= 0 && next != best) {
			double at =
			    plot_draw_crossing(f, &x[i - 1], best, next);

			mark.name = f->curves[next].way;
			mark.colour = plot_colour(p, mark.name);
			if (at > last * near)
				mark.y = k ? 0.98 : 0.02;
			else
				mark.y += k ? -0.25 : 0.25;
			gnuplot_mark(s, at, &mark);
			last = at;
		}
		best = next;
	}
	free(x);
}

/*
 * Returns whether a study is drawn as lines: the other study (k is 1), and
 * predictions. Measurements are points with bars and a band, and with a thin
 * line if no other study provides one.
 */
static int is_line(const struct plot *p, int k)
{
	return k || p->study.simulated;
}

static int plot_draw_dash(const struct plot *p, int k)
{
	return k && p->study.simulated ? 2 : 1;
}

static void print_curve(const struct plot *p, const struct figure *f, int c,
			int k, int alone, FILE *s)
{
	const char *way = f->curves[c].way, *rgb = plot_colour(p, way);

	if (!is_line(p, k))
		fprintf(s,
			"$k%dc%d using 1:3:4 with filledcurves lc rgb '%s' fs "
			"transparent solid 0.15 noborder notitle, "
			"$k%dc%d using 1:2:3:4 with yerrorbars pt %d ps 0.8 "
			"lw 0.7 lc rgb '%s' notitle, ",
			k, c, rgb, k, c, plot_sign(p, way), rgb);
	if (is_line(p, k) || alone)
		fprintf(s,
			"$k%dc%d using 1:2 with lines dt %d lw %s lc rgb "
			"'%s' notitle, ",
			k, c, plot_draw_dash(p, k),
			!is_line(p, k) ? "0.5"
			: !strcmp(way, "default")
			    ? "4" /* drawn below another study */
			    : "1.5",
			rgb);
}

/* Returns ", hdr" for predictions that all use one fabric, or else "". */
static const char *plot_draw_fabric(const struct plot *p, int k,
				    char name[STUDY_NAME + 8])
{
	const struct study *s = k ? &p->with : &p->study;
	int n = 0;

	while (s->simulated && n < s->n &&
	       !strcmp(s->points[n].job, s->points[0].job))
		n++;
	snprintf(name, STUDY_NAME + 8, ", %s",
		 n && n == s->n ? s->points[0].job : "");
	return n && n == s->n ? name : "";
}

/* Lists each algorithm in the key once, with its marks of both studies. */
static void print_keys(const struct plot *p, const struct figure *f,
		       const struct figure *g, FILE *s)
{
	const struct figure *figures[] = {f, g};
	char name[STUDY_NAME + 8];

	for (int k = 0; k < 2; k++)
		for (int c = 0; c < figures[k]->n; c++) {
			const char *way = figures[k]->curves[c].way;
			int line = is_line(p, k) || figure_curve(g, way) >= 0;

			if (k && figure_curve(f, way) >= 0)
				continue;
			fprintf(s, "NaN with %s lc rgb '%s' ",
				is_line(p, k) ? "lines"
				: line	      ? "linespoints"
					      : "points",
				plot_colour(p, way));
			if (!is_line(p, k))
				fprintf(s, "pt %d ps 0.8 ", plot_sign(p, way));
			fprintf(s, "lw 1.5 title '%s' noenhanced, ", way);
		}
	for (int k = 0; k < 2; k++)
		if (g->n && figures[k]->n)
			fprintf(s,
				"NaN with %s dt %d lc rgb '#666666' title "
				"'%s%s' noenhanced, ",
				is_line(p, k) ? "lines lw 1.5"
					      : "points pt 7 ps 0.8",
				plot_draw_dash(p, k), plot_kind(p, k),
				plot_draw_fabric(p, k, name));
}

static void print_curves(const struct plot *p, const struct figure *f,
			 const struct figure *g, FILE *s)
{
	const struct figure *figures[] = {f, g};

	fputs("plot ", s);
	for (int k = 1; k >= 0; k--) {
		int first = figure_curve(figures[k], "default");

		if (first >= 0)
			print_curve(p, figures[k], first, k, !g->n, s);
		for (int c = 0; c < figures[k]->n; c++)
			if (c != first)
				print_curve(p, figures[k], c, k, !g->n, s);
	}
	print_keys(p, f, g, s);
	fputs("NaN notitle\n", s);
}

/* Limits the axis to the data, rather than to the next power. */
static void print_range(const struct figure *f, const struct figure *g, FILE *s)
{
	double *x, from = INFINITY, to = 0, margin;

	for (int k = 0; k < 2; k++) {
		int n = figure_positions(k ? g : f, &x);

		if (n) {
			from = fmin(from, x[0]);
			to = fmax(to, x[n - 1]);
		}
		free(x);
	}
	from = fmax(from, 0.5);
	margin =
	    pow(to / from, 0.02); /* room for the name of a line at the edge */
	fprintf(s, "set xrange [%.15g:%.15g]\n", from / margin, to * margin);
}

/* Writes "8 ranks" or "32 KiB". */
static void print_title(const struct figure *f, FILE *s)
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
	size_t n = f->bytes;
	int unit = 0;

	for (; n >= 1024 && n % 1024 == 0 && unit < 3; unit++)
		n /= 1024;
	fprintf(s, "set title '%s, ", f->test);
	if (f->ranks)
		fprintf(s, "%d ranks", f->ranks);
	else
		fprintf(s, "%zu %s", n, units[unit]);
}

static void print_script(const struct plot *p, const struct figure *f,
			 const struct figure *g, FILE *s)
{
	char name[STUDY_NAME + 8];

	print_title(f, s);
	fprintf(s, "%s%s' noenhanced\n%s\n",
		p->study.simulated ? ", predicted" : "",
		p->study.simulated && !p->with.n ? plot_draw_fabric(p, 0, name)
						 : "",
		f->ranks ? "set xlabel 'bytes'\nset format x '%.0b %B'"
			 : "set xlabel 'ranks'\nset format x '%.0f'");
	print_range(f, g, s);
	fputs("set ylabel 'microseconds'\nset logscale x 2\nset logscale y\n"
	      "set key outside right Left reverse samplen 2 font ',10'\n"
	      "set errorbars 0\nset grid\n",
	      s);
	mark_crossings(p, f, 0, s);
	mark_crossings(p, g, 1, s);
	print_data(f, 0, s);
	print_data(g, 1, s);
	print_curves(p, f, g, s);
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
			fprintf(gp.script, "set terminal %s\nset output '%s'\n",
				kinds[k][1], gp.tmp);
			print_script(p, f, g, gp.script);
			bad = gnuplot_close(&gp);
		}
		if (bad)
			return scale_error(APP_CANTCREAT, "%s: %s", path, bad);
	}
	return 0;
}

/* Returns how many curves of f are not in g. */
static int plot_draw_alone(const struct figure *f, const struct figure *g)
{
	int n = 0;

	for (int c = 0; c < f->n; c++)
		n += figure_curve(g, f->curves[c].way) < 0;
	return n;
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

	figure_collect(&f, &p->study, &p->study);
	figure_collect(&g, &p->with, &p->study);
	figure_choose(&f, CURVES_MAX, NULL);
	figure_choose(&g, CURVES_MAX - plot_draw_alone(&f, &g), &f);
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
		plot_colours(p, &f, &g);
		code = draw(p, picture->name, &f, &g);
	}
	figure_fini(&f);
	figure_fini(&g);
	return code;
}
