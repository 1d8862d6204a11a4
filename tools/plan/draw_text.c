/* SPDX-License-Identifier: Apache-2.0 */
/* draw_text.c: writes plans as tables for people. */
#include "tools/plan/draw.h"

#include <string.h>

/* Appends "tmp0[4]" or "recv[0..7]" to text, which is of `room` bytes. */
static void add_place(char *text, size_t room, struct ref r, size_t count)
{
	size_t len = strlen(text);

	if (count > 1)
		snprintf(text + len, room - len, "%s[%zu..%zu]",
			 draw_buffer(r.buf).text, r.at, r.at + count - 1);
	else
		snprintf(text + len, room - len, "%s[%zu]",
			 draw_buffer(r.buf).text, r.at);
}

/* Writes what a step reads. */
static void append_from(const struct step *s, char *text, size_t room)
{
	bool reduces = step_reduces(s->kind);
	struct ref left = reduces && s->flip ? s->with : s->src;

	*text = '\0';
	if (s->kind == STEP_WAIT_MEMORY)
		snprintf(text, room, "%zu signal%s", s->count,
			 s->count == 1 ? "" : "s");
	else if (s->count && s->kind != STEP_RECV && s->kind != STEP_SIGNAL)
		add_place(text, room, left, s->count);
	if (!reduces || !s->count)
		return;
	snprintf(text + strlen(text), room - strlen(text), " op ");
	add_place(text, room, s->flip ? s->src : s->with, s->count);
}

/* Writes where a step stores its result, which for a one-sided step is on the
 * peer. */
static void append_to(const struct step *s, char *text, size_t room)
{
	bool counter = s->kind == STEP_SIGNAL || s->kind == STEP_WAIT_MEMORY;

	*text = '\0';
	if (counter)
		add_place(text, room, s->dst, 1);
	else if (s->count && s->kind != STEP_SEND && s->kind != STEP_POST)
		add_place(text, room, s->dst, s->count);
}

static void say_after(const struct step *s, char *text, size_t room)
{
	if (s->after[0] && s->after[1])
		snprintf(text, room, "%u %u", s->after[0], s->after[1]);
	else if (s->after[0] || s->after[1])
		snprintf(text, room, "%u", s->after[0] + s->after[1]);
	else
		snprintf(text, room, "-");
}

static void write_step(const struct drawing *d, const struct step *s,
		       unsigned number, FILE *out)
{
	char from[96], to[48], after[24], peer[16] = "", tag[16] = "";

	append_from(s, from, sizeof(from));
	append_to(s, to, sizeof(to));
	say_after(s, after, sizeof(after));
	if (step_has_peer(s->kind))
		snprintf(peer, sizeof(peer), "%d", s->peer);
	if (step_is_message(s->kind))
		snprintf(tag, sizeof(tag), "%u", s->tag);
	fprintf(out, "%6u %-12s %5s %5s %10.0f  %-9s %-28s %s\n", number,
		draw_kind(s), peer, tag, draw_bytes(d, s), after, from, to);
}

static void write_rank(const struct drawing *d, int rank, FILE *out)
{
	const struct plan *plan = &d->plans[rank];
	const struct topology *topo = d->options->shape.topo;

	fprintf(out, "\nrank %d", rank);
	if (topo)
		fprintf(out, ", node %d", topology_node_of(topo, rank));
	for (int k = 0; k < plan->ntmp; k++)
		fprintf(out, ", tmp%d[%zu]", k, plan->tmp[k]);
	fprintf(out, "\n%6s %-12s %5s %5s %10s  %-9s %-28s %s\n", "step",
		"kind", "peer", "tag", "bytes", "after", "from", "to");
	for (uint32_t i = 0; i < plan->nsteps; i++)
		write_step(d, &plan->steps[i], i + 1, out);
}

static void write_totals(const struct drawing *d, FILE *out)
{
	const struct draw_totals *t = &d->totals;

	fprintf(out, "messages      %zu, %.0f bytes", t->messages, t->bytes);
	if (t->onesided)
		fprintf(out, "; %zu one-sided steps", t->onesided);
	if (d->options->rank >= 0) {
		fprintf(out, " sent by this rank\n");
	} else {
		fprintf(out, "\nrounds        %.0f one after the other",
			t->rounds);
		if (d->options->ports)
			fprintf(out,
				", %.0f if a rank sends %d and receives %d "
				"at once",
				d->timeline.end, d->options->ports,
				d->options->ports);
		fputc('\n', out);
	}
	fprintf(out, "temporaries   %zu on a rank, %zu bytes\n", t->tmps,
		t->tmp_bytes);
}

static void write_cost(const struct drawing *d, FILE *out)
{
	struct cost c = draw_cost(d);

	fprintf(out, "cost          %s\n",
		d->options->choice.algorithm->formula);
	fprintf(out,
		"  in a chain  %g rounds (%g together), %.0f bytes, %.0f bytes "
		"reduced, %g atomics\n",
		c.rounds, c.together, c.bytes, c.reduced, c.atomics);
	fprintf(out, "  all ranks   %g messages, %.0f bytes\n", c.sends,
		c.moved);
}

void draw_text(const struct drawing *d, FILE *out)
{
	int n = d->options->shape.size, only = d->options->rank;

	draw_title(d, out);
	fputc('\n', out);
	write_totals(d, out);
	write_cost(d, out);
	for (int r = 0; r < n; r++)
		if (only < 0 || only == r)
			write_rank(d, r, out);
}
