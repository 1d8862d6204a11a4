/* SPDX-License-Identifier: Apache-2.0 */
/* log.c: formats a whole line and writes it by one write(2), so that lines of
 * several processes do not mix. */
#include "runtime/base/log.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/names.h"
#include "runtime/base/printable.h"

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

int log_name(char *text, size_t len)
{
	return who.rank >= 0
		   ? snprintf(text, len, "libmrt[%d/%d %s %d]", who.rank,
			      who.size, who.host, (int)getpid())
		   : snprintf(text, len, "libmrt[%d]", (int)getpid());
}

/* Writes a line even if nobody reads stderr any more, for example because the
 * launcher that did is what the line is about. The line is lost then, but
 * SIGPIPE must not end the process in place of the exit code that tells why. */
static void write_line(const char *line, size_t len)
{
	static const struct timespec at_once;
	sigset_t pipe, before, pending;
	bool own;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, &before);
	sigpending(&pending);
	own = !sigismember(&pending, SIGPIPE);
	if (write(STDERR_FILENO, line, len) < 0 && errno == EPIPE && own)
		while (sigtimedwait(&pipe, NULL, &at_once) < 0 &&
		       errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static __thread char last_error[256];

const char *log_last_error(void)
{
	return last_error;
}

void log_line(enum log_level level, int code, const char *format, ...)
{
	static const char *const names[] = {"error", "warning", "info",
					    "debug"};
	char line[1024], *text, said[1024];
	int saved = errno, n;
	va_list args;

	if ((int)level > env.log)
		return;
	n = log_name(line, sizeof(line));
	n += snprintf(line + n, sizeof(line) - (size_t)n,
		      " %s: ", code ? error_name(code) : names[level]);
	va_start(args, format);
	text = line + n;
	vsnprintf(said, sizeof(said), format, args);
	va_end(args);
	n += (int)names_copy(text, sizeof(line) - 1 - (size_t)n, said);
	if (level == LOG_ERROR)
		snprintf(last_error, sizeof(last_error), "%s", text);
	make_printable(line, (size_t)n);
	line[n++] = '\n';
	write_line(line, (size_t)n);
	errno = saved;
}
