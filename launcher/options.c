/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.c: parses the command line by option_table.c. Options precede each
 * program, with one dash or two, and with the value after '=' or as the next
 * word.
 */

#include "launcher/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launcher/cmdline.h"
#include "launcher/option_table.h"
#include "launcher/say.h"

/* Parses the option at argv[*at] and advances *at beyond it. */
static int parse_option(char **argv, int *at, struct options *o,
			struct app *app)
{
	const char *word = argv[(*at)++], *equals = strchr(word, '=');
	const char *name = word + 1 + (word[1] == '-');
	const struct option_row *row = option_find(word);
	struct option_use use = {.row = row, .options = o, .app = app};

	if (!row)
		return say_fail(EXIT_USAGE,
				"unknown option %s (mrun --help lists them)",
				word);
	snprintf(use.name, sizeof(use.name), "%.*s", (int)strcspn(name, "="),
		 name);
	use.value = equals ? equals + 1 : NULL;
	if (row->values == FLAG && use.value && !row->hint)
		return option_bad_value(&use, "it without value");
	if (row->values != FLAG && !use.value)
		use.value = argv[*at] ? argv[(*at)++] : NULL;
	if (row->values == TWO_VALUES ||
	    (row->values == PAIR && use.value && !strchr(use.value, '=')))
		use.second = argv[*at] ? argv[(*at)++] : NULL;
	if ((row->values != FLAG && !use.value) ||
	    (row->values == TWO_VALUES && !use.second))
		return say_fail(EXIT_USAGE, "%s needs %s", word,
				row->values == TWO_VALUES ? "two values"
							  : "a value");
	return row->apply(&use);
}

static struct app *app_add(struct options *o)
{
	size_t n = (size_t)o->napps + 1;
	struct app *apps = realloc(o->apps, n * sizeof(*apps));

	if (!apps) {
		say_error("out of memory");
		return NULL;
	}
	o->apps = apps;
	memset(&apps[o->napps], 0, sizeof(*apps));
	return &apps[o->napps++];
}

/*
 * Parses options, program and arguments up to ":" or the end, and ends argv
 * there. With --configfile no program follows, and none is added.
 */
static int parse_app(char **argv, int *at, struct options *o)
{
	static const struct app none;
	struct app *app = app_add(o);
	int code;

	if (!app)
		return EXIT_RESOURCE;
	while (argv[*at] && argv[*at][0] == '-' && argv[*at][1]) {
		if (!strcmp(argv[*at], "--")) {
			++*at;
			break;
		}
		code = parse_option(argv, at, o, app);
		if (code || o->help)
			return code;
	}
	if (o->config_file) {
		o->napps--;
		if (!argv[*at] && !memcmp(app, &none, sizeof(none)))
			return 0;
		return say_fail(EXIT_USAGE,
				"--configfile %s has the programs and their "
				"options; none may be beside it",
				o->config_file);
	}
	app->argv = &argv[*at];
	while (argv[*at] && strcmp(argv[*at], ":"))
		++*at;
	if (app->argv == &argv[*at])
		return say_fail(EXIT_USAGE,
				"no program given (mrun --help tells how)");
	if (argv[*at]) {
		argv[(*at)++] = NULL;
		if (!argv[*at])
			return say_fail(EXIT_USAGE,
					"no program given after ':'");
	}
	return 0;
}

static int check_counts(const struct options *o)
{
	long total = 0;

	for (int i = 0; i < o->napps; i++) {
		if (o->napps > 1 && !o->apps[i].nranks)
			return say_fail(
			    EXIT_USAGE,
			    "-n is missing for %s: with several programs "
			    "each needs it",
			    o->apps[i].argv[0]);
		total += o->apps[i].nranks;
	}
	if (total > MAX_RANKS)
		return say_fail(EXIT_USAGE, "%ld ranks: more than %d", total,
				MAX_RANKS);
	if (total && o->stdin_rank >= total)
		return say_fail(EXIT_USAGE,
				"--stdin %d: the job has ranks 0 to %ld",
				o->stdin_rank, total - 1);
	return 0;
}

