/* SPDX-License-Identifier: Apache-2.0 */
/* trace_html.c: a collective as the data of a page to step through: its ranks
 * with their steps as traced and as simulated, and which steps are the same. */
#include <stdlib.h>

#include "coll/plan/plan.h"
#include "runtime/base/error.h"
#include "tools/page/web_page.h"
#include "tools/trace/trace_scene.h"

/* Writes text as a JSON string that does not end a script. */
static void put_string(const char *text)
{
	putchar('"');
	for (; *text; text++)
		if (*text == '"' || *text == '\\' || *text == '<' ||
		    (unsigned char)*text < ' ')
			printf("\\u%04x", (unsigned char)*text);
		else
			putchar(*text);
	putchar('"');
}

/* line[peer]: where a peer's row is shown, -1: nowhere. */
static void put_rank(const struct scene_rank *r, const int *line)
{
	const char *comma = "";

	printf("{\"rank\":%d,\"arrive\":%.0f,\"leave\":%.0f,\"left\":%d,"
	       "\"steps\":[",
	       r->trace->head->rank, r->arrive, r->leave, r->left);
	for (uint32_t i = 0; i < r->nsteps; i++) {
		const struct scene_step *s = &r->steps[i];

		if (!s->begun)
			continue;
		printf("%s[%u,%u,%d,%d,%llu,%.0f,%.0f,%d]", comma, i, s->kind,
		       s->rank, s->peer < 0 ? -1 : line[s->peer],
		       (unsigned long long)s->bytes, s->begin, s->end,
		       s->ended);
		comma = ",";
	}
	fputs("]}", stdout);
}

static void trace_html_scene(const struct scene *s, const int *row, int n,
			     const int *line)
{
	printf("{\"end\":%.0f,\"ranks\":[", s->end);
	for (int k = 0; k < n; k++) {
		fputs(k ? ",\n" : "\n", stdout);
		put_rank(&s->ranks[row[k]], line);
	}
	fputs("]}", stdout);
}

/* Writes [row, step, step of the model] of steps that are the same. */
static void put_pairs(const struct scene *model, const struct scene_pair *list,
		      long n, const int *line)
{
	const char *comma = "";

	for (long k = 0; k < n; k++) {
		const struct scene_pair *p = &list[k];

		if (!p->model || line[p->row] < 0)
			continue;
		printf("%s[%d,%u,%td]", comma, line[p->row], p->number,
		       p->model - model->ranks[p->row].steps);
		comma = ",";
	}
}

static void trace_html_data(const struct scene *s, const struct scene *model,
			    const struct scene_options *options)
{
	fputs("{\"title\":\"", stdout);
	scene_title(s, stdout);
	fputs("\",\"fabric\":", stdout);
	put_string(model ? options->fabric : "");
	fputs(",\"kinds\":[", stdout);
	for (int k = 0; k < STEP_KINDS; k++)
		printf("%s\"%s\"", k ? "," : "", step_kind_names[k]);
	fputs("],\n\"scenes\":[", stdout);
}

int scene_html(const struct scene *s, const struct scene *model,
	       const struct scene_options *options)
{
	int *row = malloc((size_t)s->n * sizeof(*row));
	int *line = malloc((size_t)s->n * sizeof(*line)), n;
	struct scene_pair *list = NULL;
	long pairs = scene_compare(s, model, &list);
	bool ok = row && line && pairs >= 0;

	if (ok) {
		n = scene_rows(s, options->rows, row);
		for (int k = 0; k < s->n; k++)
			line[k] = -1;
		for (int k = 0; k < n; k++)
			line[row[k]] = k;
		page_begin(stdout);
		trace_html_data(s, model, options);
		trace_html_scene(s, row, n, line);
		if (model) {
			fputs(",\n", stdout);
			trace_html_scene(model, row, n, line);
		}
		fputs("],\n\"pairs\":[", stdout);
		if (model)
			put_pairs(model, list, pairs, line);
		fputs("]}", stdout);
		page_end(stdout);
	}
	free(list);
	free(line);
	free(row);
	return ok ? 0 : EXIT_RESOURCE;
}
