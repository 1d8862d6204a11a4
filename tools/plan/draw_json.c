/* SPDX-License-Identifier: Apache-2.0 */
/* draw_json.c: writes plans as JSON, one step per line; mrt-plan(1) describes
 * it. None of its names needs quoting. */
#include "tools/plan/draw.h"

static void write_place(const char *key, struct ref r, FILE *out)
{
	fprintf(out, ", \"%s\": {\"buffer\": \"%s\", \"at\": %zu}", key,
		draw_buffer(r.buf).text, r.at);
}

static bool draw_json_reads(const struct step *s)
{
	return s->kind != STEP_RECV && s->kind != STEP_SIGNAL &&
	       s->kind != STEP_WAIT_MEMORY;
}

static void write_after(const struct step *s, FILE *out)
{
	const char *comma = "";

	fputs(", \"after\": [", out);
	for (int k = 0; k < 2; k++)
		if (s->after[k]) {
			fprintf(out, "%s%u", comma, s->after[k]);
			comma = ", ";
		}
	fputc(']', out);
}

static void write_step(const struct drawing *d, int rank, uint32_t i, FILE *out)
{
	const struct step *s = &d->plans[rank].steps[i];

	fprintf(out,
		"%s\n      {\"step\": %u, \"kind\": \"%s\", \"count\": %zu",
		i ? "," : "", i + 1, draw_kind(s), s->count);
	write_after(s, out);
	if (step_has_peer(s->kind))
		fprintf(out, ", \"peer\": %d", s->peer);
	if (step_is_message(s->kind) || step_is_load(s->kind) ||
	    s->kind == STEP_POST)
		fprintf(out, ", \"tag\": %u", s->tag);
	if (draw_json_reads(s))
		write_place("src", s->src, out);
	if (step_reduces(s->kind)) {
		write_place("with", s->with, out);
		fprintf(out, ", \"flip\": %s", s->flip ? "true" : "false");
	}
	if (s->kind != STEP_SEND && s->kind != STEP_POST)
		write_place("dst", s->dst, out);
	if (d->timeline.of) {
		const struct interval *l =
		    &d->timeline.of[d->timeline.first[rank] + i];

		fprintf(out, ", \"begin\": %g, \"end\": %g", l->begin, l->end);
	}
	fputc('}', out);
}

static void write_rank(const struct drawing *d, int rank, FILE *out)
{
	const struct plan *plan = &d->plans[rank];

	fprintf(out, "    {\"rank\": %d, \"temporaries\": [", rank);
	for (int k = 0; k < plan->ntmp; k++)
		fprintf(out, "%s%zu", k ? ", " : "", plan->tmp[k]);
	fputs("],\n     \"steps\": [", out);
	for (uint32_t i = 0; i < plan->nsteps; i++)
		write_step(d, rank, i, out);
	fputs("]}", out);
}

static void write_list(const char *key,
		       int (*of)(const struct topology *topo, int rank),
		       const struct topology *topo, FILE *out)
{
	fprintf(out, "  \"%s\": [", key);
	for (int r = 0; r < topo->size; r++)
		fprintf(out, "%s%d", r ? ", " : "", of(topo, r));
	fputs("],\n", out);
}

static void write_head(const struct drawing *d, FILE *out)
{
	const struct draw_options *o = d->options;
	const struct shape *s = &o->shape;
	struct argument argument = draw_argument(d);

	fprintf(out,
		"  \"collective\": \"%s\",\n  \"algorithm\": \"%s\",\n"
		"  \"argument\": \"%s\",\n",
		coll_tables[o->collective].name, o->choice.algorithm->name,
		argument.text);
	fprintf(out,
		"  \"ranks\": %d,\n  \"root\": %d,\n  \"count\": %zu,\n"
		"  \"type_size\": %zu,\n",
		s->size, s->root, s->count, s->type_size);
	fprintf(out, "  \"commutative\": %s,\n  \"in_place\": %s,\n",
		s->commutative ? "true" : "false",
		s->in_place ? "true" : "false");
	if (s->topo) {
		write_list("node", topology_node_of, s->topo, out);
		write_list("cache", topology_cache_of, s->topo, out);
	}
}

static void write_sums(const struct drawing *d, FILE *out)
{
	const struct draw_totals *t = &d->totals;
	struct cost c = draw_cost(d);

	fprintf(out,
		"  \"totals\": {\"messages\": %zu, \"bytes\": %.0f, "
		"\"onesided\": %zu",
		t->messages, t->bytes, t->onesided);
	if (d->timeline.of)
		fprintf(out, ", \"rounds\": %g, \"end\": %g", t->rounds,
			d->timeline.end);
	fprintf(out,
		"},\n  \"cost\": {\"formula\": \"%s\",\n"
		"    \"rounds\": %.15g, \"together\": %.15g, \"bytes\": %.15g, "
		"\"reduced\": %.15g, \"atomics\": %.15g,\n    \"sends\": "
		"%.15g, \"moved\": %.15g, "
		"\"near_rounds\": %.15g, \"near_together\": %.15g, "
		"\"near_bytes\": %.15g},\n",
		d->options->choice.algorithm->formula, c.rounds, c.together,
		c.bytes, c.reduced, c.atomics, c.sends, c.moved, c.intra_rounds,
		c.intra_together, c.intra_bytes);
}

void draw_json(const struct drawing *d, FILE *out)
{
	int n = d->options->shape.size, only = d->options->rank;

	fputs("{\n", out);
	write_head(d, out);
	write_sums(d, out);
	fputs("  \"plans\": [\n", out);
	for (int r = only < 0 ? 0 : only; r < (only < 0 ? n : only + 1); r++) {
		write_rank(d, r, out);
		fputs(r + 1 < n && only < 0 ? ",\n" : "\n", out);
	}
	fputs("  ]\n}\n", out);
}
