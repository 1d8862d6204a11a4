/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mrt_info.c: mrt-info [--json] prints version, build, fabrics, launchers,
 * topology, limits, and every MRT_* variable with its value and source;
 * mrt-info coll prints the collective algorithms and where each is chosen.
 * Exits with 78 after naming a variable that has a bad value.
 */
#include "config.h"

#include <getopt.h>
#include <hwloc.h>
#include <pmix.h>
#include <stdio.h>
#include <string.h>

#include "tools/info/info_out.h"
#include "tools/info/info_parts.h"
#include "launcher/options.h"
#include "mrt.h"
#include "runtime/base/env.h"

static void print_version(void)
{
	unsigned hwloc = hwloc_get_api_version();

	info_open("libmrt", INFO_OBJECT);
	info_text("version", "%d.%d.%d", MRT_VERSION_MAJOR, MRT_VERSION_MINOR,
		  MRT_VERSION_PATCH);
	info_text("build", "%s", BUILD_OPTIONS);
	info_text("PMIx", "%s", PMIx_Get_version());
	info_text("hwloc API", "%u.%u", hwloc >> 16, hwloc >> 8 & 0xff);
	info_text("Fortran", "%s",
		  *FORTRAN_MODULES ? "modules of " FORTRAN_MODULES
				   : "built without");
	if (!*FORTRAN_MODULES)
		info_text("Fortran hint",
			  "Fortran programs with MPI need it; install "
			  "gfortran, then configure and make");
	info_close(INFO_OBJECT);
}

static void print_variables_json(void)
{
	struct env_row row;

	info_open("variables", INFO_LIST);
	for (int k = 0; env_row(k, &row); k++) {
		info_open(NULL, INFO_OBJECT);
		info_text("name", "%s", row.name);
		info_text("value", "%s", row.value);
		info_text("origin", "%s", row.set ? "environment" : "default");
		info_text("default", "%s", row.fallback);
		info_text("range", "%s", row.range);
		info_text("help", "%s", row.help);
		info_close(INFO_OBJECT);
	}
	info_close(INFO_LIST);
}

static void print_variables(void)
{
	struct env_row row;

	printf("variables\n  %-24s %-12s %-12s %-21s %s\n", "name", "value",
	       "origin", "range", "meaning");
	for (int k = 0; env_row(k, &row); k++)
		printf("  %-24s %-12s %-12s %-21s %s\n", row.name,
		       *row.value ? row.value : "-",
		       row.set ? "environment" : "default", row.range,
		       row.help);
}

/* Unknown variables are warned of on stderr too, because most are misspelt. */
static void print_unknown(bool json)
{
	struct env_unknown unknown;

	if (json)
		info_open("unknown variables", INFO_LIST);
	for (int k = 0; env_unknown(k, &unknown); k++) {
		if (json)
			info_text(NULL, "%s", unknown.name);
		fprintf(stderr, "mrt-info: warning: %s\n", unknown.text);
	}
	if (json)
		info_close(INFO_LIST);
}

static void print_all(bool json)
{
	info_open(NULL, INFO_OBJECT);
	print_version();
	info_fabrics();
	info_launchers();
	info_topology();
	info_limits();
	if (json)
		print_variables_json();
	else
		print_variables();
	print_unknown(json);
	info_close(INFO_OBJECT);
}

static const char usage[] =
    "usage: mrt-info [--json]\n"
    "       mrt-info coll [-n RANKS] [-f sm|verbs] [--json]\n"
    "Prints the version of libmrt, what it finds on this node, and its\n"
    "settings; coll: collective algorithms, and where each is chosen.\n"
    "  -n, --np RANKS     numbers of ranks, a list (2,8,64,1024)\n"
    "  -f, --fabric NAME  inside a node, or between nodes (both)\n"
    "      --json         print JSON\n"
    "  -h, --help         print this text\n"
    "  -V, --version      print the version\n"
    "Exit code: 0; 64 wrong usage; 71 the output cannot be written;\n"
    "78 an MRT_* variable has a bad value.\n";

/* The command line, parsed. */
struct query {
	bool json;
	bool coll, for_coll; /* the word coll, and its options, were given */
	struct info_coll of;
};

static int info_wrong(const char *what, const char *text)
{
	fprintf(stderr, "mrt-info: %s %s\n%s", what, text, usage);
	return EXIT_USAGE;
}

static int parse_options(int argc, char **argv, struct query *q)
{
	static const struct option longs[] = {
	    {"np", required_argument, NULL, 'n'},
	    {"fabric", required_argument, NULL, 'f'},
	    {"json", no_argument, NULL, 'j'},
	    {"help", no_argument, NULL, 'h'},
	    {"version", no_argument, NULL, 'V'},
	    {NULL, 0, NULL, 0}};
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":n:f:hV", longs, NULL)) != -1) {
		if (c == 'h')
			return fputs(usage, stdout) < 0;
		if (c == 'V')
			return printf("mrt-info (libmrt) %s\n",
				      PACKAGE_VERSION) < 0;
		if (c == '?' || c == ':')
			return info_wrong("unknown argument", argv[optind - 1]);
		q->json |= c == 'j';
		q->for_coll |= c != 'j';
		if (c != 'j' && info_coll_option(&q->of, (char)c, optarg))
			return info_wrong("bad value", optarg);
	}
	return -1;
}

/* Returns -1 to go on, or the exit code. */
static int info_parse(int argc, char **argv, struct query *q)
{
	int code = parse_options(argc, argv, q);

	if (code >= 0)
		return code;
	if (optind < argc && !strcmp(argv[optind], "coll")) {
		q->coll = true;
		optind++;
	}
	if (optind < argc)
		return info_wrong("unknown argument", argv[optind]);
	if (q->for_coll && !q->coll)
		return info_wrong("-n and -f are options of", "coll");
	return -1;
}

int main(int argc, char **argv)
{
	struct query q = {.of = {{2, 8, 64, 1024}, 4, true, true}};
	int code = info_parse(argc, argv, &q);
	char err[512];

	if (code >= 0)
		return code;
	if (env_load(err, sizeof(err))) {
		fprintf(stderr, "mrt-info: %s\n", err);
		return EXIT_CONFIG;
	}
	info_set_json(q.json);
	if (!q.coll)
		print_all(q.json);
	else if (info_coll(&q.of))
		return EXIT_CONFIG;
	if (fflush(stdout) || ferror(stdout)) {
		perror("mrt-info");
		return EXIT_RESOURCE;
	}
	return 0;
}
