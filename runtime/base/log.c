/* SPDX-License-Identifier: Apache-2.0 */
/* log.c: formats a whole line and writes it with one write(2), untorn. */
#include "runtime/base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/env.h"
#include "runtime/base/error.h"

static struct {
	int rank, size;
	char host[64];
} who = {-1, 0, ""};

void log_identify(int rank, int size, const char *host)
{
	who.rank = rank;
	who.size = size;
	snprintf(who.host, sizeof(who.host), "%s", host);
}

void log_line(enum log_level level, int code, const char *format, ...)
{
	static const char *const names[] = {"error", "warning", "info", "debug"};
	char line[1024];
	int saved = errno, n;
	va_list args;

	if ((int)level > env.log)
		return;
	if (who.rank >= 0)
		n = snprintf(line, sizeof(line), "libmrt[%d/%d %s %d] %s: ",
			     who.rank, who.size, who.host, (int)getpid(),
			     code ? error_name(code) : names[level]);
	else
		n = snprintf(line, sizeof(line), "libmrt[%d] %s: ",
			     (int)getpid(),
			     code ? error_name(code) : names[level]);
	va_start(args, format);
	n += vsnprintf(line + n, sizeof(line) - (size_t)n, format, args);
	va_end(args);
	if (n > (int)sizeof(line) - 2)
		n = (int)sizeof(line) - 2;
	line[n++] = '\n';
	if (write(STDERR_FILENO, line, (size_t)n) < 0) {
		/* nowhere left to say it */
	}
	errno = saved;
}
