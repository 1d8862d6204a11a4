/* SPDX-License-Identifier: Apache-2.0 */
/* app.c: numbers on command lines, memory, messages (see app.h). */
#include "apps/common/app.h"

#include "config.h"

#include <errno.h>
#include <math.h>
#include <mrt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTIONS_MAX = 32 };

/* Sets what getopt_long takes by the lines of the usage that show options. */
static void read_usage(const struct app_options *o, struct option *longs,
		       char *shorts)
{
	const char *line = o->usage, *id = o->ids, *at;

	*longs++ = (struct option){"version", no_argument, NULL, 'V'};
	*shorts++ = 'V';
	for (; (line = strstr(line, "\n  ")); line++) {
		bool letter = line[3] == '-';

		if (!letter && strncmp(line, "\n      --", 9) != 0)
			continue;
		at = line + strlen("\n  -x, ");
		for (size_t n; !strncmp(at, "--", 2);
		     at += n + 2 * (at[n] == ',')) {
			n = strcspn(at, " ,\n");
			*longs =
			    (struct option){strndup(at + 2, n - 2),
					    at[n] == ' ' && at[n + 1] != ' ',
					    NULL, letter ? line[4] : *id++};
			if (letter)
				shorts += sprintf(shorts, "%c%s", line[4],
						  longs->has_arg ? ":" : "");
			longs++;
		}
	}
}

int app_parse_options(int argc, char **argv, const struct app_options *o,
		      void *arg, int speaks)
{
	static struct option longs[OPTIONS_MAX];
	char shorts[2 * OPTIONS_MAX] = "";
	int c;

	read_usage(o, longs, shorts);
	argv[0] = (char *)o->program; /* in messages of getopt_long */
	opterr = speaks;
	while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (c == 'h')
			return speaks && fputs(o->usage, stdout) < 0;
		if (c == 'V')
			return speaks && printf("%s (libmrt) %s\n", o->program,
						PACKAGE_VERSION) < 0;
		if (c == '?')
			return APP_USAGE;
		if (!o->apply(c, arg))
			continue;
		if (speaks)
			fprintf(stderr, "%s: bad value %s; see %s --help\n",
				o->program, optarg, o->program);
		return APP_USAGE;
	}
	return -1;
}

int app_parse_long(const char *text, long min, long max, long *value)
{
	char *end;
	long v;

	errno = 0;
	v = strtol(text, &end, 10);
	if (errno || end == text || *end || v < min || v > max)
		return -1;
	*value = v;
	return 0;
}

static unsigned suffix_shift(char c)
{
	switch (c) {
	case 'k':
	case 'K':
		return 10;
	case 'm':
	case 'M':
		return 20;
	case 'g':
	case 'G':
		return 30;
	default:
		return 0;
	}
}

int app_parse_size(const char *text, size_t *value)
{
	unsigned long long v;
	unsigned shift;
	char *end;

	if (*text < '0' || *text > '9')
		return -1;
	errno = 0;
	v = strtoull(text, &end, 10);
	shift = suffix_shift(*end);
	if (errno || end[shift != 0] || v > (SIZE_MAX >> shift))
		return -1;
	*value = (size_t)v << shift;
	return 0;
}

int app_parse_double(const char *text, double min, double max, double *value)
{
	char *end;
	double v;

	v = strtod(text, &end);
	if (end == text || *end || !isfinite(v) || v < min || v > max)
		return -1;
	*value = v;
	return 0;
}

void *app_alloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p) {
		fprintf(stderr, "%s: out of memory: %zu x %zu bytes\n",
			program_invocation_short_name, n, size);
		mrt_abort(MRT_COMM_WORLD, APP_RESOURCE);
	}
	return p;
}

int app_error(int code, const char *format, ...)
{
	va_list args;

	if (mrt_rank(MRT_COMM_WORLD) != 0)
		return code;
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return code;
}

int app_print(const char *format, ...)
{
	va_list args;

	if (mrt_rank(MRT_COMM_WORLD) != 0)
		return APP_OK;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	return APP_OK;
}

int app_progress_wanted(void)
{
	const char *tty = getenv("MRT_TTY");

	if (mrt_rank(MRT_COMM_WORLD) != 0)
		return 0;
	return tty ? !strcmp(tty, "yes") : isatty(STDERR_FILENO);
}
