/* SPDX-License-Identifier: Apache-2.0 */
/* plot.h: the parts of `mrt-scale plot`: pictures, and the page of them. */
#ifndef SCALE_PLOT_H
#define SCALE_PLOT_H

#include "apps/scale/study.h"

/* A picture that was drawn: FOLDER/NAME.svg and FOLDER/NAME.png. */
struct picture {
	char name[2 * STUDY_NAME];
	const char *test;
};

struct plot {
	struct study study, with; /* measured; predicted, or no points */
	const char *folder;
	struct picture *pictures;
	int n;
};

/* Draws one (plot_draw.c), over sizes or, with ranks 0, over ranks; nothing if
 * there are less than two places on the axis. 0 or an exit code. */
int plot_draw(struct plot *p, const char *test, int ranks, size_t bytes);

/* FOLDER/index.html with all pictures in it, and tables (plot_page.c). 0 or an
 * exit code. */
int plot_page(const struct plot *p);

#endif
