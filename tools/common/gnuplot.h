/* SPDX-License-Identifier: Apache-2.0 */
/* gnuplot.h: draws a picture with gnuplot, from a script that the caller
 * writes. The picture appears whole or not at all. */
#ifndef TOOLS_COMMON_GNUPLOT_H
#define TOOLS_COMMON_GNUPLOT_H

#include <stdio.h>

struct gnuplot {
	FILE *script;
	char path[4096];
	char tmp[4200]; /* file name for the script's `set output` */
};

/* Starts gnuplot for a picture. Returns NULL, or what is wrong. The caller must
 * ignore SIGPIPE: gnuplot may end early. */
const char *gnuplot_open(struct gnuplot *gp, const char *path);

/* Ends the script, waits for gnuplot and moves the picture into place. Returns
 * NULL, or what is wrong; then no picture is left. */
const char *gnuplot_close(struct gnuplot *gp);

/*
 * Returns where the lines through (x[0], a[0]) and (x[1], a[1]), and likewise
 * for b, cross on logarithmic axes between x[0] and x[1]; x[1] if they do not
 * cross, or if a does not become the higher one.
 */
double gnuplot_crossing(const double x[2], const double a[2],
			const double b[2]);

/* A vertical line at x with a name beside it; the name must not contain '. */
struct gnuplot_mark {
	const char *name, *colour; /* colour: "#666666" */
	int dash;		   /* gnuplot's dash type */
	double y; /* start of the name, 0 to 1; from 0.5 its end */
};
void gnuplot_mark(FILE *script, double x, const struct gnuplot_mark *mark);

#endif
