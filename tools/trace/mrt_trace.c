/* SPDX-License-Identifier: Apache-2.0 */
/* mrt_trace.c: mrt-trace FOLDER reads the traces that the ranks of a job have
 * written (MRT_TRACE) and prints a summary, or JSON for a viewer. */
#include "config.h"

#include <getopt.h>
#include <stdio.h>

#include "runtime/base/error.h"
#include "tools/trace/trace_print.h"
#include "tools/trace/trace_walk.h"

static const char usage[] =
    "usage: mrt-trace [--ranks | --json] FOLDER\n"
    "Says where the time of a job went, from the traces of its ranks:\n"
    "mrun --trace FOLDER, or MRT_TRACE=FOLDER, writes them.\n"
    "      --ranks    name every rank that was the last in a collective\n"
    "      --json     print JSON for Perfetto and Chrome's trace viewer\n"
    "  -h, --help     print this text\n"
    "  -V, --version  print the version\n"
    "Exit code: 0; 64 wrong usage; 71 out of memory, or the output cannot be\n"
    "written; 76 a trace is missing, damaged, or of another job.\n";

static int wrong(const char *what, const char *text)
{
	fprintf(stderr, "mrt-trace: %s %s\n%s", what, text, usage);
	return EXIT_USAGE;
}

static int print(const char *folder, bool json, bool by_rank)
{
	struct trace_set set;
	int code = trace_set_read(folder, &set);

	if (code)
		return code;
	trace_align(&set);
	if (json)
		trace_json(&set);
	else
		code = trace_summary(&set, by_rank);
	trace_set_free(&set);
	if (fflush(stdout) || ferror(stdout)) {
		perror("mrt-trace");
		return EXIT_RESOURCE;
	}
	return code;
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
	    {"ranks", no_argument, NULL, 'r'},
	    {"json", no_argument, NULL, 'j'},
	    {"help", no_argument, NULL, 'h'},
	    {"version", no_argument, NULL, 'V'},
	    {NULL, 0, NULL, 0}};
	bool json = false, by_rank = false;
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "hV", longs, NULL)) != -1) {
		if (c == 'h')
			return fputs(usage, stdout) < 0;
		if (c == 'V')
			return printf("mrt-trace (libmrt) %s\n",
				      PACKAGE_VERSION) < 0;
		if (c == '?')
			return wrong("unknown argument", argv[optind - 1]);
		json |= c == 'j';
		by_rank |= c == 'r';
	}
	if (json && by_rank)
		return wrong("--ranks is not for", "--json");
	if (optind + 1 != argc)
		return wrong("one folder", "is needed");
	return print(argv[optind], json, by_rank);
}
