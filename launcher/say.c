/* SPDX-License-Identifier: Apache-2.0 */
/* say.c: formats a line and writes it in one piece. */

#include "launcher/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "runtime/base/printable.h"

static int said_level;
static void (*write_line)(void *arg, const char *line, size_t len);
static void *writer_arg;

void say_set_level(int level)
{
	said_level = level;
}

void say_set_writer(void (*writer)(void *arg, const char *line, size_t len),
		    void *arg)
{
	write_line = writer;
	writer_arg = arg;
}

static __attribute__((format(printf, 2, 0))) void
say_args(int level, const char *format, va_list args)
{
	char line[2048];
	int n = snprintf(line, sizeof(line), "mrun: ");

	if (level > said_level)
		return;
	n += vsnprintf(line + n, sizeof(line) - (size_t)n - 1, format, args);
	if (n > (int)sizeof(line) - 2)
		n = (int)sizeof(line) - 2;
	make_printable(line, (size_t)n);
	line[n++] = '\n';
	if (write_line)
		write_line(writer_arg, line, (size_t)n);
	else if (write(STDERR_FILENO, line, (size_t)n) < 0) {
		/* there is nowhere else to report this */
	}
}

/* The body of a printf-like function. */
#define SAY(level)                                                             \
	do {                                                                   \
		va_list args;                                                  \
                                                                               \
		va_start(args, format);                                        \
		say_args(level, format, args);                                 \
		va_end(args);                                                  \
	} while (0)

void say_error(const char *format, ...)
{
	SAY(SAY_QUIET);
}

int say_fail(int exit_code, const char *format, ...)
{
	SAY(SAY_QUIET);
	return exit_code;
}

void say(const char *format, ...)
{
	SAY(SAY_NORMAL);
}

bool say_is_heard(void)
{
	return said_level >= SAY_NORMAL;
}

void say_verbose(const char *format, ...)
{
	SAY(SAY_VERBOSE);
}
