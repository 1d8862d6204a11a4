/* SPDX-License-Identifier: Apache-2.0 */
/*
 * draw_svg.c: draws a picture (SVG 1.1) in which ranks are lines, rounds go to
 * the right, and messages are arrows. Kinds of steps differ by stroke and
 * shape, not by colour alone (the palette is Okabe and Ito's), so that print
 * works.
 */
#include "tools/plan/canvas.h"
#include "tools/common/svg.h"

#include <math.h>
#include <stdlib.h>

/* ---- Layout ---- */

/* Returns the largest number of lines that an arrow crosses. */
static double draw_svg_longest(const struct canvas *v)
{
	int n = v->d->options->shape.size, most = 0;

	for (int r = 0; r < n; r++)
		for (uint32_t i = 0; i < v->d->plans[r].nsteps; i++) {
			const struct step *s = &v->d->plans[r].steps[i];

			if (step_has_peer(s->kind) &&
			    abs(v->d->line[s->peer] - v->d->line[r]) > most)
				most = abs(v->d->line[s->peer] - v->d->line[r]);
		}
	return most;
}

/* Sets lines as close as a whole view needs, and rounds as wide as their arrows
 * need. */
static void lay_out(struct canvas *v)
{
	int n = v->d->options->shape.size;

	v->dy = n <= 16 ? 36 : n <= 32 ? 26 : n <= 64 ? 18 : 12;
	v->dx = fmin(fmax(84, 60 + 0.3 * draw_svg_longest(v) * v->dy), 240);
	v->left = MARGIN + (nodes_of(v) ? 104 : 44);
	v->top = HEAD;
	v->end = x_of(v, v->d->timeline.end) + GAP;
	v->right = fmax(v->end, PAGE);
	v->bottom = v->top + v->dy * n;
}

/* ---- Background ---- */

static const char style[] =
    ".label { font-size: 11px; text-anchor: middle; stroke: #fff;\n"
    "  stroke-width: 3px; paint-order: stroke; stroke-linejoin: round }\n"
    ".band { fill: #e8eef3 }\n"
    ".round { stroke: #ccc; stroke-dasharray: 2 3 }\n"
    ".after { stroke: #bbb }\n"
    ".busy { stroke: #444; stroke-width: 1.6 }\n"
    ".msg, .near, .far, .one { fill: none; marker-end: url(#head) }\n"
    ".msg, .near { stroke: #0072b2; stroke-width: 1.4 }\n"
    ".far { stroke: #d55e00; stroke-width: 2.4; marker-end: url(#farhead) }\n"
    ".one { stroke: #8a3d78; stroke-width: 1.6; marker-end: url(#open) }\n"
    ".signal { stroke-dasharray: 2 3 }\n"
    ".write { stroke-dasharray: 9 3 }\n"
    ".atomic { stroke-dasharray: 9 3 2 3 }\n"
    ".reduce { fill: #fff; stroke: #00684c; stroke-width: 1.5 }\n"
    ".copy { fill: #fff; stroke: #222; stroke-width: 1.3 }\n"
    ".wait { fill: #8a3d78 }\n";

static void write_defs(FILE *out)
{
	fputs("<defs>\n", out);
	svg_marker(out, "head",
		   "<path d=\"M1 2.2 L10 6 L1 9.8 Z\" fill=\"#0072b2\"/>");
	svg_marker(out, "farhead",
		   "<path d=\"M0 1 L10 6 L0 11 Z\" fill=\"#d55e00\"/>");
	svg_marker(out, "open",
		   "<path d=\"M2 2 L10 6 L2 10\" fill=\"none\" "
		   "stroke=\"#8a3d78\" stroke-width=\"1.6\"/>");
	fputs("</defs>\n", out);
}

