/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_svg.c: a collective as a picture: ranks are rows, time goes to the
 * right, messages are arrows from the begin of their send to the end of their
 * receive; beneath it, on the same scale, what the simulator predicts. Steps
 * that took the longest beyond the model are strong. The size of the picture
 * does not depend on the number of ranks and steps: rows, bars and arrows have
 * limits.
 */
#include <math.h>
#include <stdlib.h>

#include "coll/plan/plan.h"
#include "runtime/base/error.h"
#include "tools/common/svg.h"
#include "tools/trace/trace_scene.h"

enum {
	LEFT = 72,
	WIDTH = 1000,
	MARGIN = 24,
	HEAD = 64,
	BETWEEN = 56, /* two scenes */
	ARROWS = 4000,
	SLOW = 20 /* steps that are strong */
};

struct canvas {
	const struct scene *scene;
	const int *row; /* [n] the rows that are shown */
	int n;
	int *line;	    /* [scene->n] where a row is shown, -1: nowhere */
	double top, dy, dx; /* dx: pixels for a ns */
	long arrows, every; /* of how many arrows one is drawn */
};

static const char style[] =
    ".call { stroke: #bbb }\n"
    ".late { stroke: #ddd; stroke-dasharray: 2 3 }\n"
    ".send { fill: #0072b2 }\n"
    ".recv { fill: #56b4e9; fill-opacity: .45 }\n"
    ".one { fill: #8a3d78 }\n"
    ".own { fill: #00684c }\n"
    ".msg { stroke: #0072b2; marker-end: url(#head) }\n"
    ".slow { stroke: #d55e00; stroke-width: 2; fill: none }\n";

static double x_of(const struct canvas *v, double ns)
{
	return LEFT + ns * v->dx;
}

static double y_of(const struct canvas *v, int line)
{
	return v->top + v->dy * (line + 0.5);
}

static const char *class_of(unsigned kind)
{
	return kind == STEP_SEND				 ? "send"
	       : step_is_message(kind)				 ? "recv"
	       : step_has_peer(kind) || kind == STEP_WAIT_MEMORY ? "one"
								 : "own";
}

/* Draws the bars of a row; one that would lie on the one before, to the pixel,
 * is left out. */
static void put_bars(const struct canvas *v, const struct scene_rank *r,
		     double y)
{
	double covered[STEP_KINDS] = {0};

	for (uint32_t i = 0; i < r->nsteps; i++) {
		const struct scene_step *s = &r->steps[i];
		double x = x_of(v, s->begin), end = x_of(v, s->end);
		double high = s->kind == STEP_SEND ? 0.3 : 0.5;

		if (!s->begun || end < covered[s->kind] + 0.5)
			continue;
		covered[s->kind] = end;
		printf("<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" "
		       "width=\"%.1f\" height=\"%.1f\"/>\n",
		       class_of(s->kind), x, y - v->dy * high / 2,
		       fmax(end - x, 0.8), v->dy * high);
	}
}

static void put_row(const struct canvas *v, int line)
{
	const struct scene_rank *r = &v->scene->ranks[v->row[line]];
	double y = y_of(v, line);

	printf("<text class=\"small end\" x=\"%d\" y=\"%.1f\">%d</text>\n"
	       "<path class=\"late\" d=\"M%d %.1f H%.1f\"/>\n"
	       "<path class=\"call\" d=\"M%.1f %.1f H%.1f\"/>\n",
	       LEFT - 8, y + 4, r->trace->head->rank, LEFT, y,
	       x_of(v, r->arrive), x_of(v, r->arrive), y, x_of(v, r->leave));
	put_bars(v, r, y);
}

/* ---- Arrows -------------------------------------------------------------- */

/* Returns the n-th receive of a rank from a row, or NULL. Messages between two
 * ranks are taken to match in the order of their steps. */
static const struct scene_step *trace_svg_receive(const struct scene_rank *r,
						  int from, unsigned n)
{
	for (uint32_t i = 0; i < r->nsteps; i++) {
		const struct scene_step *s = &r->steps[i];

		if (s->begun && s->peer == from && step_is_message(s->kind) &&
		    s->kind != STEP_SEND && !n--)
			return s;
	}
	return NULL;
}

static unsigned sends_before(const struct scene_rank *r, uint32_t step)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < step; i++)
		n += r->steps[i].begun && r->steps[i].kind == STEP_SEND &&
		     r->steps[i].peer == r->steps[step].peer;
	return n;
}

static void put_arrow(const struct canvas *v, int line, uint32_t step)
{
	const struct scene_rank *r = &v->scene->ranks[v->row[line]];
	const struct scene_step *s = &r->steps[step], *t;

	t = trace_svg_receive(&v->scene->ranks[s->peer], v->row[line],
			      sends_before(r, step));
	if (t)
		printf("<path class=\"msg\" d=\"M%.1f %.1f L%.1f %.1f\"/>\n",
		       x_of(v, s->begin), y_of(v, line), x_of(v, t->end),
		       y_of(v, v->line[s->peer]));
}

