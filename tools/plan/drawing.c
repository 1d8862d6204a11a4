/* SPDX-License-Identifier: Apache-2.0 */
/* drawing.c: builds the plans to be drawn, their totals, and names. */
#include "tools/plan/draw.h"

#include <stdlib.h>

#include "coll/plan/rules.h"
#include "mrt.h"

/* ---- Plans ---- */

/* Neighbours of a rank: left and right; on a torus, above and below come first.
 * Each is both a source and a destination. */
struct surroundings {
	struct neighbors neighbors;
	int list[4];
};

static void find_neighbors(const struct draw_options *o, int rank,
			   struct surroundings *s)
{
	int columns = o->rows ? o->columns : o->shape.size;
	int row = rank / columns, column = rank % columns, n = 0;

	if (o->rows) {
		s->list[n++] = (row + o->rows - 1) % o->rows * columns + column;
		s->list[n++] = (row + 1) % o->rows * columns + column;
	}
	s->list[n++] = row * columns + (column + columns - 1) % columns;
	s->list[n++] = row * columns + (column + 1) % columns;
	s->neighbors = (struct neighbors){n, n, s->list, s->list, false};
}

/* Returns the shape of one rank; it points into *s. */
static struct shape shape_of(const struct draw_options *o, int rank,
			     struct surroundings *s)
{
	struct shape shape = o->shape;

	if (rules[o->collective].neighbors) {
		find_neighbors(o, rank, s);
		shape.neighbors = &s->neighbors;
	}
	if (rules[o->collective].in_place == IN_PLACE_ROOT &&
	    rank != shape.root)
		shape.in_place = false;
	return shape;
}

static int drawing_build(const struct draw_options *o, int rank,
			 struct plan *plan)
{
	struct surroundings around;
	struct shape shape = shape_of(o, rank, &around);

	return plan_build(o->choice.algorithm, &shape, rank, plan);
}

static int build_all(struct drawing *d)
{
	const struct draw_options *o = d->options;
	int rc = MRT_SUCCESS;

	for (int r = 0; r < o->shape.size && !rc; r++)
		if (o->rank < 0 || o->rank == r)
			rc = drawing_build(o, r, &d->plans[r]);
	return rc;
}

/* ---- Totals ---- */

static void add_plan(struct drawing *d, const struct plan *plan)
{
	struct draw_totals *t = &d->totals;
	size_t tmp = 0;

	for (uint32_t i = 0; i < plan->nsteps; i++) {
		const struct step *s = &plan->steps[i];

		if (s->kind == STEP_SEND) {
			t->messages++;
			t->bytes += draw_bytes(d, s);
		} else if (step_has_peer(s->kind) &&
			   !step_is_message(s->kind)) {
			t->onesided++;
		}
	}
	for (int k = 0; k < plan->ntmp; k++)
		tmp += plan->tmp[k];
	tmp *= d->options->shape.type_size;
	t->tmp_bytes = tmp > t->tmp_bytes ? tmp : t->tmp_bytes;
	t->tmps = plan->ntmp > t->tmps ? plan->ntmp : t->tmps;
}

/* Gives every message and one-sided step the duration of one round. */
static double one_round(const struct step *step, const void *with)
{
	return step_has_peer(step->kind) && step->kind != STEP_RECV &&
	       step->kind != STEP_RECV_REDUCE;
}

static int compute_timeline(struct drawing *d)
{
	struct timeline_rules how = {.time = one_round};
	int n = d->options->shape.size;
	int rc = timeline_make(&d->timeline, d->plans, n, &how);

	if (rc)
		return rc;
	d->totals.rounds = d->timeline.end;
	timeline_fini(&d->timeline);
	how.ports = d->options->ports;
	return timeline_make(&d->timeline, d->plans, n, &how);
}

static void number_lines(struct drawing *d)
{
	const struct topology *topo = d->options->shape.topo;
	int next = 0;

	for (int node = 0; node < (topo ? topo->nodes : 1); node++)
		for (int r = 0; r < d->options->shape.size; r++)
			if (!topo || topology_node_of(topo, r) == node)
				d->line[r] = next++;
}

