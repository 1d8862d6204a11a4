/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gnuplot.h: a picture drawn by gnuplot, from a script that the caller writes
 * to it. The file appears whole or not at all.
 */
#ifndef APP_GNUPLOT_H
#define APP_GNUPLOT_H

#include <stdio.h>

struct gnuplot {
	FILE *script;
	char path[4096];
	char tmp[4200]; /* what the script is to `set output` to */
};

/* Starts gnuplot for a picture; NULL, or what is wrong. SIGPIPE is to be
 * ignored: gnuplot may end early. */
const char *gnuplot_open(struct gnuplot *gp, const char *path);

/* Ends the script, waits for the picture and puts it in its place; NULL, or
 * what is wrong: then there is none. */
const char *gnuplot_close(struct gnuplot *gp);

/* Where two lines through (x[0], a[0]) and (x[1], a[1]), and through the same
 * of b, cross on logarithmic axes: between x[0] and x[1]; x[1] if they do not,
 * or not in the sense that a becomes the higher one. */
double gnuplot_crossing(const double x[2], const double a[2],
			const double b[2]);

/* A vertical line at x with a name beside it; no ' in it. */
struct gnuplot_mark {
	const char *name, *colour; /* "#666666" */
	int dash;		   /* gnuplot's dash type */
	double y; /* where the name starts, 0 to 1; from 0.5 where it ends */
};
void gnuplot_mark(FILE *script, double x, const struct gnuplot_mark *mark);

#endif
