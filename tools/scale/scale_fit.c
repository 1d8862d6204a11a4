/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scale_fit.c: `mrt-scale fit`: computes LogGP parameters from the pair
 * measurements of a study. For each level and protocol, lines over the message
 * size are fitted to the medians by least squares of relative errors; a
 * protocol gets up to four ranges if each split halves the error. The round
 * trip has precedence: if the overheads do not add up to it, they are adjusted.
 */
#include "tools/scale/fabric_file.h"
#include "tools/scale/calibrate.h"
#include "tools/scale/scale.h"

#include "apps/common/app.h"
#include "tools/common/quantile.h"
#include "tools/scale/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 64, RESIDUALS = SIM_LEVELS * SIZES, SPLITS = 2 };
_Static_assert(2 << SPLITS <= SIM_RANGES, "two protocols");

static const char usage[] =
    "Usage: mrt-scale fit STUDY -o FABRIC [OPTIONS]\n"
    "       mrt-scale fit TABLE... -o FABRIC [OPTIONS]\n"
    "Computes a fabric for mrt-scale simulate from the pairs of a study, or\n"
    "from tables of measured times (CSV or OSU, see the manual), and prints\n"
    "the errors of the model.\n\n"
    "  -o, --output FABRIC   file to write (JSON)\n"
    "  -e, --eager BYTES     longer messages use rendezvous (8192)\n"
    "  -q, --quantile Q      quantile of the samples to use (0.5: median);\n"
    "                        a low one suits a noisy machine\n"
    "Tables:\n"
    "  -f, --fabric FABRIC   where the fit begins (hdr)\n" TIMES_USAGE
    "  -h, --help            print this text\n";

/* Measurements on one level, in ns, by size. */
struct sample {
	double bytes, message, send, recv, gap;
};

struct series {
	struct sample at[SIZES];
	int n;
};

struct line {
	double a, b; /* a + b n */
};

struct fit {
	struct study study;
	const char *output;
	size_t eager;
	double quantile;
	struct sim_fabric fabric;
	struct fit_tables tables;
	struct fabric_residual residuals[RESIDUALS];
	int n;
};

static double time_of(const struct fit *f, const char *test, const char *way,
		      size_t bytes)
{
	for (int i = 0; i < f->study.n; i++) {
		const struct point *p = &f->study.points[i];

		if (!strcmp(p->test, test) && !strcmp(p->way, way) &&
		    p->bytes == bytes)
			return quantile(p->us, p->n, f->quantile) * 1000;
	}
	return NAN;
}

static void scale_fit_collect(const struct fit *f, const char *level,
			      struct series *series)
{
	const struct study *s = &f->study;

	series->n = 0;
	for (int i = 0; i < s->n && series->n < SIZES; i++) {
		const struct point *p = &s->points[i];
		struct sample at = {.bytes = fmax(1, (double)p->bytes)};

		if (strcmp(p->test, "pingpong") != 0 ||
		    strcmp(p->way, level) != 0)
			continue;
		at.message = time_of(f, "pingpong", level, p->bytes);
		at.send = time_of(f, "send_overhead", level, p->bytes);
		at.recv = time_of(f, "recv_overhead", level, p->bytes);
		at.gap = time_of(f, "gap", level, p->bytes);
		if (at.message > 0 && isfinite(at.send + at.recv + at.gap))
			series->at[series->n++] = at;
	}
}

/* Fits a line through the values at `offset`, with a and b not negative. */
static struct line fit_line(const struct sample *at, int n, size_t offset)
{
	double w = 0, x = 0, y = 0, xx = 0, xy = 0, det;
	struct line line = {0, 0};

	for (int i = 0; i < n; i++) {
		double v =
		    *(const double *)(const void *)((const char *)&at[i] +
						    offset);
		double weight = 1 / fmax(v * v, 1e-6);

		w += weight;
		x += weight * at[i].bytes;
		y += weight * v;
		xx += weight * at[i].bytes * at[i].bytes;
		xy += weight * at[i].bytes * v;
	}
	det = w * xx - x * x;
	if (n > 1 && det > 1e-12 * w * xx)
		line.b = (w * xy - x * y) / det;
	if (line.b < 0)
		line.b = 0;
	line.a = (y - line.b * x) / w;
	if (line.a < 0) {
		line.a = 0;
		line.b = xy / xx;
	}
	return line;
}

#define FIT(at, n, member) fit_line(at, n, offsetof(struct sample, member))

