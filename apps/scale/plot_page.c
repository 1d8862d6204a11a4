/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plot_page.c: one HTML page with the pictures in it and a table of each test.
 * A study's names hold letters, digits and few signs: none that HTML knows.
 */
#include "apps/scale/plot.h"

#include "apps/common/app.h"
#include "apps/scale/quantile.h"
#include "apps/scale/scale.h"

#include <errno.h>
#include <math.h>
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
    "<p>Points are medians in a band from the 25&nbsp;% to the 75&nbsp;% "
    "quantile of the samples, the slowest rank of each; dashed lines are "
    "predicted. A dotted line is where another algorithm becomes the "
    "fastest. Of many algorithms the pictures show the eight best; the tables "
    "have all.</p>\n";

/* RFC 4648. */
static void print_base64(FILE *from, FILE *to)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned char in[3];
	size_t n;

	while ((n = fread(in, 1, 3, from)) > 0) {
		unsigned bits = (unsigned)in[0] << 16 |
				(n > 1 ? (unsigned)in[1] << 8 : 0) |
				(n > 2 ? in[2] : 0);

		for (size_t k = 0; k < 4; k++)
			fputc(k > n ? '=' : digits[bits >> (18 - 6 * k) & 63],
			      to);
	}
}

static int print_picture(const struct plot *p, const struct picture *picture,
			 FILE *to)
{
	char path[STUDY_PATH];
	FILE *from;

	snprintf(path, sizeof(path), "%s/%s.svg", p->folder, picture->name);
	from = fopen(path, "re");
	if (!from)
		return scale_error(APP_NOINPUT, "%s: %s", path,
				   strerror(errno));
	fprintf(to, "<p><img alt=\"%s\" src=\"data:image/svg+xml;base64,",
		picture->name);
	print_base64(from, to);
	fputs("\"></p>\n", to);
	fclose(from);
	return 0;
}

static void print_row(const struct point *p, const char *what, FILE *to)
{
	double low, high;

	quantile_interval(p->us, p->n, &low, &high);
	fprintf(to, "<tr><td>%d<td>%zu<td>%s%s<td>%s<td>%.4g<td>%.4g<td>%.4g",
		p->ranks, p->bytes, p->way, what, p->chosen,
		quantile(p->us, p->n, 0.5), quantile(p->us, p->n, 0.05),
		quantile(p->us, p->n, 0.95));
	if (isfinite(high))
		fprintf(to, "<td>%.4g<td>%.4g", low, high);
	else
		fputs("<td>-<td>-", to);
	fprintf(to, "<td>%d<td>%ld</tr>\n", p->n, p->calls);
}

static void print_table(const struct plot *p, const char *test, FILE *to)
{
	const struct study *studies[] = {&p->study, &p->with};

	fputs("<details><summary>Table: microseconds</summary><table>\n"
	      "<tr><th>ranks<th>bytes<th>algorithm<th>which is<th>median"
	      "<th>5&nbsp;%<th>95&nbsp;%<th colspan=2>95&nbsp;% interval of "
	      "the median<th>samples<th>calls</tr>\n", to);
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < studies[k]->n; i++)
			if (!strcmp(studies[k]->points[i].test, test))
				print_row(&studies[k]->points[i],
					  k ? ", predicted" : "", to);
	fputs("</table></details>\n", to);
}

static int print_test(const struct plot *p, const char *test, FILE *to)
{
	int code = 0;

	fprintf(to, "<h2>%s</h2>\n", test);
	for (int i = 0; i < p->n && !code; i++)
		if (!strcmp(p->pictures[i].test, test))
			code = print_picture(p, &p->pictures[i], to);
	print_table(p, test, to);
	return code;
}

int plot_page(const struct plot *p)
{
	char path[STUDY_PATH];
	struct study_file file;
	int code = 0;

	snprintf(path, sizeof(path), "%s/index.html", p->folder);
	if (study_open_file(&file, path))
		return APP_CANTCREAT;
	fputs(head, file.f);
	for (int i = 0; i < p->study.n && !code; i++) {
		const char *test = p->study.points[i].test;

		if (!i || strcmp(test, p->study.points[i - 1].test) != 0)
			code = print_test(p, test, file.f);
	}
	fputs("</body></html>\n", file.f);
	if (study_commit(&file))
		code = code ? code : APP_CANTCREAT;
	return code;
}