int drawing_make(struct drawing *d, const struct draw_options *options)
{
	int n = options->shape.size, rc = MRT_ERR_NO_MEM;

	*d = (struct drawing){.options = options};
	d->plans = calloc((size_t)n, sizeof(*d->plans));
	d->line = calloc((size_t)n, sizeof(*d->line));
	if (d->plans && d->line)
		rc = build_all(d);
	for (int r = 0; r < n && !rc; r++)
		add_plan(d, &d->plans[r]);
	if (!rc && options->rank < 0) {
		number_lines(d);
		rc = compute_timeline(d);
	}
	if (rc)
		drawing_fini(d);
	return rc;
}

void drawing_fini(struct drawing *d)
{
	for (int r = 0; d->plans && r < d->options->shape.size; r++)
		plan_fini(&d->plans[r]);
	free(d->plans);
	free(d->line);
	timeline_fini(&d->timeline);
	d->plans = NULL;
	d->line = NULL;
}

/* ---- Names ---- */

const char *draw_kind(const struct step *step)
{
	return step->kind == STEP_COPY && !step->count
		   ? "join"
		   : step_kind_names[step->kind];
}

struct buffer_name draw_buffer(uint8_t buf)
{
	struct buffer_name name;

	if (buf >= BUF_TMP)
		snprintf(name.text, sizeof(name.text), "tmp%d", buf - BUF_TMP);
	else
		snprintf(name.text, sizeof(name.text), "%s",
			 buf == BUF_SEND    ? "send"
			 : buf == BUF_RECV  ? "recv"
			 : buf == BUF_CELLS ? "cells"
					    : "board");
	return name;
}

double draw_bytes(const struct drawing *d, const struct step *step)
{
	if (step->kind == STEP_SIGNAL || step->kind == STEP_WAIT_MEMORY)
		return 0;
	return (double)step->count * (double)d->options->shape.type_size;
}

struct argument draw_argument(const struct drawing *d)
{
	const struct draw_options *o = d->options;
	const struct algorithm *a = o->choice.algorithm;
	size_t value = o->shape.arg;
	struct argument arg = {""};

	if (a->arg_is_algorithm && value)
		snprintf(arg.text, sizeof(arg.text), "%s",
			 coll_tables[o->collective].rows[value - 1]->name);
	else if (a->arg && !a->arg_is_algorithm)
		snprintf(arg.text, sizeof(arg.text), "%zu", value);
	return arg;
}

void draw_title(const struct drawing *d, FILE *out)
{
	const struct draw_options *o = d->options;
	const struct shape *s = &o->shape;
	struct argument argument = draw_argument(d);

	fprintf(out, "%s %s", coll_tables[o->collective].name,
		o->choice.algorithm->name);
	if (*argument.text)
		fprintf(out, ":%s", argument.text);
	fprintf(out, ", %d rank%s", s->size, s->size == 1 ? "" : "s");
	if (o->collective != COLL_BARRIER)
		fprintf(out, ", %zu element%s of %zu byte%s", s->count,
			s->count == 1 ? "" : "s", s->type_size,
			s->type_size == 1 ? "" : "s");
	if (s->root)
		fprintf(out, ", root %d", s->root);
	if (s->topo && s->topo->nodes > 1)
		fprintf(out, ", %d nodes", s->topo->nodes);
	if (!s->commutative)
		fputs(", in order", out);
	if (s->in_place)
		fputs(", in place", out);
}

struct cost draw_cost(const struct drawing *d)
{
	struct surroundings around;
	struct shape shape = shape_of(d->options, 0, &around);
	struct cost cost = {0};

	d->options->choice.algorithm->cost(&shape, &cost);
	return cost;
}

struct choice draw_choice(const struct draw_options *o,
			  const struct machine *machine)
{
	struct surroundings around;
	struct shape shape = shape_of(o, 0, &around);

	return select_default(o->collective, &shape, machine);
}

void draw_argue(struct draw_options *o, const struct machine *machine)
{
	struct surroundings around;
	struct shape shape = shape_of(o, 0, &around);

	if (!o->choice.arg)
		o->choice = select_argument(o->choice.algorithm, o->collective,
					    &shape, machine);
	o->shape.arg =
	    o->choice.arg ? o->choice.arg : o->choice.algorithm->arg_default;
}

double draw_time(const struct drawing *d, const struct machine *machine)
{
	struct surroundings around;
	struct shape shape = shape_of(d->options, 0, &around);

	return model_time(d->options->choice.algorithm, &shape, machine);
}
