/* SPDX-License-Identifier: Apache-2.0 */
/* trace_compare.c: a collective as text: its ranks as rows, and the steps that
 * took longer than the model says. */
#include <stdlib.h>
#include <string.h>

#include "coll/plan/algorithm.h"
#include "runtime/base/error.h"
#include "tools/trace/trace_scene.h"

enum { STEPS = 20, COLUMNS = 64 };

/* ---- Steps side by side -------------------------------------------------- */

static bool trace_compare_alike(const struct scene_step *a,
				const struct scene_step *b)
{
	return b->begun && a->kind == b->kind && a->peer == b->peer &&
	       a->bytes == b->bytes;
}

double scene_excess(const struct scene_pair *p)
{
	double took = p->step->end - p->step->begin;

	return p->model ? took - (p->model->end - p->model->begin) : took;
}

/* Steps without a counterpart come last. */
static int by_excess(const void *a, const void *b)
{
	const struct scene_pair *x = a, *y = b;
	double d = scene_excess(y) - scene_excess(x);

	if (!x->model != !y->model)
		return x->model ? -1 : 1;
	if (d)
		return d > 0 ? 1 : -1;
	return x->row != y->row ? x->row - y->row
				: (int)x->number - (int)y->number;
}

/* Steps are in the same order in both, but copies may be in one alone. */
static struct scene_pair *pair_rank(const struct scene *s,
				    const struct scene *model, int row,
				    struct scene_pair *p)
{
	const struct scene_rank *r = &s->ranks[row];
	uint32_t next = 0, k;

	for (uint32_t i = 0; i < r->nsteps; i++) {
		const struct scene_rank *m = model ? &model->ranks[row] : NULL;

		if (!r->steps[i].begun)
			continue;
		*p = (struct scene_pair){row, i, &r->steps[i], NULL};
		for (k = next; m && k < m->nsteps && !p->model; k++)
			if (trace_compare_alike(&r->steps[i], &m->steps[k])) {
				p->model = &m->steps[k];
				next = k + 1;
			}
		p++;
	}
	return p;
}

long scene_compare(const struct scene *s, const struct scene *model,
		   struct scene_pair **list)
{
	struct scene_pair *end;
	size_t n = 1;

	for (int k = 0; k < s->n; k++)
		n += s->ranks[k].nsteps;
	*list = end = malloc(n * sizeof(*end));
	if (!end)
		return -1;
	for (int k = 0; k < s->n; k++)
		end = pair_rank(s, model, k, end);
	qsort(*list, (size_t)(end - *list), sizeof(*end), by_excess);
	return end - *list;
}

/* ---- Rows ---------------------------------------------------------------- */

int scene_rows(const struct scene *s, int rows, int *row)
{
	int latest = 0, longest = 0, n = 0;

	for (int k = 0; k < s->n; k++) {
		if (s->ranks[k].arrive > s->ranks[latest].arrive)
			latest = k;
		if (s->ranks[k].leave > s->ranks[longest].leave)
			longest = k;
	}
	if (rows == 1)
		longest = latest;
	for (int k = 0; k < s->n; k++) {
		/* of the ranks before k, as many as there are rows for */
		bool even =
		    (long)k * rows / s->n != (long)(k - 1) * rows / s->n;
		bool extreme = k == latest || k == longest;
		bool room = n < rows - (k < latest) -
				    (k < longest && longest != latest);

		if (s->ranks[k].trace &&
		    (s->n <= rows || extreme || ((!k || even) && room)))
			row[n++] = k;
	}
	return n;
}

static int rank_in(const struct scene *s, int row)
{
	return s->ranks[row].trace->head->rank;
}

struct choice scene_choice(const struct scene *s)
{
	const struct coll_table *t = &coll_tables[s->plan->collective];
	struct choice choice = {.arg = s->shape->bytes};

	for (size_t k = 0; k < t->nrows; k++)
		if (!strcmp(t->rows[k]->name, s->algorithm))
			choice.algorithm = t->rows[k];
	return choice;
}

void scene_title(const struct scene *s, FILE *out)
{
	struct choice choice;
	char by[96];

	fprintf(out, "%s %u of communicator %d", s->of.name, s->of.number,
		s->of.comm);
	if (s->plan) {
		choice = scene_choice(s);
		snprintf(by, sizeof(by), "%s", s->algorithm);
		if (choice.algorithm)
			select_print((enum collective)s->plan->collective,
				     &choice, by, sizeof(by));
		fprintf(out, " by %s", by);
	}
	fprintf(out, ": %u ranks", s->of.arrived);
	if (s->plan && s->plan->bytes)
		fprintf(out, ", %llu elements of %u bytes",
			(unsigned long long)s->plan->bytes, s->shape->number);
}

