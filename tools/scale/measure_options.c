/* SPDX-License-Identifier: Apache-2.0 */
/* measure_options.c: parses the command line of `mrt-scale run`. */
#include "tools/scale/measure.h"

#include "apps/common/app.h"
#include "tools/scale/number_list.h"
#include "tools/scale/scale.h"

#include <string.h>

static const char usage[] =
    "Usage: mrt-scale run TEST[,TEST]... --ranks RANKS -o STUDY [OPTIONS]\n"
    "                 [-- OPTION OF MRUN...]\n"
    "Measures each TEST with each number of ranks, size and algorithm, and\n"
    "adds the points that STUDY lacks. TEST is a collective that mrt-tune(1)\n"
    "times, or pairs: messages between two ranks on each level of the job.\n\n"
    "  -n, --ranks RANKS     1..8, 2..64*2 (by doubling), or a list 2,4,9..16\n"
    "  -o, --output STUDY    folder of the study\n"
    "  -m, --sizes SIZES     MIN:MAX by powers of two, or a list (8:4M)\n"
    "  -a, --algorithms LIST default,ring,chain:65536, or all (default)\n"
    "  -w, --width PERCENT   measure until the 95 % confidence interval of\n"
    "                        the median is no wider on either side (5)\n"
    "      --samples MIN:MAX least and largest number of samples (20:500)\n"
    "  -s, --sample SECONDS  duration of a sample, at least one call (0.0005)\n"
    "  -t, --time SECONDS    time limit for a point (2)\n"
    "  -q, --quiet           show no progress on a terminal\n"
    "  -h, --help            print this text\n";

static int measure_options_fail(const char *what, const char *value)
{
	return scale_error(APP_USAGE, "%s: bad value %s", what, value);
}

static int parse_samples(struct measure_options *o, const char *text)
{
	char copy[64], *colon;

	snprintf(copy, sizeof(copy), "%s", text);
	colon = strchr(copy, ':');
	if (!colon)
		return -1;
	*colon = '\0';
	if (app_parse_long(copy, 1, STUDY_SAMPLES_MAX, &o->least))
		return -1;
	return app_parse_long(colon + 1, o->least, STUDY_SAMPLES_MAX, &o->most);
}

static int measure_options_apply(int c, void *arg)
{
	struct measure_options *o = arg;
	double percent;

	switch (c) {
	case 'n':
		o->nranks = list_parse(o->ranks, MEASURE_RANKS_MAX, optarg);
		return o->nranks < 0 ? -1 : 0;
	case 'o':
		o->output = optarg;
		return 0;
	case 'm':
		return sizes_parse(&o->sizes, optarg);
	case 'a':
		o->algorithms = optarg;
		return 0;
	case 'w':
		if (app_parse_double(optarg, 0, 1000, &percent))
			return -1;
		o->width = percent / 100;
		return 0;
	case 'S':
		return parse_samples(o, optarg);
	case 's':
		return app_parse_double(optarg, 0, 3600, &o->sample);
	case 't':
		return app_parse_double(optarg, 1e-6, 86400, &o->limit);
	default:
		o->quiet = 1;
		return 0;
	}
}

static int measure_options_check(const struct measure_options *o)
{
	char copy[1024], *words = copy, *word;

	if (!o->output || !o->nranks)
		return scale_error(APP_USAGE,
				   "run: needs --ranks and -o STUDY");
	if (snprintf(copy, sizeof(copy), "%s", o->tests) >= (int)sizeof(copy))
		return measure_options_fail("TEST", o->tests);
	while ((word = strsep(&words, ",")) != NULL) {
		const struct tune_collective *c = tune_collectives;

		while (c->name && strcmp(c->name, word))
			c++;
		if (!c->name && strcmp(word, "pairs"))
			return scale_error(APP_USAGE,
					   "%s is not measured; see mrt-scale "
					   "run --help",
					   word);
	}
	return -1;
}

/* Takes what follows "--", which is for mrun, off the command line. */
static int cut_launch(int argc, char **argv, struct measure_options *o)
{
	int n = 1;

	while (n < argc && strcmp(argv[n], "--") != 0)
		n++;
	if (n < argc) {
		o->launch = argv + n + 1;
		o->nlaunch = argc - n - 1;
	}
	return n;
}

int measure_parse(int argc, char **argv, struct measure_options *o)
{
	static const struct app_options options = {"mrt-scale run", usage, "S",
						   measure_options_apply};
	int code;

	*o = (struct measure_options){.width = 0.05,
				      .sample = 0.0005,
				      .limit = 2,
				      .least = 20,
				      .most = 500};
	sizes_parse(&o->sizes, "8:4M");
	argc = cut_launch(argc, argv, o);
	code = app_parse_options(argc, argv, &options, o, 1);
	if (code >= 0)
		return code;
	if (argc - optind != 1)
		return scale_error(APP_USAGE,
				   "run: want one list of tests, not %d",
				   argc - optind);
	o->tests = argv[optind];
	return measure_options_check(o);
}