/* Fits one range to these samples; small is o_r of short messages. */
static struct sim_range fit_range(const struct sample *at, int n,
				  int rendezvous, double small)
{
	struct line t = FIT(at, n, message), s = FIT(at, n, send);
	struct line r = FIT(at, n, recv), g = FIT(at, n, gap);
	struct sim_range range = {.max_bytes = SIM_NO_LIMIT,
				  .rendezvous = rendezvous};
	double latencies = rendezvous ? 3 : 1, o;

	if (rendezvous) {
		/* the receive call does all the work: count it as L and G */
		s.b = 0;
		r = (struct line){small, 0};
	}
	o = s.a + (rendezvous ? 2 : 1) * r.a;
	if (o > t.a && o > 0) {
		s.a *= t.a / o;
		r.a *= t.a / o;
		o = t.a;
	}
	if (s.b + r.b > t.b && s.b + r.b > 0) {
		double part = t.b / (s.b + r.b);

		s.b *= part;
		r.b *= part;
	}
	range.o_s = s.a;
	range.o_r = r.a;
	range.O_s = s.b;
	range.O_r = r.b;
	range.G = fmax(0, t.b - s.b - r.b);
	range.L = (t.a - o + range.G) / latencies;
	range.g = g.a + g.b;
	return range;
}

/* Returns the sum of squares of relative errors. */
static double error_of(const struct sim_range *range, const struct sample *at,
		       int n)
{
	struct sim_link link = {.nranges = 1, .ranges = {*range}};
	double sum = 0;

	link.ranges[0].max_bytes = SIM_NO_LIMIT;
	for (int i = 0; i < n; i++)
		sum += pow(fabric_message(&link, (size_t)at[i].bytes) /
				   at[i].message -
			       1,
			   2);
	return sum;
}

/* Returns where two lines halve the error of one at least; 0 if nowhere. */
static int best_split(const struct sample *at, int n, int rendezvous,
		      double small)
{
	struct sim_range a = fit_range(at, n, rendezvous, small), b;
	double least = error_of(&a, at, n) / 2, error;
	int best = 0;

	for (int k = 2; k + 2 <= n; k++) {
		a = fit_range(at, k, rendezvous, small);
		b = fit_range(at + k, n - k, rendezvous, small);
		error = error_of(&a, at, k) + error_of(&b, at + k, n - k);
		if (error < least) {
			least = error;
			best = k;
		}
	}
	return best;
}

/* Adds the ranges of one protocol, at most 2 to the power of `splits`. */
static void fit_protocol(struct sim_link *link, const struct sample *at, int n,
			 int rendezvous, int splits)
{
	double small = link->nranges ? link->ranges[0].o_r : at[0].recv;
	int k = splits ? best_split(at, n, rendezvous, small) : 0;

	if (k) {
		fit_protocol(link, at, k, rendezvous, splits - 1);
		link->ranges[link->nranges - 1].max_bytes =
		    (uint64_t)at[k - 1].bytes;
		fit_protocol(link, at + k, n - k, rendezvous, splits - 1);
	} else {
		link->ranges[link->nranges++] =
		    fit_range(at, n, rendezvous, small);
	}
}

static void fit_level(struct fit *f, enum sim_level level,
		      const struct series *s)
{
	struct sim_link *link = &f->fabric.levels[level];
	int eager = 0;

	while (eager < s->n && s->at[eager].bytes <= (double)f->eager)
		eager++;
	*link =
	    (struct sim_link){.measured_min = (uint64_t)s->at[0].bytes,
			      .measured_max = (uint64_t)s->at[s->n - 1].bytes};
	if (eager)
		fit_protocol(link, s->at, eager, 0, SPLITS);
	if (eager < s->n) {
		if (eager)
			link->ranges[link->nranges - 1].max_bytes = f->eager;
		fit_protocol(link, s->at + eager, s->n - eager, 1, SPLITS);
	}
	for (int i = 0; i < s->n; i++) {
		size_t bytes = (size_t)s->at[i].bytes;

		f->residuals[f->n++] = (struct fabric_residual){
		    level, bytes, s->at[i].message / 1000,
		    fabric_message(link, bytes) / 1000};
	}
}

static void print_level(const struct fit *f, enum sim_level level)
{
	const struct sim_link *link = &f->fabric.levels[level];

	printf("# level %s\n# %10s %10s %8s %8s %8s %8s %9s %9s %9s\n",
	       sim_level_names[level], "up to", "protocol", "L", "o_s", "o_r",
	       "g", "G", "O_s", "O_r");
	for (int k = 0; k < link->nranges; k++) {
		const struct sim_range *r = &link->ranges[k];
		char limit[32] = "any";

		if (r->max_bytes != SIM_NO_LIMIT)
			snprintf(limit, sizeof(limit), "%llu",
				 (unsigned long long)r->max_bytes);
		printf("  %10s %10s %8.1f %8.1f %8.1f %8.1f %9.4f %9.4f "
		       "%9.4f\n",
		       limit, r->rendezvous ? "rendezvous" : "eager", r->L,
		       r->o_s, r->o_r, r->g, r->G, r->O_s, r->O_r);
	}
	printf("# %10s %12s %12s %9s\n", "bytes", "measured us", "model us",
	       "residual");
	for (int i = 0; i < f->n; i++)
		if (f->residuals[i].level == level)
			printf(
			    "  %10zu %12.3f %12.3f %+8.1f %%\n",
			    f->residuals[i].bytes, f->residuals[i].us,
			    f->residuals[i].model,
			    (f->residuals[i].model / f->residuals[i].us - 1) *
				100);
}

