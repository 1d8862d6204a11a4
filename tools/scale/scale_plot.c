/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scale_plot.c: `mrt-scale plot`: draws pictures of a study and a page with
 * them. Each test is drawn over sizes for some numbers of ranks, and over ranks
 * for some sizes: the first, the last, and two between.
 */
#include "tools/scale/plot.h"

#include "apps/common/app.h"
#include "tools/scale/scale.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SOME 4

static const char usage[] =
    "Usage: mrt-scale plot STUDY [OPTIONS]\n"
    "Plots a study with gnuplot, as SVG and PNG, and writes a page with all\n"
    "pictures and tables, FOLDER/index.html.\n\n"
    "  -o, --output FOLDER   folder of the pictures (STUDY/plots)\n"
    "  -w, --with STUDY      another study, such as predictions, as lines\n"
    "  -h, --help            print this text\n";

/* Distinct values, ascending. */
struct values {
	size_t *v;
	int n;
};

static void scale_plot_add(struct values *values, size_t v)
{
	int i = values->n;

	for (int k = 0; k < values->n; k++)
		if (values->v[k] == v)
			return;
	values->v = scale_grow(values->v, (size_t)values->n + 1, sizeof(v));
	for (; i > 0 && values->v[i - 1] > v; i--)
		values->v[i] = values->v[i - 1];
	values->v[i] = v;
	values->n++;
}

static void scale_plot_collect(const struct study *s, const char *test,
			       struct values *ranks, struct values *sizes)
{
	for (int i = 0; i < s->n; i++)
		if (!strcmp(s->points[i].test, test)) {
			scale_plot_add(ranks, (size_t)s->points[i].ranks);
			scale_plot_add(sizes, s->points[i].bytes);
		}
}

/* Returns the k-th of SOME values spread over all; -1 if there are fewer. */
static int scale_plot_spread(const struct values *values, int k)
{
	if (values->n <= SOME)
		return k < values->n ? k : -1;
	return k * (values->n - 1) / (SOME - 1);
}

static int draw_test(struct plot *p, const char *test)
{
	struct values ranks = {NULL, 0}, sizes = {NULL, 0};
	int code = 0;

	scale_plot_collect(&p->study, test, &ranks, &sizes);
	p->nways = 0;
	for (int k = 0; k < SOME && !code; k++) {
		int i = scale_plot_spread(&ranks, k);

		if (i >= 0)
			code = plot_draw(p, test, (int)ranks.v[i], 0);
	}
	for (int k = 0; k < SOME && !code; k++) {
		int i = scale_plot_spread(&sizes, k);

		if (i >= 0)
			code = plot_draw(p, test, 0, sizes.v[i]);
	}
	free(ranks.v);
	free(sizes.v);
	return code;
}

/* Relies on the points being sorted by test. */
static int draw_all(struct plot *p)
{
	int code = 0;

	for (int i = 0; i < p->study.n && !code; i++) {
		const char *test = p->study.points[i].test;

		if (!i || strcmp(test, p->study.points[i - 1].test) != 0)
			code = draw_test(p, test);
	}
	return code;
}

const char *plot_kind(const struct plot *p, int k)
{
	if (p->study.simulated == p->with.simulated)
		return k ? "the other study" : "the study";
	return k ? "predicted" : "measured";
}

static int plot(struct plot *p, const char *path)
{
	char folder[STUDY_PATH];
	int code = study_load(&p->study, path);

	if (!code && p->with_path)
		code = study_load(&p->with, p->with_path);
	if (!code && !p->study.n)
		code = scale_error(APP_DATAERR, "%s has no points", path);
	if (!code && p->study.simulated && p->with.n && !p->with.simulated) {
		struct study measured = p->with;

		p->with = p->study;
		p->study = measured;
	}
	snprintf(folder, sizeof(folder), "%s/plots", path);
	if (!p->folder)
		p->folder = folder;
	if (!code && mkdir(p->folder, 0777) && errno != EEXIST)
		code = scale_error(APP_CANTCREAT, "%s: %s", p->folder,
				   strerror(errno));
	code = code ? code : draw_all(p);
	code = code ? code : plot_page(p);
	study_fini(&p->study);
	study_fini(&p->with);
	free(p->pictures);
	return code;
}

static int scale_plot_apply(int option, void *arg)
{
	struct plot *p = arg;

	*(option == 'o' ? &p->folder : &p->with_path) = optarg;
	return 0;
}

int scale_plot(int argc, char **argv)
{
	static struct plot p;
	static const struct app_options options = {"mrt-scale plot", usage, "",
						   scale_plot_apply};
	int code = app_parse_options(argc, argv, &options, &p, 1);

	if (code >= 0)
		return code;
	if (argc - optind != 1)
		return scale_error(APP_USAGE, "plot: want one study");
	return plot(&p, argv[optind]);
}