/* Returns the largest number of "first[:last[:step]]" that is at most n; 0 if
 * there is none, -1 for another text. *end is behind it. */
static long largest_of(const char *text, long n, char **end)
{
	long first = strtol(text, end, 10), last = first, step = 1;

	if (*end == text)
		return -1;
	if (**end == ':')
		last = strtol(*end + 1, end, 10);
	if (**end == ':')
		step = strtol(*end + 1, end, 10);
	if (step < 0) { /* the same, upwards */
		long low = first - (first - last) / -step * -step;

		last = first;
		first = low;
		step = -step;
	}
	if (!step || first < 0 || (**end && **end != ','))
		return -1;
	if (first > last || first > n)
		return 0;
	return first + ((n < last ? n : last) - first) / step * step;
}

/* All ranks of -n can always be started, so that -soft takes the largest number
 * that will do. */
static int apply_soft(struct app *app)
{
	char *text = (char *)app->soft;
	long best = 0, v;

	if (!text)
		return 0;
	if (!app->nranks)
		return say_fail(EXIT_USAGE, "--soft needs -n");
	for (;; text++) {
		v = largest_of(text, app->nranks, &text);
		if (v < 0)
			return say_fail(EXIT_USAGE,
					"--soft %s is not valid: use "
					"N, A:B or A:B:STEP, or several",
					app->soft);
		best = v > best ? v : best;
		if (!*text)
			break;
	}
	if (!best)
		return say_fail(EXIT_USAGE, "--soft %s has no number up to %d",
				app->soft, app->nranks);
	app->nranks = (int)best;
	return 0;
}

static int parse_all(char **argv, struct options *o)
{
	int at = 0, code;

	do {
		code = parse_app(argv, &at, o);
		if (code || o->help)
			return code;
	} while (argv[at]);
	return 0;
}

/* Reads programs and their options, one line for each. */
static int parse_file(struct options *o)
{
	const char *path = o->config_file;
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;

	if (!file)
		return say_fail(EXIT_USAGE, "--configfile %s: %s", path,
				strerror(errno));
	while (getline(&line, &size, file) >= 0)
		cmdline_add_line(&o->file_words, line);
	free(line);
	fclose(file);
	if (o->file_words.failed || !o->file_words.n)
		return say_fail(EXIT_USAGE,
				"--configfile %s has no program, or a quote "
				"that does not end",
				path);
	o->config_file = NULL;
	return parse_all(o->file_words.v, o);
}

/* Takes what other mpiexecs take from the environment; options of the command
 * line win. */
static int parse_environment(struct options *o)
{
	const struct option_use use = {.row = option_find("--timeout"),
				       .name = "timeout",
				       .options = o,
				       .value = getenv("MPIEXEC_TIMEOUT")};
	int code;

	if (!use.value || !*use.value || !strcmp(use.value, "0") ||
	    !strcmp(use.value, "-1"))
		return 0;
	code = use.row->apply(&use);
	if (code)
		say("it is the value of MPIEXEC_TIMEOUT");
	return code;
}

int options_parse(char **argv, struct options *o)
{
	int code;

	memset(o, 0, sizeof(*o));
	o->engine = -1;
	code = parse_environment(o) ?: parse_all(argv + 1, o);
	if (!code && o->config_file && !o->help)
		code = parse_file(o);
	if (!code && o->config_file && !o->help)
		code = say_fail(EXIT_USAGE, "--configfile %s inside of another",
				o->config_file);
	if (code || o->help)
		return code;
	for (int a = 0; !code && a < o->napps; a++)
		code = apply_soft(&o->apps[a]);
	if (!code && o->rankfile &&
	    (o->map != MAP_AUTO || o->rank_by != MAP_AUTO || o->per_object ||
	     o->cpus_per_rank || o->ppn))
		code = say_fail(EXIT_USAGE,
				"a rankfile says where all ranks are: no other "
				"option but --bind-to may");
	if (!code)
		code = option_env_share(o);
	return code ? code : check_counts(o);
}