/* Returns what a rank does at a time: 'x' a step of its own, '>' a send, '<' a
 * receive, '-' nothing but the call, ' ' no call. */
static char trace_compare_doing(const struct scene_rank *r, double from,
				double to)
{
	char what = '-';

	if (to <= r->arrive || from > r->leave)
		return ' ';
	for (uint32_t i = 0; i < r->nsteps; i++) {
		const struct scene_step *s = &r->steps[i];

		if (!s->begun || s->end < from || s->begin >= to)
			continue;
		if (!step_is_message(s->kind))
			return 'x';
		if (s->kind == STEP_SEND)
			what = '>';
		else if (what == '-')
			what = '<';
	}
	return what;
}

static void print_row(const struct scene *s, int row, double end)
{
	const struct scene_rank *r = &s->ranks[row];

	printf("%6d  ", rank_in(s, row));
	for (int k = 0; k < COLUMNS; k++)
		putchar(trace_compare_doing(r, end * k / COLUMNS,
					    end * (k + 1) / COLUMNS));
	printf(" %10.2f %10.2f%s\n", r->arrive / 1000, r->leave / 1000,
	       r->left ? "" : " (has not left)");
}

static void print_rows(const struct scene *s, const int *row, int n, double end,
		       const char *what)
{
	printf("\n%-*s %10s %10s\n", COLUMNS + 8, what, "arrives", "leaves");
	for (int k = 0; k < n; k++)
		print_row(s, row[k], end);
}

/* ---- The table ----------------------------------------------------------- */

static void print_step(const struct scene *s, const struct scene_pair *p)
{
	const struct scene_step *t = p->step;

	printf("%6d %5u %-12s", rank_in(s, p->row), p->number + 1,
	       step_kind_names[t->kind]);
	if (step_has_peer(t->kind))
		printf(" %6d", t->rank);
	else
		printf(" %6s", "");
	printf(" %10llu %10.2f %10.2f", (unsigned long long)t->bytes,
	       t->begin / 1000, (t->end - t->begin) / 1000);
	if (p->model)
		printf(" %10.2f %10.2f",
		       (p->model->end - p->model->begin) / 1000,
		       scene_excess(p) / 1000);
	puts(t->ended ? "" : " (has not ended)");
}

static void print_steps(const struct scene *s, const struct scene_pair *list,
			long n, bool model)
{
	long shown = 0, apart = 0;

	for (long k = 0; k < n; k++)
		apart += model && !list[k].model;
	printf("\n%s, in us\n%6s %5s %-12s %6s %10s %10s %10s %10s %10s\n",
	       model ? "steps that took longer than by the model"
		     : "the longest steps",
	       "rank", "step", "kind", "peer", "bytes", "begins", "took",
	       model ? "model" : "", model ? "longer" : "");
	for (; shown < n && shown < STEPS; shown++) {
		if (model &&
		    (!list[shown].model || scene_excess(&list[shown]) <= 0))
			break;
		print_step(s, &list[shown]);
	}
	if (apart)
		printf("%ld steps are not in the model\n", apart);
}

int scene_text(const struct scene *s, const struct scene *model,
	       const struct scene_options *options)
{
	int *row = malloc((size_t)s->n * sizeof(*row)), n;
	struct scene_pair *list = NULL;
	long steps = scene_compare(s, model, &list);
	double end = model && model->end > s->end ? model->end : s->end;

	if (row && steps >= 0) {
		scene_title(s, stdout);
		printf("\n%.2f us until the last has left, %.2f us after the "
		       "last arrival\n",
		       s->end / 1000,
		       (s->end - (double)(s->of.last_at - s->of.first_at)) /
			   1000);
		if (model)
			printf("by the model of fabric %s: %.2f us\n",
			       options->fabric, model->end / 1000);
		n = scene_rows(s, options->rows, row);
		print_rows(s, row, n, end, "  rank  as traced, us");
		if (model)
			print_rows(model, row, n, end,
				   "  rank  as simulated, us");
		puts("> send, < receive, x other steps, - the call alone");
		if (steps)
			print_steps(s, list, steps, model);
	}
	free(row);
	free(list);
	return row && steps >= 0 ? 0 : EXIT_RESOURCE;
}
