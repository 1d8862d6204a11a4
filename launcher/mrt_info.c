/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mrt_info.c: mrt-info [--json]: version, build, fabrics, topology, limits
 * and every MRT_* variable with its value and where it comes from.
 * Exits with 78, naming the variable, if one has a bad value.
 */
#include "config.h"

#include <hwloc.h>
#include <pmix.h>
#include <stdio.h>
#include <string.h>

#include "launcher/info_out.h"
#include "launcher/info_parts.h"
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

	printf("variables\n  %-18s %-12s %-12s %-20s %s\n", "name", "value",
	       "origin", "range", "meaning");
	for (int k = 0; env_row(k, &row); k++)
		printf("  %-18s %-12s %-12s %-20s %s\n", row.name,
		       *row.value ? row.value : "-",
		       row.set ? "environment" : "default", row.range,
		       row.help);
}

/* On stderr too: these are misspellings, most likely. */
static void print_unknown(bool json)
{
	const char *entry;

	if (json)
		info_open("unknown variables", INFO_LIST);
	for (int k = 0; (entry = env_unknown(k)); k++) {
		int len = (int)strcspn(entry, "=");

		if (json)
			info_text(NULL, "%.*s", len, entry);
		fprintf(stderr,
			"mrt-info: warning: %.*s is set, and libmrt has no "
			"such variable\n",
			len, entry);
	}
	if (json)
		info_close(INFO_LIST);
}

static void print_all(bool json)
{
	info_set_json(json);
	info_open(NULL, INFO_OBJECT);
	print_version();
	info_fabrics();
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
    "Prints what libmrt is, what it finds on this node, and its settings.\n"
    "  --json             for programs\n"
    "  --help, --version\n"
    "Exit code: 0; 64 wrong usage; 78 an MRT_* variable has a bad value.\n";

int main(int argc, char **argv)
{
	bool json = false;
	char err[512];

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--json")) {
			json = true;
		} else if (!strcmp(argv[i], "--help")) {
			fputs(usage, stdout);
			return 0;
		} else if (!strcmp(argv[i], "--version")) {
			printf("mrt-info (libmrt) %s\n", PACKAGE_VERSION);
			return 0;
		} else {
			fprintf(stderr, "mrt-info: unknown argument %s\n%s",
				argv[i], usage);
			return EXIT_USAGE;
		}
	}
	if (env_load(err, sizeof(err))) {
		fprintf(stderr, "mrt-info: %s\n", err);
		return EXIT_CONFIG;
	}
	print_all(json);
	if (fflush(stdout) || ferror(stdout)) {
		perror("mrt-info");
		return EXIT_RESOURCE;
	}
	return 0;
}
