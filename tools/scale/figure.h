/* SPDX-License-Identifier: Apache-2.0 */
/* figure.h: the part of a study that one picture shows: a test over sizes with
 * one number of ranks, or over ranks with one size; one curve per algorithm. */
#ifndef TOOLS_SCALE_FIGURE_H
#define TOOLS_SCALE_FIGURE_H

#include "tools/scale/study.h"

enum { FIGURE_CURVES = 64 };

struct curve {
	const char *way;
	int n;
	const struct point **points; /* ascending in x */
};

struct figure {
	const char *test;
	int ranks;    /* 0: x is the number of ranks, */
	size_t bytes; /* for this size */
	int n;
	struct curve curves[FIGURE_CURVES];
};

/*
 * Collects the curves of `study` for f's test, ranks and bytes. A default that
 * used another algorithm than in `measured` is left out where both studies have
 * it.
 */
void figure_collect(struct figure *f, const struct study *study,
		    const struct study *measured);
void figure_fini(struct figure *f);

/* Keeps at most `most` curves: those that `with` (or NULL) has, those that are
 * the fastest somewhere, the default, and then the least slow ones. */
void figure_choose(struct figure *f, int most, const struct figure *with);

/* Returns the index of the curve with that name, or -1. */
int figure_curve(const struct figure *f, const char *way);

/*
 * Returns the curve that is fastest at x, other than the default; -1 if none
 * has this x. A curve other than `before` must be faster by 5 %, and by more
 * than chance (rank sum test, p < 0.01) if both have 8 samples.
 */
int figure_fastest(const struct figure *f, double x, int before);

/* Returns the point's place on the x axis. */
double figure_x(const struct figure *f, const struct point *p);
/* Returns the curve's median at x, or NAN. */
double figure_median(const struct figure *f, int curve, double x);

/* Collects all x of all curves, ascending, into an array to be freed, and
 * returns their number. */
int figure_positions(const struct figure *f, double **x);

#endif
