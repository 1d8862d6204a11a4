/* SPDX-License-Identifier: Apache-2.0 */
/* plot.h: the parts of `mrt-scale plot`: pictures, and the page of them. */
#ifndef SCALE_PLOT_H
#define SCALE_PLOT_H

#include "tools/scale/figure.h"
#include "tools/scale/study.h"

/* A picture that was drawn: FOLDER/NAME.svg and FOLDER/NAME.png. */
struct picture {
	char name[2 * STUDY_NAME];
	const char *test;
};

struct plot {
	struct study study, with; /* the other one, or no points */
	const char *folder;
	/* of one test, as they come; the palette's colours they have */
	const char *ways[FIGURE_CURVES];
	int colours[FIGURE_CURVES], nways;
	struct picture *pictures;
	int n;
};

/* Gives the ways of a picture colours, all different; those that they had in
 * pictures before, if they can be (plot_colour.c). */
void plot_colours(struct plot *p, const struct figure *f,
		  const struct figure *g);
/* A colour, and gnuplot's number of a sign. */
const char *plot_colour(const struct plot *p, const char *way);
int plot_sign(const struct plot *p, const char *way);

/* What the study (k is 0) or the other one is. */
const char *plot_kind(const struct plot *p, int k);

/* Draws one (plot_draw.c), over sizes or, with ranks 0, over ranks; nothing if
 * there are less than two places on the axis. 0 or an exit code. */
int plot_draw(struct plot *p, const char *test, int ranks, size_t bytes);

/* FOLDER/index.html with all pictures in it, and tables (plot_page.c). 0 or an
 * exit code. */
int plot_page(const struct plot *p);

#endif
