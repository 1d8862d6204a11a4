/* SPDX-License-Identifier: Apache-2.0 */
/* plot.h: the parts of `mrt-scale plot`: pictures, and a page with
 * all of them. */
#ifndef TOOLS_SCALE_PLOT_H
#define TOOLS_SCALE_PLOT_H

#include "tools/scale/figure.h"
#include "tools/scale/study.h"

/* A picture that has been drawn: FOLDER/NAME.svg and FOLDER/NAME.png. */
struct picture {
	char name[2 * STUDY_NAME];
	const char *test;
};

struct plot {
	struct study study,
	    with; /* `with` is the study of --with; no points: none */
	const char *folder, *with_path;
	/* algorithms of one test in the order they came up, with their colours
	 * in the palette */
	const char *ways[FIGURE_CURVES];
	int colours[FIGURE_CURVES], nways;
	struct picture *pictures;
	int n;
};

/* Gives the algorithms of a picture different colours; where possible those
 * that they have in earlier pictures (plot_colour.c). */
void plot_colours(struct plot *p, const struct figure *f,
		  const struct figure *g);
/* Return a colour, and gnuplot's number of a point type. */
const char *plot_colour(const struct plot *p, const char *way);
int plot_sign(const struct plot *p, const char *way);

/* Returns how the key calls the study (k is 0) or the other one: "measured" and
 * "predicted", or "the study" and "the other study". */
const char *plot_kind(const struct plot *p, int k);

/* Draws a picture (plot_draw.c) over sizes or, if ranks is 0, over ranks; none
 * if the axis would have fewer than two places. Returns 0 or an exit code. */
int plot_draw(struct plot *p, const char *test, int ranks, size_t bytes);

/* Writes FOLDER/index.html with all pictures and a table for each test
 * (plot_page.c). Returns 0 or an exit code. */
int plot_page(const struct plot *p);

#endif
