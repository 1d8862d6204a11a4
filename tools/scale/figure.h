/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figure.h: what of a study one picture shows: a test over sizes with one
 * number of ranks, or over ranks with one size; a curve for each algorithm.
 */
#ifndef SCALE_FIGURE_H
#define SCALE_FIGURE_H

#include "tools/scale/study.h"

enum { FIGURE_CURVES = 64 };

struct curve {
	const char *way;
	int n;
	const struct point **points; /* ascending */
};

struct figure {
	const char *test;
	int ranks;    /* 0: over the ranks, */
	size_t bytes; /* with this size */
	int n;
	struct curve curves[FIGURE_CURVES];
};

/* All curves of `study` of the kind that f's test, ranks and bytes say; without
 * defaults that were another algorithm in `measured`, where both have one. */
void figure_collect(struct figure *f, const struct study *study,
		    const struct study *measured);
void figure_fini(struct figure *f);

/* Keeps at most `most` curves: those that `with` (or NULL) has, those that are
 * the fastest somewhere, the default, and then those that are slower by least.
 */
void figure_choose(struct figure *f, int most, const struct figure *with);

/* The curve of that name, or -1. */
int figure_curve(const struct figure *f, const char *way);

/* The curve that is the fastest at x, leaving out the default; -1: none has
 * this x. Another one than `before` must be faster by 5 %, and by more than
 * chance (rank sum test, p < 0.01) if both have 8 samples. */
int figure_fastest(const struct figure *f, double x, int before);

/* Where the point lies on the axis. */
double figure_x(const struct figure *f, const struct point *p);
/* A curve's median at x; NAN if it has none. */
double figure_median(const struct figure *f, int curve, double x);

/* All x of any curve, ascending; how many (memory for free()). */
int figure_positions(const struct figure *f, double **x);

#endif
