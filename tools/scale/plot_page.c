/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plot_page.c: writes an HTML page that shows the pictures beside it, and a
 * table for each test. Names in a study need no escaping: study_letters has no
 * special characters of HTML.
 */
#include "tools/scale/plot.h"

#include "apps/common/app.h"
#include "tools/common/quantile.h"
#include "tools/scale/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<title>mrt-scale</title><style>\n"
    "body { font-family: sans-serif; max-width: 64em; margin: 1em auto; }\n"
    "table { border-collapse: collapse; font-size: 85%; }\n"
    "td, th { padding: 0.1em 0.6em; text-align: right; }\n"
    "tr:nth-child(even) { background: #eee; }\n"
    "img { max-width: 100%; }\n</style></head><body>\n"
    "<h1>How collectives scale</h1>\n"
    "<p>Points are medians, with bars and a band from the 25&nbsp;% to the "
    "75&nbsp;% quantile of the samples, of which the slowest rank counts; "
    "lines are predicted. A dotted line (dashed: of what is predicted) is "
    "where another algorithm becomes the fastest. Of many algorithms the "
    "pictures show the eight best; the tables have all.</p>\n";

/* Returns the measured time divided by the predicted one; 0 if one
 * is missing. */
static double plot_page_ratio(const struct point *p,
			      const struct point *predicted)
{
	double us = predicted ? quantile(predicted->us, predicted->n, 0.5) : 0;

	return us > 0 && study_same_choice(p, predicted)
		   ? quantile(p->us, p->n, 0.5) / us
		   : 0;
}

/* Writes how well predictions match, for a test or, with NULL, for
 * all tests. */
static void print_trust(const struct plot *p, const char *test, FILE *to)
{
	double *ratios = scale_alloc((size_t)p->study.n, sizeof(*ratios));
	int n = 0, near = 0;

	for (int i = 0; i < p->study.n; i++) {
		const struct point *at = &p->study.points[i];

		ratios[n] = plot_page_ratio(at, study_find(&p->with, at));
		if (ratios[n] > 0 && (!test || !strcmp(at->test, test))) {
			near += ratios[n] > 0.5 && ratios[n] < 2;
			n++;
		}
	}
	quantile_sort(ratios, n);
	fprintf(to,
		"<p>%s: %d points are of the same algorithm in both "
		"studies",
		test ? test : "All tests", n);
	if (n)
		fprintf(to,
			"; %s / %s: median %.3g, from %.3g to %.3g, within "
			"a factor of 2 in %d",
			plot_kind(p, 0), plot_kind(p, 1),
			quantile(ratios, n, 0.5), ratios[0], ratios[n - 1],
			near);
	fputs(".</p>\n", to);
	free(ratios);
}

static void print_us(const struct point *p, double q, FILE *to)
{
	if (p)
		fprintf(to, "<td>%.4g", quantile(p->us, p->n, q));
	else
		fputs("<td>-", to);
}

/* Writes a row of the table: a point of the study, of the other study, or of
 * both; the one that is missing is NULL. */
static void print_row(const struct plot *plot, const struct point *p,
		      const struct point *other, FILE *to)
{
	double low = 0, high = INFINITY;

	fprintf(to, "<td>%s", p ? p->chosen : "-");
	print_us(p, 0.5, to);
	print_us(p, 0.25, to);
	print_us(p, 0.75, to);
	if (p)
		quantile_interval(p->us, p->n, &low, &high);
	if (isfinite(high))
		fprintf(to, "<td>%.4g<td>%.4g", low, high);
	else
		fputs("<td>-<td>-", to);
	fprintf(to, "<td>%d<td>%ld", p ? p->n : 0, p ? p->calls : 0);
	if (plot->with.n) {
		print_us(other, 0.5, to);
		fprintf(to, "<td>%s", other ? other->chosen : "-");
		if (p && plot_page_ratio(p, other) > 0)
			fprintf(to, "<td>%.3g", plot_page_ratio(p, other));
		else
			fputs("<td>-", to);
	}
	fputs("</tr>\n", to);
}

static void print_place(const struct point *p, FILE *to)
{
	fprintf(to, "<tr><td>%d<td>%zu<td>%s", p->ranks, p->bytes, p->way);
}

static void print_table(const struct plot *p, const char *test, FILE *to)
{
	fputs("<details><summary>Table: microseconds</summary><table>\n"
	      "<tr><th>ranks<th>bytes<th>algorithm<th>which is<th>median"
	      "<th>25&nbsp;%<th>75&nbsp;%<th colspan=2>95&nbsp;% interval of "
	      "the median<th>samples<th>calls",
	      to);
	if (p->with.n)
		fprintf(to, "<th>%s<th>which is<th>%s / %s", plot_kind(p, 1),
			plot_kind(p, 0), plot_kind(p, 1));
	fputs("</tr>\n", to);
	for (int i = 0; i < p->study.n; i++) {
		const struct point *at = &p->study.points[i];

		if (strcmp(at->test, test) != 0)
			continue;
		print_place(at, to);
		print_row(p, at, study_find(&p->with, at), to);
	}
	for (int i = 0; i < p->with.n; i++) {
		const struct point *at = &p->with.points[i];

		if (strcmp(at->test, test) != 0 || study_find(&p->study, at))
			continue;
		print_place(at, to);
		print_row(p, NULL, at, to);
	}
	fputs("</table></details>\n", to);
}

static void print_test(const struct plot *p, const char *test, FILE *to)
{
	fprintf(to, "<h2>%s</h2>\n", test);
	for (int i = 0; i < p->n; i++)
		if (!strcmp(p->pictures[i].test, test))
			fprintf(to, "<p><img alt=\"%s\" src=\"%s.svg\"></p>\n",
				p->pictures[i].name, p->pictures[i].name);
	if (p->with.n)
		print_trust(p, test, to);
	print_table(p, test, to);
}

int plot_page(const struct plot *p)
{
	char path[STUDY_PATH];
	struct study_file file;

	snprintf(path, sizeof(path), "%s/index.html", p->folder);
	if (study_open_file(&file, path))
		return APP_CANTCREAT;
	fputs(head, file.f);
	if (p->with.n)
		print_trust(p, NULL, file.f);
	for (int i = 0; i < p->study.n; i++) {
		const char *test = p->study.points[i].test;

		if (!i || strcmp(test, p->study.points[i - 1].test) != 0)
			print_test(p, test, file.f);
	}
	fputs("</body></html>\n", file.f);
	return study_commit(&file) ? APP_CANTCREAT : 0;
}
