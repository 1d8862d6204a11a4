/* SPDX-License-Identifier: Apache-2.0 */
/*
 * draw_svg.c: a picture (SVG 1.1): ranks are lines, time goes to the right in
 * rounds, messages are arrows. Kinds differ by stroke and shape, not by colour
 * alone (the colours are of Okabe and Ito's palette), for print.
 */
#include "coll/draw/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Classes of the style sheet, and entries of the legend. */
enum look {
	LOOK_MESSAGE,
	LOOK_NODE,
	LOOK_BETWEEN,
	LOOK_SIGNAL,
	LOOK_WRITE,
	LOOK_ATOMIC,
	LOOK_REDUCE,
	LOOK_COPY,
	LOOK_WAIT,
	LOOKS
};

static const struct {
	const char *name, *text;
} looks[LOOKS] = {
    [LOOK_MESSAGE] = {"msg", "message"},
    [LOOK_NODE] = {"near", "message in a node"},
    [LOOK_BETWEEN] = {"far", "message between nodes"},
    [LOOK_SIGNAL] = {"one signal", "signal"},
    [LOOK_WRITE] = {"one write", "write"},
    [LOOK_ATOMIC] = {"one atomic", "atomic operation"},
    [LOOK_REDUCE] = {"reduce", "reduction"},
    [LOOK_COPY] = {"copy", "copy"},
    [LOOK_WAIT] = {"wait", "signals awaited"},
};

struct canvas {
	const struct drawing *d;
	FILE *out;
	struct draw_labels labels;
	int *line; /* of each rank: ranks of a node stand together */
	double left, top, dx, dy, bottom;
	double end, right; /* of the lines, of what may stand beneath them */
	bool seen[LOOKS];
};

enum { MARGIN = 24, HEAD = 92, GAP = 12, PAGE = 620 };

/* ---- Places ------------------------------------------------------------- */

static double x_of(const struct canvas *v, double time)
{
	return v->left + time * v->dx;
}

static double y_of(const struct canvas *v, int rank)
{
	return v->top + v->dy * (v->line[rank] + 0.5);
}

static const struct topology *nodes_of(const struct canvas *v)
{
	const struct topology *topo = v->d->options->shape.topo;

	return topo && topo->nodes > 1 ? topo : NULL;
}

static void number_lines(struct canvas *v)
{
	const struct topology *topo = nodes_of(v);
	int n = v->d->options->shape.size, next = 0;

	for (int node = 0; node < (topo ? topo->nodes : 1); node++)
		for (int r = 0; r < n; r++)
			if (!topo || topo->node[r] == node)
				v->line[r] = next++;
}

/* The longest way of an arrow across lines. */
static double longest(const struct canvas *v)
{
	int n = v->d->options->shape.size, most = 0;

	for (int r = 0; r < n; r++)
		for (uint32_t i = 0; i < v->d->plans[r].nsteps; i++) {
			const struct step *s = &v->d->plans[r].steps[i];

			if (step_has_peer(s->kind) &&
			    abs(v->line[s->peer] - v->line[r]) > most)
				most = abs(v->line[s->peer] - v->line[r]);
		}
	return most;
}

/* Lines close enough to see all, rounds wide enough for their arrows. */
static void lay_out(struct canvas *v)
{
	int n = v->d->options->shape.size;

	number_lines(v);
	v->dy = n <= 16 ? 36 : n <= 32 ? 26 : n <= 64 ? 18 : 12;
	v->dx = fmin(fmax(84, 60 + 0.3 * longest(v) * v->dy), 240);
	v->left = MARGIN + (nodes_of(v) ? 104 : 44);
	v->top = HEAD;
	v->end = x_of(v, v->d->timeline.end) + GAP;
	v->right = fmax(v->end, PAGE);
	v->bottom = v->top + v->dy * n;
}

/* ---- Background --------------------------------------------------------- */

/* Formulas may have characters that mean something to XML. */
static void put_text(const char *text, FILE *out)
{
	for (; *text; text++)
		if (*text == '<' || *text == '>' || *text == '&')
			fprintf(out, "&#%d;", *text);
		else
			fputc(*text, out);
}

static const char style[] =
    "<style>\n"
    "text { font: 13px Helvetica, Arial, sans-serif; fill: #222 }\n"
    ".title { font-size: 17px; font-weight: bold }\n"
    ".small { font-size: 12px; fill: #555 }\n"
    ".mid { text-anchor: middle }\n"
    ".end { text-anchor: end }\n"
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
    ".wait { fill: #8a3d78 }\n"
    "</style>\n";

static void write_marker(FILE *out, const char *id, const char *shape)
{
	fprintf(out, "<marker id=\"%s\" markerUnits=\"userSpaceOnUse\" "
		"markerWidth=\"12\" markerHeight=\"12\" refX=\"10\" refY=\"6\" "
		"orient=\"auto\">%s</marker>\n", id, shape);
}

