/* SPDX-License-Identifier: Apache-2.0 */
/*
 * draw_html.c: writes a page of all algorithms of a collective (page.html). Its
 * data are calls, each of so many ranks and of elements of so many bytes; of
 * each call the algorithms that fit it, what they cost and the number of their
 * plan. A plan that stays as it was when elements grow is there once. A step is
 * a list of numbers, since the names of members would be most of the page.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "coll/plan/rules.h"
#include "mrt.h"
#include "tools/page/web_page.h"
#include "tools/plan/draw.h"

/* Besides what is asked for, a page has calls of up to RANKS_MOST ranks and
 * elements of up to TYPE_MOST bytes, until the plans have PAGE_FULL bytes. */
enum { NAME = 64, RANKS_MOST = 16, TYPE_MOST = 2 << 20, PAGE_FULL = 1300000 };

struct page {
	const struct draw_command *command;
	FILE *out, *plans; /* plans: follow the calls */
	size_t ncalls, nplans;
	/* [rows of the collective] the last plan of each algorithm */
	struct {
		char *text;
		size_t number;
	} * last;
};

/* ---- Plans --------------------------------------------------------------- */

static void put_ref(struct ref r, FILE *out)
{
	fprintf(out, ",%u,%zu", r.buf, r.at);
}

static void put_step(const struct drawing *d, int rank, uint32_t i, FILE *out)
{
	const struct timeline *l = &d->timeline;
	const struct step *s = &d->plans[rank].steps[i];
	const struct interval *t = &l->of[l->first[rank] + i];
	bool has = t->mate != SIZE_MAX;

	fprintf(out, "%s[%u,%d,%ld,%zu", i ? "," : "", s->kind, s->peer,
		has ? (long)(t->mate - l->first[s->peer]) : -1, s->count);
	put_ref(s->src, out);
	put_ref(s->with, out);
	put_ref(s->dst, out);
	fprintf(out, ",%d,%g,%g,%zu]", s->flip, t->begin, t->end, t->turn);
}

/* Returns the plan as text, which the caller frees; NULL: no memory. */
static char *plan_text(const struct drawing *d)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	fprintf(out, "{\"end\":%g,\"steps\":[", d->timeline.end);
	for (int r = 0; r < d->options->shape.size; r++) {
		fputs(r ? ",\n[" : "\n[", out);
		for (uint32_t i = 0; i < d->plans[r].nsteps; i++)
			put_step(d, r, i, out);
		fputc(']', out);
	}
	fputs("]}", out);
	return fclose(out) ? NULL : text;
}

/* Adds the plan of row k of the collective unless it is that of the call
 * before. */
static int page_plan(struct page *p, size_t k, const struct drawing *d)
{
	char *text = plan_text(d);

	if (!text)
		return MRT_ERR_NO_MEM;
	if (p->last[k].text && !strcmp(p->last[k].text, text)) {
		free(text);
		return MRT_SUCCESS;
	}
	fprintf(p->plans, "%s\n%s", p->nplans ? "," : "", text);
	free(p->last[k].text);
	p->last[k].text = text;
	p->last[k].number = p->nplans++;
	return MRT_SUCCESS;
}

/* ---- Calls --------------------------------------------------------------- */

static struct machine machine_of(const struct draw_options *o)
{
	bool net = o->topo && o->topo->nodes > 1;

	return (struct machine){.medium = net ? MEDIUM_NET : MEDIUM_SM};
}

/* Adds row k to a call that it fits. */
static int page_row(struct page *p, size_t k, struct draw_options *o)
{
	struct machine machine = machine_of(o);
	struct drawing d;
	struct cost c;
	char name[NAME];
	int rc;

	draw_argue(o, &machine);
	rc = drawing_make(&d, o);
	if (rc)
		return rc;
	rc = page_plan(p, k, &d);
	c = draw_cost(&d);
	select_print(o->collective, &o->choice, name, sizeof(name));
	fprintf(p->out, "\n[%zu,\"%s\",%zu,%.0f,%.0f,%.0f,%.0f]", k, name,
		p->last[k].number, draw_time(&d, &machine), c.rounds, c.bytes,
		c.reduced);
	drawing_fini(&d);
	return rc;
}

static int page_rows(struct page *p, const struct draw_options *call)
{
	const struct draw_options *given = &p->command->options;
	const struct coll_table *t = &coll_tables[call->collective];
	int rc = MRT_SUCCESS;
	bool first = true;

	for (size_t k = 0; k < t->nrows && !rc; k++) {
		struct draw_options o = *call;

		o.choice = (struct choice){t->rows[k], 0};
		if (t->rows[k] == given->choice.algorithm)
			o.choice = given->choice;
		if (!select_choice_fits(&o.choice, &o.shape))
			continue;
		if (!first)
			fputc(',', p->out);
		first = false;
		rc = page_row(p, k, &o);
	}
	return rc;
}

