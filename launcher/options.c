/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.c: parses the command line by a table. Options precede each program.
 * The options of other mpiruns that people type by habit are accepted too, with
 * one dash or two, and with the value after '=' or as the next word.
 */
#include "config.h"

#include "launcher/options.h"

#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "launcher/help.h"
#include "launcher/say.h"

enum id {
	OPT_N,
	OPT_ENV,
	OPT_WDIR,
	OPT_BIND,
	OPT_MAP,
	OPT_CPUS,
	OPT_REPORT,
	OPT_TAG,
	OPT_OUTPUT,
	OPT_TIMEOUT,
	OPT_STDIN,
	OPT_QUIET,
	OPT_VERBOSE,
	OPT_HELP,
	OPT_VERSION,
	OPT_HELP_ENV,
	OPT_HOST,
	OPT_HOSTFILE,
	OPT_NODES,
	OPT_PPN,
	OPT_AMBIGUOUS,
	OPT_ENGINE,
	OPT_SHOW,
	OPT_IGNORED
};

static const struct option_row {
	const char *name;
	bool has_value;
	enum id id;
} rows[] = {
    {"n", true, OPT_N},
    {"np", true, OPT_N},
    {"x", true, OPT_ENV},
    {"env", true, OPT_ENV},
    {"wdir", true, OPT_WDIR},
    {"wd", true, OPT_WDIR},
    {"bind-to", true, OPT_BIND},
    {"map-by", true, OPT_MAP},
    {"cpus-per-rank", true, OPT_CPUS},
    {"cpus-per-task", true, OPT_CPUS},
    {"c", true, OPT_CPUS},
    {"report-bindings", false, OPT_REPORT},
    {"tag-output", false, OPT_TAG},
    {"output", true, OPT_OUTPUT},
    {"timeout", true, OPT_TIMEOUT},
    {"stdin", true, OPT_STDIN},
    {"q", false, OPT_QUIET},
    {"quiet", false, OPT_QUIET},
    {"v", false, OPT_VERBOSE},
    {"verbose", false, OPT_VERBOSE},
    {"h", false, OPT_HELP},
    {"help", false, OPT_HELP},
    {"V", false, OPT_VERSION},
    {"version", false, OPT_VERSION},
    {"help-env", false, OPT_HELP_ENV},
    {"host", true, OPT_HOST},
    {"H", true, OPT_HOST},
    {"hosts", true, OPT_HOST},
    {"hostfile", true, OPT_HOSTFILE},
    {"machinefile", true, OPT_HOSTFILE},
    {"f", true, OPT_HOSTFILE},
    {"nodes", true, OPT_NODES},
    {"ppn", true, OPT_PPN},
    {"npernode", true, OPT_PPN},
    {"N", true, OPT_AMBIGUOUS},
    {"engine", true, OPT_ENGINE},
    {"show", false, OPT_SHOW},
    {"dry-run", false, OPT_SHOW},
    {"oversubscribe", false, OPT_IGNORED},
    {"allow-run-as-root", false, OPT_IGNORED},
};

static const struct option_row *find_row(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strlen(rows[i].name) == len &&
		    !strncmp(rows[i].name, name, len))
			return &rows[i];
	return NULL;
}

/* Parses an integer of lo..hi; false if the text is anything else. */
static bool parse_int(const char *text, long lo, long hi, int *out)
{
	char *end;
	long v = strtol(text, &end, 10);

	if (end == text || *end || v < lo || v > hi)
		return false;
	*out = (int)v;
	return true;
}

/* Returns the index of the word in "a|b|c", or -1. */
static int parse_word(const char *text, const char *words)
{
	size_t len;

	for (int k = 0; *words; k++, words += len + (words[len] == '|')) {
		len = strcspn(words, "|");
		if (strlen(text) == len && !strncmp(text, words, len))
			return k;
	}
	return -1;
}

static int bad_value(const char *name, const char *value, const char *valid)
{
	return say_fail(EXIT_USAGE, "--%s %s is not valid: use %s", name, value,
			valid);
}

static int add_env(struct app *app, const char *text)
{
	char **env = realloc(app->env, (size_t)(app->nenv + 1) * sizeof(*env));
	const char *value;
	char *entry;

	if (!env)
		return EXIT_RESOURCE;
	app->env = env;
	if (*text == '=' || !*text)
		return bad_value("env", text, "VAR or VAR=value");
	if (strchr(text, '=')) {
		entry = strdup(text);
	} else {
		/* Ranks inherit everything anyway; but who names a variable
		 * relies on it, so its absence is worth a warning. */
		value = getenv(text);
		if (!value) {
			say("-x %s: no such variable in the environment", text);
			return 0;
		}
		if (asprintf(&entry, "%s=%s", text, value) < 0)
			entry = NULL;
	}
	if (!entry)
		return EXIT_RESOURCE;
	env[app->nenv++] = entry;
	return 0;
}

static int set_bind(struct options *o, const char *value)
{
	static const char words[] = "auto|none|hwthread|core|numa|socket";
	int k = parse_word(value, words);

	if (k < 0)
		k = strcmp(value, "package") ? -1 : BIND_SOCKET;
	if (k < 0)
		return bad_value("bind-to", value, words);
	o->bind = (enum bind_to)k;
	return 0;
}

