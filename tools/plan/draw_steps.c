/* SPDX-License-Identifier: Apache-2.0 */
/* draw_steps.c: draws steps as arrows and marks, and the legend. */
#include "tools/plan/canvas.h"

#include <math.h>
#include <string.h>

static const struct {
	const char *name, *text;
} styles[STYLES] = {
    [STYLE_MESSAGE] = {"msg", "message"},
    [STYLE_NODE] = {"near", "message in a node"},
    [STYLE_BETWEEN] = {"far", "message between nodes"},
    [STYLE_SIGNAL] = {"one signal", "signal"},
    [STYLE_WRITE] = {"one write", "write"},
    [STYLE_ATOMIC] = {"one atomic", "atomic operation"},
    [STYLE_LOAD] = {"one load", "load from a board"},
    [STYLE_REDUCE] = {"reduce", "reduction"},
    [STYLE_COPY] = {"copy", "copy"},
    [STYLE_WAIT] = {"wait", "signals awaited"},
};

/* ---- Steps ---- */

static enum style style_of(const struct canvas *v, const struct step *s,
			   int rank)
{
	const struct topology *topo = nodes_of(v);

	switch (s->kind) {
	case STEP_SEND:
		if (!topo)
			return STYLE_MESSAGE;
		return topology_node_of(topo, rank) ==
			       topology_node_of(topo, s->peer)
			   ? STYLE_NODE
			   : STYLE_BETWEEN;
	case STEP_SIGNAL:
		return STYLE_SIGNAL;
	case STEP_WRITE:
		return STYLE_WRITE;
	case STEP_FETCH_ADD:
	case STEP_COMPARE_SWAP:
		return STYLE_ATOMIC;
	case STEP_LOAD:
	case STEP_LOAD_REDUCE:
		return STYLE_LOAD;
	case STEP_RECV_REDUCE:
	case STEP_REDUCE:
		return s->count ? STYLE_REDUCE : STYLES;
	case STEP_COPY:
	case STEP_TAKE:
		return s->count ? STYLE_COPY : STYLES;
	case STEP_WAIT_MEMORY:
		return STYLE_WAIT;
	default:
		return STYLES;
	}
}

static void write_mark(FILE *out, enum style style, double x, double y)
{
	const char *name = styles[style].name;

	if (style == STYLE_REDUCE)
		fprintf(out,
			"<g class=\"%s\"><circle cx=\"%.1f\" cy=\"%.1f\" "
			"r=\"5.5\"/><path d=\"M%.1f %.1f h7 m-3.5 -3.5 v7\"/>"
			"</g>\n",
			name, x, y, x - 3.5, y);
	else if (style == STYLE_COPY)
		fprintf(out,
			"<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" "
			"width=\"8\" height=\"8\"/>\n",
			name, x - 4, y - 4);
	else
		fprintf(out,
			"<path class=\"%s\" d=\"M%.1f %.1f l5 -5 l5 5 l-5 5 "
			"Z\"/>\n",
			name, x - 5, y);
}

static void write_arrow(const struct canvas *v, int rank, uint32_t i,
			enum style style)
{
	const struct step *s = &v->d->plans[rank].steps[i];
	const struct interval *l =
	    &v->d->timeline.of[v->d->timeline.first[rank] + i];
	struct label_text label = draw_label(v->d, &v->labels, rank, i);
	double x1 = x_of(v, l->begin) + GAP, x2 = x_of(v, l->end) - GAP;
	bool load = step_is_load(s->kind);
	double y1 = y_of(v, load ? s->peer : rank);
	double y2 = y_of(v, load ? rank : s->peer);
	/* close to the sender, before arrows cross */
	double at = v->dy * 0.3 / fabs(y2 - y1);

	if (rank == s->peer) {
		fprintf(v->out,
			"<path class=\"%s\" d=\"M%.1f %.1f q%.1f -20 "
			"%.1f 0\"/>\n",
			styles[style].name, x1, y1, (x2 - x1) / 2, x2 - x1);
		at = 0.5;
	} else {
		fprintf(v->out,
			"<path class=\"%s\" d=\"M%.1f %.1f L%.1f %.1f\"/>"
			"\n",
			styles[style].name, x1, y1, x2, y2);
	}
	if (*label.text)
		fprintf(v->out,
			"<text class=\"label\" x=\"%.1f\" y=\"%.1f\">%s"
			"</text>\n",
			x1 + at * (x2 - x1), y1 + at * (y2 - y1) + 4,
			label.text);
}

void canvas_steps(const struct canvas *v, bool arrows)
{
	for (int r = 0; r < v->d->options->shape.size; r++)
		for (uint32_t i = 0; i < v->d->plans[r].nsteps; i++) {
			enum style style =
			    style_of(v, &v->d->plans[r].steps[i], r);
			size_t s = v->d->timeline.first[r] + i;

			if (style == STYLES || (style < STYLE_REDUCE) != arrows)
				continue;
			if (arrows)
				write_arrow(v, r, i, style);
			else
				write_mark(v->out, style,
					   x_of(v, v->d->timeline.of[s].end) +
					       (style == STYLE_COPY ? 4 : -3),
					   y_of(v, r));
		}
}

/* ---- Legend ---- */

void canvas_find_styles(struct canvas *v)
{
	for (int r = 0; r < v->d->options->shape.size; r++)
		for (uint32_t i = 0; i < v->d->plans[r].nsteps; i++) {
			enum style style =
			    style_of(v, &v->d->plans[r].steps[i], r);

			if (style < STYLES)
				v->seen[style] = true;
		}
}

/* Writes what the labels mean, or the bytes of all messages. */
static void describe_labels(const struct canvas *v, char *text, size_t room)
{
	enum draw_label what = v->labels.what;
	bool same = v->labels.same && v->labels.bytes > 0;

	*text = '\0';
	if (what == LABEL_BYTES)
		snprintf(text, room, "numbers: bytes");
	else if (what == LABEL_BLOCKS && same)
		snprintf(text, room,
			 "numbers: blocks; each message: %.0f bytes",
			 v->labels.bytes);
	else if (what == LABEL_BLOCKS)
		snprintf(text, room, "numbers: blocks, one for each rank");
	else if (same)
		snprintf(text, room, "each %s: %.0f bytes",
			 v->d->totals.messages ? "message"
					       : "write or addition",
			 v->labels.bytes);
}

static void write_entry(const struct canvas *v, enum style style,
			const char *text, double x, double y)
{
	if (style < STYLE_REDUCE)
		fprintf(v->out, "<path class=\"%s\" d=\"M%.1f %.1f h30\"/>\n",
			styles[style].name, x, y);
	else if (style < STYLES)
		write_mark(v->out, style, x + 22, y);
	fprintf(v->out,
		"<text class=\"small\" x=\"%.1f\" y=\"%.1f\">%s</text>"
		"\n",
		style < STYLES ? x + 37 : x, y + 4, text);
}

double canvas_legend(const struct canvas *v, bool write)
{
	double x = MARGIN, y = v->bottom + 32;
	char note[64];

	describe_labels(v, note, sizeof(note));
	for (int k = 0; k <= STYLES; k++) {
		const char *text = k < STYLES ? styles[k].text : note;
		double width = 6.4 * (double)strlen(text) + 60;

		if (k < STYLES ? !v->seen[k] : !*note)
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