static int page_call(struct page *p, int ranks, size_t type_size)
{
	const struct draw_options *given = &p->command->options;
	struct draw_options o = *given;
	struct machine machine;
	struct choice choice;
	char name[NAME];
	int rc = MRT_SUCCESS;

	o.shape.size = ranks;
	o.shape.type_size = type_size;
	o.shape.arg = 0;
	if (type_size > 8 && p->command->words.combine < 0)
		o.shape.combine = COMBINE_NONE;
	o.topo = NULL;
	if (draw_complete(&o, &p->command->words)) {
		machine = machine_of(&o);
		choice = draw_choice(&o, &machine);
		select_print(o.collective, &choice, name, sizeof(name));
		fprintf(p->out,
			"%s\n{\"ranks\":%d,\"type_size\":%zu,\"count\":%zu,"
			"\"choice\":\"%s\",\"rows\":[",
			p->ncalls++ ? "," : "", ranks, type_size, o.shape.count,
			name);
		rc = page_rows(p, &o);
		fputs("]}", p->out);
	}
	topology_destroy(o.topo);
	return rc;
}

/* Adds calls of n ranks until the page is full. */
static int page_ranks(struct page *p, int n)
{
	const struct shape *s = &p->command->options.shape;
	int rc = MRT_SUCCESS;

	for (size_t t = 8, u = 0; t <= TYPE_MOST && !rc; u = t, t *= 8) {
		if (s->type_size > u && s->type_size < t)
			rc = page_call(p, n, s->type_size);
		if (!rc && (s->count || t == 8) && ftell(p->plans) < PAGE_FULL)
			rc = page_call(p, n, t);
	}
	return rc;
}

/* Begins with the given number of ranks; others must need no option of their
 * own. */
static int page_calls(struct page *p)
{
	const struct draw_options *o = &p->command->options;
	int rc = page_ranks(p, o->shape.size);

	for (int n = 2; n <= RANKS_MOST && !rc; n++)
		if (n != o->shape.size && n > o->shape.root && !o->rows &&
		    ftell(p->plans) < PAGE_FULL)
			rc = page_ranks(p, n);
	return rc;
}

/* ---- The page ------------------------------------------------------------ */

static void page_head(const struct page *p)
{
	const struct draw_options *o = &p->command->options;
	const struct coll_table *t = &coll_tables[o->collective];
	enum medium medium = machine_of(o).medium;
	const struct model *m = &models[medium];

	fprintf(p->out,
		"{\"collective\":\"%s\",\"ranks\":%d,\"type_size\":%zu,"
		"\"root\":%d,\"algorithm\":\"%s\",\"medium\":\"%s\",\n"
		"\"a\":%g,\"b\":%g,\"c\":%g,"
		"\"vector\":%d,\"commutative\":%d,\"kinds\":[",
		t->name, o->shape.size, o->shape.type_size, o->shape.root,
		o->choice.algorithm ? o->choice.algorithm->name : "",
		medium_names[medium], m->latency, m->byte, m->reduced,
		rule_is_vector(&rules[o->collective]), o->shape.commutative);
	for (int k = 0; k < STEP_KINDS; k++)
		fprintf(p->out, "%s\"%s\"", k ? "," : "", step_kind_names[k]);
	fputs("],\n\"algorithms\":[", p->out);
	for (size_t k = 0; k < t->nrows; k++)
		fprintf(p->out, "%s\n[\"%s\",\"%s\",\"%s\"]", k ? "," : "",
			t->rows[k]->name, t->rows[k]->formula,
			t->rows[k]->arg ? t->rows[k]->arg : "");
	fputs("],\n\"calls\":[", p->out);
}

int draw_html(const struct draw_command *c, FILE *out)
{
	size_t nrows = coll_tables[c->options.collective].nrows, len;
	struct page p = {.command = c, .out = out};
	int rc = MRT_ERR_NO_MEM;
	char *plans = NULL;

	p.plans = open_memstream(&plans, &len);
	p.last = calloc(nrows, sizeof(*p.last));
	if (p.plans && p.last) {
		model_reset();
		page_begin(out);
		page_head(&p);
		rc = page_calls(&p);
	}
	if (p.plans && fclose(p.plans))
		rc = MRT_ERR_NO_MEM;
	if (!rc) {
		fprintf(out, "],\n\"plans\":[%s]}", plans);
		page_end(out);
	}
	for (size_t k = 0; p.last && k < nrows; k++)
		free(p.last[k].text);
	free(p.last);
	free(plans);
	return rc;
}