static int set_map(struct options *o, const char *value)
{
	static const char words[] = "core|slot|numa";
	int k = parse_word(value, words);

	if (k < 0)
		return bad_value("map-by", value, words);
	o->map = (enum map_by)(MAP_CORE + k);
	return 0;
}

static int set_timeout(struct options *o, const char *value)
{
	char *end;
	double s = strtod(value, &end);

	if (end == value || *end || !isfinite(s) || s <= 0 || s > 1e9)
		return bad_value("timeout", value, "a number of seconds");
	o->timeout_s = s;
	return 0;
}

static int set_stdin(struct options *o, const char *value)
{
	if (!strcmp(value, "none"))
		o->stdin_rank = STDIN_NONE;
	else if (!parse_int(value, 0, MAX_RANKS - 1, &o->stdin_rank))
		return bad_value("stdin", value, "a rank or none");
	return 0;
}

static int set_engine(struct options *o, const char *value)
{
	static const char words[] = "auto|local|slurm|prterun|mpirun";

	o->engine = parse_word(value, words);
	return o->engine < 0 ? bad_value("engine", value, words) : 0;
}

static int set_count(const char *name, const char *value, int *count)
{
	if (!parse_int(value, 1, MAX_RANKS, count))
		return bad_value(name, value, "a number, at least 1");
	return 0;
}

static int refuse_ambiguous(void)
{
	return say_fail(EXIT_USAGE,
			"-N: nodes for srun, ranks per node for mpirun; write "
			"--nodes or --ppn");
}

/* Applies an option with a value. */
static int apply_value(struct options *o, struct app *app, enum id id,
		       const char *value)
{
	switch (id) {
	case OPT_N:
		return set_count("n", value, &app->nranks);
	case OPT_ENV:
		return add_env(app, value);
	case OPT_WDIR:
		app->wdir = value;
		return 0;
	case OPT_BIND:
		return set_bind(o, value);
	case OPT_MAP:
		return set_map(o, value);
	case OPT_CPUS:
		return set_count("cpus-per-rank", value, &o->cpus_per_rank);
	case OPT_OUTPUT:
		o->output_dir = value;
		return 0;
	case OPT_TIMEOUT:
		return set_timeout(o, value);
	case OPT_STDIN:
		return set_stdin(o, value);
	case OPT_HOST:
		return hosts_add_list(&o->hosts, value);
	case OPT_HOSTFILE:
		return hosts_add_file(&o->hosts, value);
	case OPT_NODES:
		return set_count("nodes", value, &o->nodes);
	case OPT_PPN:
		return set_count("ppn", value, &o->ppn);
	case OPT_ENGINE:
		return set_engine(o, value);
	default:
		return refuse_ambiguous();
	}
}

static void apply_flag(struct options *o, enum id id)
{
	switch (id) {
	case OPT_REPORT:
		o->report_bindings = true;
		break;
	case OPT_TAG:
		o->tag_output = true;
		break;
	case OPT_QUIET:
		o->verbosity = SAY_QUIET;
		say_set_level(SAY_QUIET);
		break;
	case OPT_VERBOSE:
		o->verbosity = SAY_VERBOSE;
		say_set_level(SAY_VERBOSE);
		break;
	case OPT_HELP:
		o->help = help_print;
		break;
	case OPT_VERSION:
		o->help = help_print_version;
		break;
	case OPT_HELP_ENV:
		o->help = help_print_env;
		break;
	case OPT_SHOW:
		o->show = true;
		break;
	default:
		break;
	}
}

/* Parses the option at argv[*at] and advances *at beyond it. */
static int parse_option(char **argv, int *at, struct options *o,
			struct app *app)
{
	const char *name = argv[*at] + (argv[*at][1] == '-' ? 2 : 1);
	size_t len = strcspn(name, "=");
	const struct option_row *row = find_row(name, len);
	const char *value = name[len] ? name + len + 1 : NULL;

	if (!row)
		return say_fail(EXIT_USAGE,
				"unknown option %s (mrun --help lists them)",
				argv[*at]);
	++*at;
	if (!row->has_value) {
		if (value)
			return bad_value(row->name, value, "it without value");
		apply_flag(o, row->id);
		return 0;
	}
	if (!value) {
		if (!argv[*at])
			return say_fail(EXIT_USAGE, "--%s needs a value",
					row->name);
		value = argv[(*at)++];
	}
	return apply_value(o, app, row->id, value);
}

static struct app *add_app(struct options *o)
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

/* Parses options, program and arguments up to ":" or the end, and ends argv
 * there. */
static int parse_app(char **argv, int *at, struct options *o)
{
	struct app *app = add_app(o);
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

int options_parse(int argc, char **argv, struct options *o)
{
	int at = 1, code;

	memset(o, 0, sizeof(*o));
	o->engine = -1;
	do {
		code = parse_app(argv, &at, o);
		if (code || o->help)
			return code;
	} while (at < argc);
	return check_counts(o);
}
