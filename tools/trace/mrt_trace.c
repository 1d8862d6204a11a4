/* SPDX-License-Identifier: Apache-2.0 */
/* mrt_trace.c: mrt-trace FOLDER reads the traces that the ranks of a job have
 * written (MRT_TRACE) and prints a summary, JSON for a viewer, or one
 * collective. */
#include "config.h"

#include <getopt.h>
#include <stdio.h>

#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "tools/trace/trace_print.h"
#include "tools/trace/trace_scene.h"

static const char usage[] =
    "usage: mrt-trace [--ranks] FOLDER\n"
    "       mrt-trace --json [--only RANKS] FOLDER\n"
    "       mrt-trace --collective NAME[:NUMBER[:COMMUNICATOR]] [OPTIONS] "
    "FOLDER\n"
    "Says where the time of a job went, from the traces of its ranks:\n"
    "mrun --trace FOLDER, or MRT_TRACE=FOLDER, writes them.\n"
    "      --ranks        name every rank that was the last in a collective\n"
    "      --json         print JSON for Perfetto and Chrome's trace viewer\n"
    "      --only RANKS   print these ranks alone, such as 0,8..15\n"
    "  -c, --collective   show one collective, its ranks as rows: the one of\n"
    "                     that number, or the slowest of that name\n"
    "  -f, --fabric NAME  and beneath it what the simulator makes of it with "
    "a\n"
    "                     fabric of mrt-scale: shm, hdr, ndr or a file\n"
    "      --cpus N       simulate N CPUs in each node (one for each rank)\n"
    "      --rows N       show at most N ranks (64)\n"
    "      --svg          print a picture instead of text\n"
    "      --html         print a page to step through, for browsers\n"
    "  -h, --help         print this text\n"
    "  -V, --version      print the version\n"
    "Exit code: 0; 64 wrong usage; 65 or 66 a fabric that cannot be read; 71 "
    "out\n"
    "of memory, or the output cannot be written; 76 a trace is missing, "
    "damaged,\n"
    "or of another job.\n";

struct command {
	bool json, by_rank;
	const char *only;
	struct scene_options scene;
};

static int trace_wrong(const char *what, const char *text)
{
	fprintf(stderr, "mrt-trace: %s %s\n%s", what, text, usage);
	return EXIT_USAGE;
}

static int print_scene(const struct trace_set *set,
		       const struct scene_options *options)
{
	static int (*const shows[])(const struct scene *, const struct scene *,
				    const struct scene_options *) = {
	    scene_text, scene_svg, scene_html};
	struct scene scene, model = {0};
	const struct scene *beneath = options->fabric ? &model : NULL;
	int code = scene_make(&scene, set, options->which);

	if (code)
		return code;
	if (beneath)
		code = scene_simulate(&scene, options, &model);
	if (!code)
		code = shows[options->format](&scene, beneath, options);
	scene_free(&model);
	scene_free(&scene);
	return code;
}

static int mrt_trace_print(const char *folder, const struct command *c)
{
	struct trace_set set;
	int code = trace_set_read(folder, &set);

	if (code)
		return code;
	trace_align(&set);
	if (c->only && !trace_set_only(&set, c->only)) {
		fprintf(stderr, "mrt-trace: no trace of the ranks %s\n",
			c->only);
		code = EXIT_USAGE;
	} else if (c->scene.which)
		code = print_scene(&set, &c->scene);
	else if (c->json)
		trace_json(&set);
	else
		code = trace_summary(&set, c->by_rank);
	trace_set_free(&set);
	if (fflush(stdout) || ferror(stdout)) {
		perror("mrt-trace");
		return EXIT_RESOURCE;
	}
	return code;
}

/* Returns whether the value is valid. */
static bool trace_take(int option, struct command *c)
{
	switch (option) {
	case 'c':
		c->scene.which = optarg;
		return true;
	case 'f':
		c->scene.fabric = optarg;
		return true;
	case 'u':
		return env_parse_int(optarg, 1, 1 << 20, &c->scene.cpus);
	case 'n':
		return env_parse_int(optarg, 1, 1 << 20, &c->scene.rows);
	case 's':
		c->scene.format = SCENE_SVG;
		return true;
	case 'm':
		c->scene.format = SCENE_HTML;
		return true;
	case 'o':
		c->only = optarg;
		return true;
	case 'j':
		return c->json = true;
	default:
		return c->by_rank = true;
	}
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
	    {"ranks", no_argument, NULL, 'r'},
	    {"json", no_argument, NULL, 'j'},
	    {"only", required_argument, NULL, 'o'},
	    {"collective", required_argument, NULL, 'c'},
	    {"fabric", required_argument, NULL, 'f'},
	    {"cpus", required_argument, NULL, 'u'},
	    {"rows", required_argument, NULL, 'n'},
	    {"svg", no_argument, NULL, 's'},
	    {"html", no_argument, NULL, 'm'},
	    {"help", no_argument, NULL, 'h'},
	    {"version", no_argument, NULL, 'V'},
	    {NULL, 0, NULL, 0}};
	struct command c = {.scene = {.rows = 64}};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "c:f:hV", longs, NULL)) !=
	       -1) {
		if (option == 'h')
			return fputs(usage, stdout) < 0;
		if (option == 'V')
			return printf("mrt-trace (libmrt) %s\n",
				      PACKAGE_VERSION) < 0;
		if (option == '?')
			return trace_wrong("unknown argument",
					   argv[optind - 1]);
		if (!trace_take(option, &c))
			return trace_wrong("bad value:", optarg);
	}
	if (c.json + c.by_rank + !!c.scene.which > 1)
		return trace_wrong("only one of --ranks, --json and",
				   "--collective");
	if (!c.scene.which &&
	    (c.scene.fabric || c.scene.cpus || c.scene.format))
		return trace_wrong("these options are for", "--collective");
	if (!c.json && c.only)
		return trace_wrong("--only is for", "--json");
	if (optind + 1 != argc)
		return trace_wrong("one folder", "is needed");
	return mrt_trace_print(argv[optind], &c);
}