static void write_defs(FILE *out)
{
	fputs("<defs>\n", out);
	write_marker(out, "head",
		     "<path d=\"M1 2.2 L10 6 L1 9.8 Z\" fill=\"#0072b2\"/>");
	write_marker(out, "farhead",
		     "<path d=\"M0 1 L10 6 L0 11 Z\" fill=\"#d55e00\"/>");
	write_marker(out, "open", "<path d=\"M2 2 L10 6 L2 10\" fill=\"none\" "
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
	put_text(v->d->options->choice.algorithm->formula, v->out);
	fputs("</text>\n", v->out);
}

static void write_bands(const struct canvas *v)
{
	const struct topology *topo = nodes_of(v);
	int n = v->d->options->shape.size;

	for (int node = 0; topo && node < topo->nodes; node++) {
		int first = n, lines = 0;

		for (int r = 0; r < n; r++)
			if (topo->node[r] == node) {
				first = fmin(first, v->line[r]);
				lines++;
			}
		fprintf(v->out, "<rect class=\"band\" x=\"%d\" y=\"%.1f\" "
			"width=\"%.1f\" height=\"%.1f\" rx=\"5\"/>\n"
			"<text x=\"%d\" y=\"%.1f\">node %d</text>\n",
			MARGIN, v->top + v->dy * first + 2,
			v->end + 6 - MARGIN, v->dy * lines - 4, MARGIN + 8,
			v->top + v->dy * (first + lines / 2.0) + 4.5, node);
	}
}

static void write_rounds(const struct canvas *v)
{
	int rounds = (int)v->d->timeline.end;

	if (rounds)
		fprintf(v->out, "<text class=\"small end\" x=\"%.1f\" "
			"y=\"%.1f\">round</text>\n",
			v->left - 8, v->top - 10);
	for (int k = 0; k <= rounds; k++)
		fprintf(v->out, "<path class=\"round\" d=\"M%.1f %.1f V%.1f\"/>\n",
			x_of(v, k), v->top - 4, v->bottom + 4);
	for (int k = 0; k < rounds; k++)
		fprintf(v->out, "<text class=\"small mid\" x=\"%.1f\" "
			"y=\"%.1f\">%d</text>\n",
			x_of(v, k + 0.5), v->top - 10, k + 1);
}

/* A rank's line is strong until it has finished. */
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

/* ---- Steps -------------------------------------------------------------- */

static enum look look_of(const struct canvas *v, const struct step *s, int rank)
{
	const struct topology *topo = nodes_of(v);

	switch (s->kind) {
	case STEP_SEND:
		if (!topo)
			return LOOK_MESSAGE;
		return topo->node[rank] == topo->node[s->peer] ? LOOK_NODE
							       : LOOK_BETWEEN;
	case STEP_SIGNAL:
		return LOOK_SIGNAL;
	case STEP_WRITE:
		return LOOK_WRITE;
	case STEP_FETCH_ADD:
	case STEP_COMPARE_SWAP:
		return LOOK_ATOMIC;
	case STEP_RECV_REDUCE:
	case STEP_REDUCE:
		return s->count ? LOOK_REDUCE : LOOKS;
	case STEP_COPY:
	case STEP_TAKE:
		return s->count ? LOOK_COPY : LOOKS;
	case STEP_WAIT_MEMORY:
		return LOOK_WAIT;
	default:
		return LOOKS;
	}
}

static void write_mark(FILE *out, enum look look, double x, double y)
{
	const char *name = looks[look].name;

	if (look == LOOK_REDUCE)
		fprintf(out, "<g class=\"%s\"><circle cx=\"%.1f\" cy=\"%.1f\" "
			"r=\"5.5\"/><path d=\"M%.1f %.1f h7 m-3.5 -3.5 v7\"/>"
			"</g>\n", name, x, y, x - 3.5, y);
	else if (look == LOOK_COPY)
		fprintf(out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" "
			"width=\"8\" height=\"8\"/>\n", name, x - 4, y - 4);
	else
		fprintf(out, "<path class=\"%s\" d=\"M%.1f %.1f l5 -5 l5 5 l-5 5 "
			"Z\"/>\n", name, x - 5, y);
}

static void write_arrow(const struct canvas *v, int rank, uint32_t i,
			enum look look)
{
	const struct step *s = &v->d->plans[rank].steps[i];
	const struct span *l = &v->d->timeline.of[v->d->timeline.first[rank] + i];
	struct label_text label = draw_label(v->d, &v->labels, rank, i);
	double x1 = x_of(v, l->begin) + GAP, x2 = x_of(v, l->end) - GAP;
	double y1 = y_of(v, rank), y2 = y_of(v, s->peer);
	/* close to the sender, where arrows have not met yet */
	double at = v->dy * 0.3 / fabs(y2 - y1);

	if (rank == s->peer) {
		fprintf(v->out, "<path class=\"%s\" d=\"M%.1f %.1f q%.1f -20 "
			"%.1f 0\"/>\n", looks[look].name, x1, y1,
			(x2 - x1) / 2, x2 - x1);
		at = 0.5;
	} else {
		fprintf(v->out, "<path class=\"%s\" d=\"M%.1f %.1f L%.1f %.1f\"/>"
			"\n", looks[look].name, x1, y1, x2, y2);
	}
	if (*label.text)
		fprintf(v->out, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">%s"
			"</text>\n", x1 + at * (x2 - x1),
			y1 + at * (y2 - y1) + 4, label.text);
}

/* Arrows first, then marks above them. */
static void write_steps(const struct canvas *v, bool arrows)
{
	for (int r = 0; r < v->d->options->shape.size; r++)
		for (uint32_t i = 0; i < v->d->plans[r].nsteps; i++) {
			enum look look =
			    look_of(v, &v->d->plans[r].steps[i], r);
			size_t s = v->d->timeline.first[r] + i;

			if (look == LOOKS || (look < LOOK_REDUCE) != arrows)
				continue;
			if (arrows)
				write_arrow(v, r, i, look);
			else
				write_mark(v->out, look,
					   x_of(v, v->d->timeline.of[s].end) +
					       (look == LOOK_COPY ? 4 : -3),
					   y_of(v, r));
		}
}

/* ---- Legend ------------------------------------------------------------- */

static void find_looks(struct canvas *v)
{
	for (int r = 0; r < v->d->options->shape.size; r++)
		for (uint32_t i = 0; i < v->d->plans[r].nsteps; i++) {
			enum look look =
			    look_of(v, &v->d->plans[r].steps[i], r);

			if (look < LOOKS)
				v->seen[look] = true;
		}
}

/* What the numbers mean, or what stands for all of them. */
static void say_labels(const struct canvas *v, char *text, size_t room)
{
	enum draw_label what = v->labels.what;
	bool same = v->labels.same && v->labels.bytes > 0;

	*text = '\0';
	if (what == LABEL_BYTES)
		snprintf(text, room, "numbers: bytes");
	else if (what == LABEL_BLOCKS && same)
		snprintf(text, room, "numbers: blocks; each message: %.0f bytes",
			 v->labels.bytes);
	else if (what == LABEL_BLOCKS)
		snprintf(text, room, "numbers: blocks, one for each rank");
	else if (same)
		snprintf(text, room, "each %s: %.0f bytes",
			 v->d->totals.messages ? "message" : "write or addition",
			 v->labels.bytes);
}

static void write_entry(const struct canvas *v, enum look look,
			const char *text, double x, double y)
{
	if (look < LOOK_REDUCE)
		fprintf(v->out, "<path class=\"%s\" d=\"M%.1f %.1f h30\"/>\n",
			looks[look].name, x, y);
	else if (look < LOOKS)
		write_mark(v->out, look, x + 22, y);
	fprintf(v->out, "<text class=\"small\" x=\"%.1f\" y=\"%.1f\">%s</text>"
		"\n", look < LOOKS ? x + 37 : x, y + 4, text);
}

/* In lines as wide as there is room; returns the height. */
static double legend(const struct canvas *v, bool write)
{
	double x = MARGIN, y = v->bottom + 32;
	char note[64];

	say_labels(v, note, sizeof(note));
	for (int k = 0; k <= LOOKS; k++) {
		const char *text = k < LOOKS ? looks[k].text : note;
		double width = 6.4 * (double)strlen(text) + 60;

		if (k < LOOKS ? !v->seen[k] : !*note)
			continue;
		if (x + width > v->right + MARGIN) {
			x = MARGIN;
			y += 22;
		}
		if (write)
			write_entry(v, k, text, x, y);
		x += width;
	}
	return y + MARGIN;
}

/* ---- Whole -------------------------------------------------------------- */

void draw_svg(const struct drawing *d, FILE *out)
{
	struct canvas v = {.d = d, .out = out};
	int n = d->options->shape.size;
	double width, height;

	v.line = calloc((size_t)n, sizeof(*v.line));
	if (!v.line)
		return;
	v.labels = draw_labels_choose(d);
	lay_out(&v);
	find_looks(&v);
	width = v.right + MARGIN;
	height = legend(&v, false);
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		"viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\">\n",
		width, height, width, height);
	fputs(style, out);
	write_defs(out);
	fputs("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", out);
	write_title(&v);
	write_bands(&v);
	write_rounds(&v);
	for (int r = 0; r < n; r++)
		write_line(&v, r);
	write_steps(&v, true);
	write_steps(&v, false);
	legend(&v, true);
	fputs("</svg>\n", out);
	free(v.line);
}
