/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tune_plot.c: draws times over sizes by gnuplot, on logarithmic axes: a curve
 * for each algorithm, the default in black, and a dotted line where another
 * algorithm becomes the fastest.
 */
#include "tools/tune/tune.h"

#include "tools/common/gnuplot.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* Returns where b becomes faster than a, between sizes k and k + 1. */
static double tune_plot_crossing(const struct tune_times *times, int k, int a,
				 int b)
{
	const double *t0 = times->seconds[k], *t1 = times->seconds[k + 1];

	return gnuplot_crossing(
	    (double[]){(double)times->bytes[k], (double)times->bytes[k + 1]},
	    (double[]){t0[a], t1[a]}, (double[]){t0[b], t1[b]});
}

/*
 * Returns the fastest algorithm at size k; or `best`, the fastest at smaller
 * sizes, unless it is slower by the margin: a change must exceed noise to count
 * as a crossing.
 */
static int tune_plot_fastest(const struct tune *t,
			     const struct tune_times *times, int k, int best)
{
	const double *seconds = times->seconds[k];
	int found = 1;

	for (int w = 2; w < times->nways; w++)
		if (seconds[w] < seconds[found])
			found = w;
	return seconds[found] * (1 + t->margin) < seconds[best] ? found : best;
}

static void mark_crossings(const struct tune *t, const struct tune_times *times,
			   FILE *f)
{
	struct gnuplot_mark mark = {.colour = "#666666", .dash = 3, .y = 0.02};
	int best = tune_plot_fastest(t, times, 0, 1);

	for (int k = 0; k + 1 < times->nsizes; k++) {
		int next = tune_plot_fastest(t, times, k + 1, best);

		if (next == best)
			continue;
		mark.name = times->way[next];
		gnuplot_mark(f, tune_plot_crossing(times, k, best, next),
			     &mark);
		best = next;
	}
}

static void print_data(const struct tune_times *times, FILE *f)
{
	fputs("$times << END\n", f);
	for (int k = 0; k < times->nsizes; k++) {
		fprintf(f, "%zu", times->bytes[k]);
		for (int w = 0; w < times->nways; w++)
			if (isinf(times->seconds[k][w]))
				fputs(" NaN", f);
			else
				fprintf(f, " %.6g", times->seconds[k][w] * 1e6);
		fputc('\n', f);
	}
	fputs("END\n", f);
}

static int is_drawn(const struct tune_times *times, int way)
{
	for (int k = 0; k < times->nsizes; k++)
		if (!isinf(times->seconds[k][way]))
			return 1;
	return 0;
}

static void print_script(const struct tune *t, const struct tune_times *times,
			 const char *out, FILE *f)
{
	fprintf(f,
		"set terminal svg size 1100,600 background 'white' font "
		"'sans,12'\nset output '%s'\nset title '%s, %d ranks'\n"
		"set xlabel 'bytes'\nset ylabel 'microseconds'\n"
		"set logscale x 2\nset logscale y\n"
		"set format x '%%.0b %%B'\n"
		"set key outside right font ',10'\nset grid\n",
		out, times->collective->name, t->ranks);
	mark_crossings(t, times, f);
	print_data(times, f);
	fputs("plot ", f);
	for (int w = 1; w < times->nways; w++)
		if (is_drawn(times, w))
			fprintf(f,
				"$times using 1:%d with linespoints title '%s' "
				"noenhanced, ",
				w + 2, times->way[w]);
	fputs("$times using 1:2 with lines lc rgb 'black' lw 2 dt 2 title "
	      "'default choice'\n",
	      f);
}

static int tune_plot_complain(const char *path, const char *what)
{
	fprintf(stderr, "mrt-tune: %s: %s\n", path, what);
	return -1;
}

int tune_plot(const struct tune *t, const struct tune_times *times)
{
	char path[4096];
	struct gnuplot gp;
	const char *bad;

	if (times->nsizes < 2 || times->nways < 2)
		return 0; /* nothing to draw */
	if (mkdir(t->svg, 0777) && errno != EEXIST)
		return tune_plot_complain(t->svg, strerror(errno));
	snprintf(path, sizeof(path), "%s/%s.svg", t->svg,
		 times->collective->name);
	bad = gnuplot_open(&gp, path);
	if (!bad) {
		print_script(t, times, gp.tmp, gp.script);
		bad = gnuplot_close(&gp);
	}
	return bad ? tune_plot_complain(path, bad) : 0;
}