/* Returns ns per byte at the longest size measured, or else `assumed`, the
 * value of coll/plan/model.c. */
static double per_byte(const struct fit *f, const char *test, double assumed)
{
	const struct study *s = &f->study;
	size_t most = 0;
	double ns = assumed;

	for (int i = 0; i < s->n; i++)
		if (!strcmp(s->points[i].test, test) &&
		    s->points[i].bytes > most) {
			most = s->points[i].bytes;
			ns = quantile(s->points[i].us, s->points[i].n,
				      f->quantile) *
			     1000 / (double)most;
		}
	return ns;
}

/* Gives levels that were not measured the parameters of the closest level that
 * was. */
static int fill_levels(struct sim_fabric *f)
{
	int known = -1;

	for (int l = 0; l < SIM_LEVELS; l++)
		if (f->levels[l].nranges && known < 0)
			known = l;
	for (int l = 0; l < SIM_LEVELS; l++) {
		struct sim_link *link = &f->levels[l];

		if (link->nranges) {
			known = l;
		} else {
			*link = f->levels[known];
			link->measured_min = link->measured_max = 0;
			printf("# level %s was not measured: like %s\n",
			       sim_level_names[l], sim_level_names[known]);
		}
		link->atomic = l < SIM_LEAF ? 100 : 1800;
	}
	return known;
}

/* Sets the time of a turn among ranks that share CPUs. */
static void fit_turn(struct fit *f)
{
	double turn = time_of(f, "turn", "cpu", 0);

	f->fabric.turn = isfinite(turn) ? turn : TURN_DEFAULT;
	printf("# turn %.1f%s\n", f->fabric.turn,
	       isfinite(turn) ? "" : ", assumed");
}

static int fit(struct fit *f, const char *path)
{
	struct series series;
	int any = 0;

	for (int l = 0; l < SIM_LEVELS; l++) {
		scale_fit_collect(f, sim_level_names[l], &series);
		if (!series.n)
			continue;
		any = 1;
		fit_level(f, (enum sim_level)l, &series);
		print_level(f, (enum sim_level)l);
		if (l >= SIM_LEAF)
			f->fabric.measured_nodes = 2;
	}
	if (!any)
		return scale_error(APP_DATAERR,
				   "%s has no pairs; measure them: mrt-scale "
				   "run pairs -n RANKS -o %s",
				   path, path);
	fill_levels(&f->fabric);
	if (!f->fabric.measured_nodes)
		f->fabric.measured_nodes = 1;
	snprintf(f->fabric.name, sizeof(f->fabric.name), "fitted");
	f->fabric.reduce = per_byte(f, "local_reduce", 0.03);
	f->fabric.copy = per_byte(f, "local_copy", 0.05);
	f->fabric.reduce_far = f->fabric.reduce;
	f->fabric.copy_far = f->fabric.copy;
	fit_turn(f);
	return fabric_write(&f->fabric, f->output,
			    "mrt-scale fit, from pairs that were measured; "
			    "atomics are assumed (100 ns in a node, 1800 ns "
			    "between nodes), as is a level that is like "
			    "another one and has no measured sizes",
			    f->residuals, f->n);
}

static int scale_fit_apply(int c, void *arg)
{
	struct fit *f = arg;

	switch (c) {
	case 'e':
		return app_parse_size(optarg, &f->eager);
	case 'q':
		return app_parse_double(optarg, 0, 1, &f->quantile);
	case 'o':
		f->output = optarg;
		return 0;
	case 'f':
		f->tables.base = optarg;
		return 0;
	default:
		return times_option(c, &f->tables.run);
	}
}

int scale_fit(int argc, char **argv)
{
	static struct fit f = {.eager = 8192,
			       .quantile = 0.5,
			       .tables = {.base = "hdr", .run.ppn = 1}};
	static const struct app_options options = {"mrt-scale fit", usage,
						   TIMES_IDS, scale_fit_apply};
	int code = app_parse_options(argc, argv, &options, &f, 1);

	if (code >= 0)
		return code;
	f.tables.output = f.output;
	if (argc > optind && f.output && times_is_table(argv[optind]))
		return fit_tables(&f.tables, argv + optind, argc - optind);
	if (argc - optind != 1 || !f.output)
		return scale_error(
		    APP_USAGE, "fit: want a study or tables, and -o FABRIC");
	code = study_load(&f.study, argv[optind]);
	code = code ? code : fit(&f, argv[optind]);
	study_fini(&f.study);
	return code;
}
