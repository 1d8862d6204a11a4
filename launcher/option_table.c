/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option_table.c: the table of options: those of mrun, those of the mpiexec of
 * the MPI standard, and those that people type at Open MPI and MPICH. Of the
 * latter, what mrun does not do is refused with what to use instead.
 */

#include "launcher/option_table.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "launcher/help.h"
#include "launcher/say.h"
#include "runtime/base/env.h"

int option_parse_word(const char *text, size_t len, const char *words)
{
	size_t n;

	for (int k = 0; *words; k++, words += n + (words[n] == '|')) {
		n = strcspn(words, "|");
		if (len == n && !strncmp(text, words, n))
			return k;
	}
	return -1;
}

int option_bad_value(const struct option_use *use, const char *valid)
{
	return say_fail(EXIT_USAGE, "--%s %s is not valid: use %s", use->name,
			use->value, valid);
}

static void *option_field(const struct option_use *use)
{
	return (char *)use->options + use->row->field;
}

static void *app_field(const struct option_use *use)
{
	return (char *)use->app + use->row->field;
}

static int on_flag(const struct option_use *use)
{
	*(bool *)option_field(use) = true;
	return 0;
}

static int on_text(const struct option_use *use)
{
	*(const char **)option_field(use) = use->value;
	return 0;
}

static int app_text(const struct option_use *use)
{
	*(const char **)app_field(use) = use->value;
	return 0;
}

static int read_count(const struct option_use *use, int *to)
{
	if (!env_parse_int(use->value, 1, MAX_RANKS, to))
		return option_bad_value(use, "a number, at least 1");
	return 0;
}

static int on_count(const struct option_use *use)
{
	return read_count(use, option_field(use));
}

static int app_count(const struct option_use *use)
{
	return read_count(use, app_field(use));
}

static int one_per_node(const struct option_use *use)
{
	use->options->ppn = 1;
	return 0;
}

static int on_timeout(const struct option_use *use)
{
	char *end;
	double s = strtod(use->value, &end);

	if (end == use->value || *end || !isfinite(s) || s <= 0 || s > 1e9)
		return option_bad_value(use, "a number of seconds");
	use->options->timeout_s = s;
	return 0;
}

static int stdin_rank(const struct option_use *use)
{
	if (!strcmp(use->value, "none"))
		use->options->stdin_rank = STDIN_NONE;
	else if (!env_parse_int(use->value, 0, MAX_RANKS - 1,
				&use->options->stdin_rank))
		return option_bad_value(use, "a rank or none: input is for "
					     "one, the others can read a file");
	return 0;
}

/* A folder, or what Open MPI 5 takes: words and dir=DIR, with commas between
 * them. A folder that has the name of a word is ./tag. */
static int on_output(const struct option_use *use)
{
	static const char words[] = "tag|tag-detailed|timestamp|merge|xml|"
				    "rank|file|copy|nocopy|raw|pattern|dir";
	const char *text = use->value;

	for (size_t n; *text; text += n + (text[n] == ',')) {
		size_t word = strcspn(text, ",=:");
		int k = option_parse_word(text, word, words);

		n = strcspn(text, ",");
		if (k < 0 && text == use->value) {
			use->options->output_dir = text;
			return 0;
		}
		if (k == 0 && n == word)
			use->options->tag_output = true;
		else if (!strncmp(text, "dir=", 4) && n > 4 && !text[n])
			use->options->output_dir = text + 4;
		else
			return option_bad_value(use, "DIR, tag, dir=DIR or "
						     "tag,dir=DIR");
	}
	return 0;
}

static int on_display(const struct option_use *use)
{
	static const char words[] = "map|map-devel|bind|bindings|allocation";

	if (option_parse_word(use->value, strlen(use->value), words) < 0)
		return option_bad_value(use, "map, bind or allocation");
	use->options->report_bindings = true;
	return 0;
}

static int on_engine(const struct option_use *use)
{
	static const char words[] = "auto|local|slurm|prterun|mpirun";

	use->options->engine =
	    option_parse_word(use->value, strlen(use->value), words);
	return use->options->engine < 0 ? option_bad_value(use, words) : 0;
}

static int host_list(const struct option_use *use)
{
	return hosts_add_list(&use->options->hosts, use->value);
}

static int host_file(const struct option_use *use)
{
	return hosts_add_file(&use->options->hosts, use->value);
}

static int on_quiet(const struct option_use *use)
{
	use->options->verbosity = SAY_QUIET;
	say_set_level(SAY_QUIET);
	return 0;
}

static int on_verbose(const struct option_use *use)
{
	use->options->verbosity = SAY_VERBOSE;
	say_set_level(SAY_VERBOSE);
	return 0;
}

static int on_help(const struct option_use *use)
{
	use->options->help = help_print;
	return 0;
}

static int on_version(const struct option_use *use)
{
	use->options->help = help_print_version;
	return 0;
}

static int help_env(const struct option_use *use)
{
	use->options->help = help_print_env;
	return 0;
}

/* Without effect: mrun does so anyway. */
static int on_accept(const struct option_use *use)
{
	(void)use;
	return 0;
}

static int on_refuse(const struct option_use *use)
{
	return say_fail(EXIT_USAGE, "%s%s is not available: %s",
			use->name[1] ? "--" : "-", use->name, use->row->hint);
}

