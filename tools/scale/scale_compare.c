/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scale_compare.c: `mrt-scale compare`: lists the points that two studies have
 * in common, with the ratio of their quantiles, and whether they differ by more
 * than chance (rank sum test, quantile.h).
 */
#include "tools/scale/scale.h"

#include "apps/common/app.h"
#include "tools/scale/fabric_file.h"
#include "tools/common/quantile.h"
#include "tools/scale/study.h"
#include "tools/scale/times.h"

#include <math.h>

static const char usage[] =
    "Usage: mrt-scale compare STUDY STUDY [OPTIONS]\n"
    "       mrt-scale compare TABLE... -f FABRIC [OPTIONS]\n"
    "Compares the points that two studies have in common: microseconds\n"
    "(median, 25 % and 75 % quantiles), the ratio of the second study to the\n"
    "first, and the probability that the difference arises by chance.\n"
    "Or compares tables of measured times (CSV or OSU, see the manual) with\n"
    "what a fabric predicts.\n\n"
    "  -p, --level P         call differences less probable than P faster or\n"
    "                        slower (0.01)\n"
    "  -f, --fabric FABRIC   predict the times of the tables\n" TIMES_USAGE
    "      --csv             print comma-separated values\n"
    "  -h, --help            print this text\n";

struct compare {
	struct study a, b;
	double level;
	int csv;
	int both, ratios, faster, slower;
	double logs; /* sum of the logarithms of the ratios */
	const char *fabric;
	struct times_run run;
};

static double scale_compare_at(const struct point *p, double q)
{
	return quantile(p->us, p->n, q);
}

static const char *verdict_of(struct compare *c, double p, double ratio)
{
	if (p >= c->level || ratio == 1)
		return "-";
	if (ratio > 1)
		c->slower++;
	else
		c->faster++;
	return ratio > 1 ? "slower" : "faster";
}

static void print_pair(struct compare *c, const struct point *a,
		       const struct point *b)
{
	double p = quantile_rank_sum(a->us, a->n, b->us, b->n);
	double ratio = scale_compare_at(b, 0.5) / scale_compare_at(a, 0.5);
	const char *verdict = verdict_of(c, p, ratio);

	c->both++;
	if (ratio > 0 &&
	    isfinite(ratio)) { /* skips medians of 0: the clock saw nothing */
		c->ratios++;
		c->logs += log(ratio);
	}
	printf(c->csv ? "%s,%s,%d,%zu,%.6g,%.6g,%.6g,%d,%.6g,%.6g,%.6g,%d,"
			"%.4g,%.4g,%.4g,%.3g,%s\n"
		      : "%-14s %-20s %6d %9zu %9.2f [%.2f %.2f] %4d %9.2f "
			"[%.2f %.2f] %4d %7.3f [%.3f %.3f] %8.2g %s\n",
	       a->test, a->way, a->ranks, a->bytes, scale_compare_at(a, 0.5),
	       scale_compare_at(a, 0.25), scale_compare_at(a, 0.75), a->n,
	       scale_compare_at(b, 0.5), scale_compare_at(b, 0.25),
	       scale_compare_at(b, 0.75), b->n, ratio,
	       scale_compare_at(b, 0.25) / scale_compare_at(a, 0.25),
	       scale_compare_at(b, 0.75) / scale_compare_at(a, 0.75), p,
	       verdict);
}

static void print_all(struct compare *c)
{
	if (c->csv)
		puts("test,way,ranks,bytes,a,a25,a75,a_samples,b,b25,b75,"
		     "b_samples,ratio,ratio25,ratio75,p,verdict");
	else
		printf("# a: %s\n# b: %s\n# microseconds a call: median [25 %% "
		       "75 %%] samples, of a, of b; b/a of these; p\n",
		       c->a.path, c->b.path);
	for (int i = 0; i < c->a.n; i++) {
		const struct point *b = study_find(&c->b, &c->a.points[i]);

		if (b)
			print_pair(c, &c->a.points[i], b);
	}
	if (!c->csv && c->both)
		printf("# %d points: b/a %.3f (geometric mean of the medians), "
		       "%d faster, %d slower; %d only in a, %d only in b\n",
		       c->both, exp(c->logs / fmax(1, c->ratios)), c->faster,
		       c->slower, c->a.n - c->both, c->b.n - c->both);
}

static int compare(struct compare *c, char **paths)
{
	int code = study_load(&c->a, paths[0]);

	code = code ? code : study_load(&c->b, paths[1]);
	if (!code)
		print_all(c);
	if (!code && !c->both)
		code = scale_error(APP_DATAERR,
				   "%s and %s have no point in common",
				   paths[0], paths[1]);
	study_fini(&c->a);
	study_fini(&c->b);
	return code;
}

/* ---- Tables ---- */

static void print_row(const struct times_row *r)
{
	char chosen[STUDY_NAME] = "default";

	if (r->choice.algorithm)
		select_print(r->collective, &r->choice, chosen, sizeof(chosen));
	printf("%s,%d,%d,%s,%s,%s,%zu,%.6g,%.6g,%.4g,%.6g,%.6g\n", r->system,
	       r->nodes, r->ppn, times_name(r), r->algorithm, chosen, r->bytes,
	       r->us, r->predicted, r->predicted / r->us, r->low, r->high);
}

static int compare_tables(const struct compare *c, char **paths, int n)
{
	struct sim_fabric fabric;
	struct times t = {0};
	int code = fabric_read(&fabric, c->fabric);

	for (int k = 0; k < n && !code; k++)
		code = times_read(&t, paths[k], &c->run);
	if (!code && !t.n)
		code = scale_error(APP_DATAERR, "%s has no times to predict",
				   paths[0]);
	if (!code && c->csv)
		puts("system,nodes,ranks_per_node,collective,algorithm,"
		     "predicted_as,bytes,us,predicted,ratio,p10,p90");
	for (int i = 0; i < t.n && !code; i++) {
		times_predict(&t.rows[i], &fabric, &c->run.topology);
		if (c->csv)
			print_row(&t.rows[i]);
	}
	if (!code && !c->csv)
		times_report(&t, true);
	times_fini(&t);
	return code;
}

static int scale_compare_apply(int option, void *arg)
{
	struct compare *c = arg;

	switch (option) {
	case 'p':
		return app_parse_double(optarg, 0, 1, &c->level);
	case 'f':
		c->fabric = optarg;
		return 0;
	case 'C':
		c->csv = 1;
		return 0;
	default:
		return times_option(option, &c->run);
	}
}

int scale_compare(int argc, char **argv)
{
	static struct compare c = {.level = 0.01, .run.ppn = 1};
	static const struct app_options options = {
	    "mrt-scale compare", usage, TIMES_IDS "C", scale_compare_apply};
	int code = app_parse_options(argc, argv, &options, &c, 1);

	if (code >= 0)
		return code;
	if (c.fabric && argc > optind)
		return compare_tables(&c, argv + optind, argc - optind);
	if (c.fabric || argc - optind != 2)
		return scale_error(APP_USAGE,
				   "compare: want two studies, or tables "
				   "and --fabric");
	return compare(&c, argv + optind);
}