/* Counts the messages between rows that are shown, or draws them. */
static void each_arrow(struct canvas *v, bool draw)
{
	long k = 0;

	for (int line = 0; line < v->n; line++) {
		const struct scene_rank *r = &v->scene->ranks[v->row[line]];

		for (uint32_t i = 0; i < r->nsteps; i++) {
			const struct scene_step *s = &r->steps[i];

			if (!s->begun || s->kind != STEP_SEND || s->peer < 0 ||
			    v->line[s->peer] < 0)
				continue;
			if (draw && k % v->every == 0)
				put_arrow(v, line, i);
			k++;
		}
	}
	v->arrows = k;
}

/* ---- Scenes -------------------------------------------------------------- */

static void put_scene(struct canvas *v, const char *what)
{
	double end = v->top + v->dy * v->n;

	printf("<text x=\"%d\" y=\"%.1f\">", MARGIN, v->top - 8);
	svg_text(stdout, what);
	printf(": %.2f us</text>\n", v->scene->end / 1000);
	for (int line = 0; line < v->n; line++)
		put_row(v, line);
	each_arrow(v, false);
	v->every = v->arrows / ARROWS + 1;
	each_arrow(v, true);
	printf("<text class=\"small\" x=\"%d\" y=\"%.1f\">0</text>\n"
	       "<text class=\"small end\" x=\"%d\" y=\"%.1f\">%.2f us</text>\n",
	       LEFT, end + 14, LEFT + WIDTH, end + 14, WIDTH / v->dx / 1000);
}

/* Draws a frame round the steps that took the longest beyond the model. */
static bool mark_slow(const struct canvas *v, const struct scene *model)
{
	struct scene_pair *list;
	long n = scene_compare(v->scene, model, &list);

	for (long k = 0; k < n && k < SLOW; k++) {
		const struct scene_pair *p = &list[k];
		double x = x_of(v, p->step->begin);

		if (!p->model || scene_excess(p) <= 0)
			break;
		if (v->line[p->row] < 0)
			continue;
		printf(
		    "<rect class=\"slow\" x=\"%.1f\" y=\"%.1f\" "
		    "width=\"%.1f\" height=\"%.1f\"><title>step %u: %.2f us, "
		    "%.2f by the model</title></rect>\n",
		    x, y_of(v, v->line[p->row]) - v->dy * 0.35,
		    fmax(x_of(v, p->step->end) - x, 1), v->dy * 0.7,
		    p->number + 1, (p->step->end - p->step->begin) / 1000,
		    (p->model->end - p->model->begin) / 1000);
	}
	free(list);
	return n >= 0;
}

static void put_legend(double y, bool model)
{
	static const char *const names[][2] = {
	    {"send", "sends"},
	    {"recv", "receives"},
	    {"one", "one-sided steps"},
	    {"own", "copies and reductions"},
	    {"slow", "longest beyond the model"}};

	for (int k = 0; k < 4 + model; k++)
		printf("<rect class=\"%s\" x=\"%d\" y=\"%.1f\" width=\"18\" "
		       "height=\"8\"/>\n<text class=\"small\" x=\"%d\" "
		       "y=\"%.1f\">%s</text>\n",
		       names[k][0], LEFT + 190 * k, y - 8, LEFT + 24 + 190 * k,
		       y, names[k][1]);
}

static bool trace_svg_draw(struct canvas *v, const struct scene *model,
			   const char *fabric)
{
	double high = v->dy * v->n, height;
	char text[160];
	bool ok = true;

	height = HEAD + high + (model ? high + BETWEEN : 0) + 64;
	svg_begin(stdout, LEFT + WIDTH + MARGIN, height, style);
	fputs("<defs>\n", stdout);
	svg_marker(stdout, "head",
		   "<path d=\"M4 3.5 L10 6 L4 8.5 Z\" fill=\"#0072b2\"/>");
	printf("</defs>\n<rect width=\"100%%\" height=\"100%%\" "
	       "fill=\"#fff\"/>\n<text class=\"title\" x=\"%d\" y=\"30\">",
	       MARGIN);
	scene_title(v->scene, stdout);
	puts("</text>");
	put_scene(v, "as traced");
	if (model) {
		ok = mark_slow(v, model);
		v->top += high + BETWEEN;
		v->scene = model;
		snprintf(text, sizeof(text), "as simulated, fabric %s", fabric);
		put_scene(v, text);
	}
	put_legend(v->top + high + 44, model);
	puts("</svg>");
	return ok;
}

int scene_svg(const struct scene *s, const struct scene *model,
	      const struct scene_options *options)
{
	double end = model && model->end > s->end ? model->end : s->end;
	struct canvas v = {.scene = s, .top = HEAD};
	int *row = malloc((size_t)s->n * sizeof(*row));
	bool ok;

	v.line = malloc((size_t)s->n * sizeof(*v.line));
	ok = row && v.line;
	if (ok) {
		v.row = row;
		v.n = scene_rows(s, options->rows, row);
		for (int k = 0; k < s->n; k++)
			v.line[k] = -1;
		for (int k = 0; k < v.n; k++)
			v.line[row[k]] = k;
		v.dy = v.n <= 16 ? 30 : v.n <= 64 ? 18 : 12;
		v.dx = WIDTH / fmax(end, 1);
		ok = trace_svg_draw(&v, model, options->fabric);
	}
	free(v.line);
	free(row);
	return ok ? 0 : EXIT_RESOURCE;
}