/* Kept for an engine that knows it. */
static int on_mca(const struct option_use *use)
{
	struct options *o = use->options;

	cmdline_add(&o->mca, "--%s", use->name);
	cmdline_add(&o->mca, "%s", use->value);
	cmdline_add(&o->mca, "%s", use->second);
	return 0;
}

#define OPT(f) offsetof(struct options, f)
#define APP(f) offsetof(struct app, f)

/* clang-format off */
static const struct option_row rows[] = {
    {"n|np", VALUE, app_count, APP(nranks), NULL},
    {"soft", VALUE, app_text, APP(soft), NULL},
    {"wdir|wd", VALUE, app_text, APP(wdir), NULL},
    {"path", VALUE, app_text, APP(search), NULL},
    {"x|-env", VALUE, option_env_entry, 0, NULL},
    {"env|genv", PAIR, option_env_pair, 0, NULL},
    {"envall|genvall", FLAG, option_env_all, 0, NULL},
    {"envlist|genvlist", VALUE, option_env_list, 0, NULL},
    {"envnone|genvnone", FLAG, option_env_none, 0, NULL},
    {"configfile", VALUE, on_text, OPT(config_file), NULL},

    {"bind-to", VALUE, option_bind_to, 0, NULL},
    {"map-by", VALUE, option_map_by, 0, NULL},
    {"rank-by", VALUE, option_rank_by, 0, NULL},
    {"rankfile|rf", VALUE, on_text, OPT(rankfile), NULL},
    {"npersocket", VALUE, option_per_socket, 0, NULL},
    {"cpus-per-rank|cpus-per-task|c", VALUE, on_count, OPT(cpus_per_rank),
	NULL},
    {"use-hwthread-cpus", FLAG, on_flag, OPT(hwthreads), NULL},
    {"report-bindings|display-map|display-allocation", FLAG, on_flag,
	OPT(report_bindings), NULL},
    {"display", VALUE, on_display, 0, NULL},

    {"host|H|hosts", VALUE, host_list, 0, NULL},
    {"hostfile|machinefile|f", VALUE, host_file, 0, NULL},
    {"nodes", VALUE, on_count, OPT(nodes), NULL},
    {"ppn|perhost|npernode", VALUE, on_count, OPT(ppn), NULL},
    {"pernode", FLAG, one_per_node, 0, NULL},
    {"engine", VALUE, on_engine, 0, NULL},
    {"show|dry-run", FLAG, on_flag, OPT(show), NULL},

    {"tag-output|l|prepend-rank", FLAG, on_flag, OPT(tag_output), NULL},
    {"no-aggregate", FLAG, on_flag, OPT(no_aggregate), NULL},
    {"output", VALUE, on_output, 0, NULL},
    {"stream-buffering", VALUE, option_buffering, 0, NULL},
    {"trace", VALUE, option_trace, 0, NULL},
    {"stdin", VALUE, stdin_rank, 0, NULL},
    {"timeout", VALUE, on_timeout, 0, NULL},
    {"q|quiet", FLAG, on_quiet, 0, NULL},
    {"v|verbose", FLAG, on_verbose, 0, NULL},
    {"h|help", FLAG, on_help, 0, NULL},
    {"V|version", FLAG, on_version, 0, NULL},
    {"help-env", FLAG, help_env, 0, NULL},

    {"oversubscribe|allow-run-as-root", FLAG, on_accept, 0, NULL},
    {"mca|gmca|prtemca|pmixmca", TWO_VALUES, on_mca, 0, NULL},
    {"initial-errhandler", VALUE, option_errhandler, 0, NULL},

    {"N", FLAG, on_refuse, 0, "it means nodes to srun and ranks per node to "
	"mpirun; write --nodes or --ppn"},
    {"arch", FLAG, on_refuse, 0, "all nodes have one architecture; --host "
	"names those to use"},
    {"file|app", FLAG, on_refuse, 0, "--configfile FILE has the programs and "
	"their options, a line for each"},
    {"cpu-set|cpu-list", FLAG, on_refuse, 0, "taskset -c LIST mrun ... keeps "
	"ranks to these CPUs"},
    {"nooversubscribe", FLAG, on_refuse, 0, "more ranks than cores are always "
	"allowed; without -n there is one for each core"},
    {"output-filename|outfile-pattern|errfile-pattern", FLAG, on_refuse, 0,
	"--output DIR writes a file DIR/rank.N.out and one DIR/rank.N.err of "
	"each rank"},
    {"timestamp-output", FLAG, on_refuse, 0, "mrun ... 2>&1 | ts gives each "
	"line its time (Debian: moreutils)"},
    {"merge-stderr-to-stdout", FLAG, on_refuse, 0, "mrun ... 2>&1 merges them"},
    {"launcher|bootstrap|rmk", FLAG, on_refuse, 0, "--engine says what starts "
	"the ranks on several nodes"},
    {"iface", FLAG, on_refuse, 0, "MRT_IB_DEVICE names the devices to use"},
    {"prefix", FLAG, on_refuse, 0, "libmrt and the program must be found under "
	"the same name on all nodes"},
};
/* clang-format on */

static const struct option_row *row_find(const char *name)
{
	size_t len = strcspn(name, "=");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (option_parse_word(name, len, rows[i].names) >= 0)
			return &rows[i];
	return NULL;
}

const struct option_row *option_find(const char *word)
{
	const struct option_row *row = row_find(word + 1);

	return row || word[1] != '-' ? row : row_find(word + 2);
}