static void write_title(const struct canvas *v)
{
	const struct draw_totals *t = &v->d->totals;

	fprintf(v->out, "<text class=\"title\" x=\"%d\" y=\"32\">", MARGIN);
	draw_title(v->d, v->out);
	fprintf(v->out, "</text>\n<text class=\"small\" x=\"%d\" y=\"52\">",
		MARGIN);
	if (t->messages || !t->onesided)
		fprintf(v->out, "%zu messages, %.0f bytes; ", t->messages,
			t->bytes);
	if (t->onesided)
		fprintf(v->out, "%zu one-sided steps; ", t->onesided);
	fputs("cost ", v->out);
	svg_text(v->out, v->d->options->choice.algorithm->formula);
	fputs("</text>\n", v->out);
}

static void write_bands(const struct canvas *v)
{
	const struct topology *topo = nodes_of(v);
	int n = v->d->options->shape.size;

	for (int node = 0; topo && node < topo->nodes; node++) {
		int first = n, lines = 0;

		for (int r = 0; r < n; r++)
			if (topology_node_of(topo, r) == node) {
				if (v->d->line[r] < first)
					first = v->d->line[r];
				lines++;
			}
		fprintf(v->out,
			"<rect class=\"band\" x=\"%d\" y=\"%.1f\" "
			"width=\"%.1f\" height=\"%.1f\" rx=\"5\"/>\n"
			"<text x=\"%d\" y=\"%.1f\">node %d</text>\n",
			MARGIN, v->top + v->dy * first + 2, v->end + 6 - MARGIN,
			v->dy * lines - 4, MARGIN + 8,
			v->top + v->dy * (first + lines / 2.0) + 4.5, node);
	}
}

static void write_rounds(const struct canvas *v)
{
	int rounds = (int)v->d->timeline.end;

	if (rounds)
		fprintf(v->out,
			"<text class=\"small end\" x=\"%.1f\" "
			"y=\"%.1f\">round</text>\n",
			v->left - 8, v->top - 10);
	for (int k = 0; k <= rounds; k++)
		fprintf(v->out,
			"<path class=\"round\" d=\"M%.1f %.1f V%.1f\"/>\n",
			x_of(v, k), v->top - 4, v->bottom + 4);
	for (int k = 0; k < rounds; k++)
		fprintf(v->out,
			"<text class=\"small mid\" x=\"%.1f\" "
			"y=\"%.1f\">%d</text>\n",
			x_of(v, k + 0.5), v->top - 10, k + 1);
}

/* Draws a rank's line, strong until the rank has finished. */
static void write_line(const struct canvas *v, int rank)
{
	const struct timeline *l = &v->d->timeline;
	double y = y_of(v, rank), end = 0;

	for (size_t s = l->first[rank]; s < l->first[rank + 1]; s++)
		end = fmax(end, l->of[s].end);
	fprintf(v->out, "<path class=\"after\" d=\"M%.1f %.1f H%.1f\"/>\n",
		x_of(v, end), y, v->end);
	fprintf(v->out, "<path class=\"busy\" d=\"M%.1f %.1f H%.1f\"/>\n",
		v->left, y, x_of(v, end) + 0.1);
	fprintf(v->out, "<text class=\"end\" x=\"%.1f\" y=\"%.1f\">%d</text>\n",
		v->left - 8, y + 4.5, rank);
}

/* ---- The picture ---- */

void draw_svg(const struct drawing *d, FILE *out)
{
	struct canvas v = {.d = d, .out = out};
	int n = d->options->shape.size;
	double width, height;

	v.labels = draw_labels_choose(d);
	lay_out(&v);
	canvas_find_styles(&v);
	width = v.right + MARGIN;
	height = canvas_legend(&v, false);
	svg_begin(out, width, height, style);
	write_defs(out);
	fputs("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", out);
	write_title(&v);
	write_bands(&v);
	write_rounds(&v);
	for (int r = 0; r < n; r++)
		write_line(&v, r);
	canvas_steps(&v, true);
	canvas_steps(&v, false);
	canvas_legend(&v, true);
	fputs("</svg>\n", out);
}
