/* SPDX-License-Identifier: Apache-2.0 */
/*
 * canvas.h: shared by the parts of an SVG picture: draw_svg.c draws the
 * background and the lines of ranks, draw_steps.c the steps on them and the
 * legend.
 */
#ifndef TOOLS_PLAN_CANVAS_H
#define TOOLS_PLAN_CANVAS_H

#include "tools/plan/draw.h"

/* Kinds of steps that are drawn differently: classes of the style sheet, and
 * entries of the legend. */
enum style {
	STYLE_MESSAGE,
	STYLE_NODE,
	STYLE_BETWEEN,
	STYLE_SIGNAL,
	STYLE_WRITE,
	STYLE_ATOMIC,
	STYLE_LOAD,
	STYLE_REDUCE,
	STYLE_COPY,
	STYLE_WAIT,
	STYLES
};

struct canvas {
	const struct drawing *d;
	FILE *out;
	struct draw_labels labels;
	double left, top, dx, dy, bottom;
	double end, right; /* right end of the lines, and of texts below them */
	bool seen[STYLES];
};

enum { MARGIN = 24, HEAD = 92, GAP = 12, PAGE = 620 };

static inline double x_of(const struct canvas *v, double time)
{
	return v->left + time * v->dx;
}

static inline double y_of(const struct canvas *v, int rank)
{
	return v->top + v->dy * (v->d->line[rank] + 0.5);
}

static inline const struct topology *nodes_of(const struct canvas *v)
{
	const struct topology *topo = v->d->options->shape.topo;

	return topo && topo->nodes > 1 ? topo : NULL;
}

/* Sets v->seen, which the legend needs. */
void canvas_find_styles(struct canvas *v);
/* Draws arrows, or the marks that lie above them. */
void canvas_steps(const struct canvas *v, bool arrows);
/* Lays out the legend in lines of the picture's width, writing it if `write` is
 * set. Returns the y coordinate where it ends. */
double canvas_legend(const struct canvas *v, bool write);
#endif
