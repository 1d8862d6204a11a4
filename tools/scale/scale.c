/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scale.c: mrt-scale, studies of how collectives scale: measured (run) or
 * predicted (simulate) on a fabric (fit), compared with each other (compare),
 * and drawn (plot).
 */
#include "tools/scale/scale.h"

#include "apps/common/app.h"

#include "config.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: mrt-scale run TEST[,TEST]... --ranks RANKS -o STUDY [OPTIONS]\n"
    "       mrt-scale fit STUDY|TABLE... -o FABRIC [OPTIONS]\n"
    "       mrt-scale simulate COLLECTIVE -f FABRIC -N NODES [OPTIONS]\n"
    "       mrt-scale compare STUDY STUDY [OPTIONS]\n"
    "       mrt-scale compare TABLE... -f FABRIC [OPTIONS]\n"
    "       mrt-scale plot STUDY [OPTIONS]\n"
    "Measures, predicts and plots how collectives scale. A study is a folder\n"
    "of measured points; run adds the points that it lacks, so it may be\n"
    "interrupted at any time. mrt-scale COMMAND --help describes a command.\n\n"
    "  -h, --help            print this text\n"
    "  -V, --version         print the version\n";

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {{"run", scale_run},
		{"fit", scale_fit},
		{"simulate", scale_simulate},
		{"compare", scale_compare},
		{"plot", scale_plot},
		{"worker", scale_worker},
		{NULL, NULL}};

int scale_error(int code, const char *format, ...)
{
	va_list args;

	fputs("mrt-scale: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return code;
}

void *scale_grow(void *p, size_t n, size_t size)
{
	p = reallocarray(p, n ? n : 1, size);
	if (!p)
		exit(scale_error(APP_RESOURCE, "out of memory: %zu x %zu bytes",
				 n, size));
	return p;
}

void *scale_alloc(size_t n, size_t size)
{
	return memset(scale_grow(NULL, n, size), 0, (n ? n : 1) * size);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	signal(SIGPIPE, SIG_IGN); /* gnuplot may end early */
	if (!strcmp(name, "-h") || !strcmp(name, "--help"))
		return fputs(usage, stdout) < 0;
	if (!strcmp(name, "-V") || !strcmp(name, "--version"))
		return printf("mrt-scale (libmrt) %s\n", PACKAGE_VERSION) < 0;
	for (const struct command *c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c->run(argc - 1, argv + 1);
	if (*name)
		scale_error(0, "%s: no such command", name);
	fputs(usage, stderr);
	return APP_USAGE;
}
