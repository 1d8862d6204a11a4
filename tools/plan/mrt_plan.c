/* SPDX-License-Identifier: Apache-2.0 */
/* mrt_plan.c: mrt-plan COLLECTIVE ALGORITHM: writes the plans of all ranks as
 * text, JSON, a picture (SVG) or a schedule for LogGOPSim (GOAL), or those of
 * all algorithms as a page. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tools/plan/draw.h"
#include "mrt.h"
#include "runtime/base/error.h"

static void list_collectives(FILE *out)
{
	for (int c = 0; c < COLLECTIVES; c++) {
		const struct coll_table *t = &coll_tables[c];

		fprintf(out, "%-21s", t->name);
		for (size_t i = 0; i < t->nrows; i++)
			fprintf(out, " %s", t->rows[i]->name);
		fputc('\n', out);
	}
}

static void list_algorithms(const struct coll_table *t, FILE *out)
{
	for (size_t i = 0; i < t->nrows; i++) {
		const struct algorithm *a = t->rows[i];
		char name[64];

		if (a->arg_is_algorithm)
			snprintf(name, sizeof(name), "%s[:%s]", a->name,
				 a->arg);
		else if (a->arg)
			snprintf(name, sizeof(name), "%s[:%s=%zu]", a->name,
				 a->arg, a->arg_default);
		else
			snprintf(name, sizeof(name), "%s", a->name);
		fprintf(out, "%-32s %s\n", name, a->formula);
	}
	fputs(
	    "\nCost: n ranks, m bytes, a latency, b time per byte, c time per "
	    "byte reduced,\nk the argument\n",
	    out);
}

/* GOAL has no one-sided operations. */
static bool is_expressible(const struct draw_command *c,
			   const struct drawing *d)
{
	if (c->draw != draw_goal || !d->totals.onesided)
		return true;
	fprintf(stderr,
		"mrt-plan: %s %s has one-sided steps, which GOAL "
		"cannot express\n",
		coll_tables[c->options.collective].name,
		c->options.choice.algorithm->name);
	return false;
}

static int write_out(const struct draw_command *c, const struct drawing *d,
		     FILE *out)
{
	if (c->show == SHOW_PAGE)
		return draw_html(c, out);
	if (c->show == SHOW_COLLECTIVES)
		list_collectives(out);
	else if (c->show == SHOW_ALGORITHMS)
		list_algorithms(&coll_tables[c->options.collective], out);
	else
		c->draw(d, out);
	return 0;
}

/* Opens the file last, so that a mistake on the command line does not truncate
 * it. */
static int plan_show(const struct draw_command *c, const struct drawing *d)
{
	FILE *out = c->file ? fopen(c->file, "w") : stdout;
	bool bad = !out;
	int rc = 0;

	if (out) {
		rc = write_out(c, d, out);
		bad = fflush(out) || ferror(out);
	}
	if (bad)
		perror(c->file ? c->file : "mrt-plan");
	if (out && out != stdout)
		fclose(out);
	if (rc)
		fprintf(stderr, "mrt-plan: %s\n", error_text(rc));
	return rc ? error_exit_code(rc) : bad ? EXIT_RESOURCE : 0;
}

static int show_plan(const struct draw_command *c)
{
	struct drawing d;
	int rc = drawing_make(&d, &c->options);

	if (rc) {
		fprintf(stderr, "mrt-plan: %s\n", error_text(rc));
		return error_exit_code(rc);
	}
	rc = is_expressible(c, &d) ? plan_show(c, &d) : EXIT_USAGE;
	drawing_fini(&d);
	return rc;
}

int main(int argc, char **argv)
{
	struct draw_command c;
	int code = draw_parse(argc, argv, &c);

	if (code < 0)
		code =
		    c.show == SHOW_PLAN ? show_plan(&c) : plan_show(&c, NULL);
	draw_command_fini(&c);
	return code;
}
