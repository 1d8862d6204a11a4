/* SPDX-License-Identifier: Apache-2.0 */
/* boot_wire.c: one line at a time, since the launcher says nothing unasked. */
#include "runtime/boot/boot_wire.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"

static struct {
	int fd;
	ino_t inode;	 /* shows that the descriptor is still the socket's */
	char line[4096]; /* the last answer, without its newline */
} wire = {.fd = -1};

/* Returns a connection to HOST:PORT, or -1. */
static int connect_to(const char *host_and_port)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *all = NULL;
	const char *colon = strrchr(host_and_port, ':');
	char host[256];
	int fd = -1;

	snprintf(host, sizeof(host), "%.*s",
		 colon ? (int)(colon - host_and_port) : 0, host_and_port);
	if (!colon || getaddrinfo(host, colon + 1, &hints, &all))
		return -1;
	for (struct addrinfo *a = all; a && fd < 0; a = a->ai_next) {
		fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen)) {
			close(fd);
			fd = -1;
		}
	}
	freeaddrinfo(all);
	return fd;
}

int wire_open(void)
{
	const char *inherited = getenv("PMI_FD"), *port = getenv("PMI_PORT");
	struct stat st;

	wire.fd = inherited ? atoi(inherited) : connect_to(port);
	/* a program that a rank has started may have another file there */
	if (!fstat(wire.fd, &st) && S_ISSOCK(st.st_mode)) {
		wire.inode = st.st_ino;
		return 0;
	}
	wire.fd = -1;
	return log_error(MRT_ERR_SERVICE,
			 "cannot join the job of the launcher by %s=%s: %s; "
			 "unset it to run alone",
			 inherited ? "PMI_FD" : "PMI_PORT",
			 inherited ? inherited : port, strerror(errno));
}

bool wire_is_open(void)
{
	struct stat st;

	return !fstat(wire.fd, &st) && st.st_ino == wire.inode;
}

/* Returns whether the launcher has got it. */
static __attribute__((format(printf, 1, 0))) bool line_send(const char *format,
							    va_list args)
{
	char line[sizeof(wire.line)];
	int len = vsnprintf(line, sizeof(line) - 1, format, args);

	if (len < 0 || len >= (int)sizeof(line) - 1 || !wire_is_open())
		return false;
	line[len++] = '\n';
	for (int at = 0; at < len;) {
		ssize_t n =
		    send(wire.fd, line + at, (size_t)(len - at), MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return false;
		at += n > 0 ? (int)n : 0;
	}
	return true;
}

void wire_tell(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	line_send(format, args);
	va_end(args);
}

static int launcher_lost(void)
{
	fault_raise(MRT_ERR_SERVICE, "the launcher is gone (it closed the "
				     "connection)");
	return fault_report();
}

/* Receives no more than the rest of a line: the next one may have come, too.
 * Returns as recv does. */
static ssize_t line_rest(char *to, size_t room)
{
	ssize_t n = recv(wire.fd, to, room, MSG_PEEK);
	const char *end = n > 0 ? memchr(to, '\n', (size_t)n) : NULL;

	return n > 0 ? recv(wire.fd, to,
			    end ? (size_t)(end - to) + 1 : (size_t)n, 0)
		     : n;
}

static int line_receive(struct boot_fence *f)
{
	struct pollfd pfd = {.fd = wire.fd, .events = POLLIN};
	size_t len = 0;

	/* a line that does not end in time is cut, and not understood */
	while (len < sizeof(wire.line) &&
	       (!len || wire.line[len - 1] != '\n')) {
		int ready = poll(&pfd, 1, 100);
		int rc = boot_fence_look(f, ready == 0);
		ssize_t n;

		if (rc)
			return rc;
		if (ready <= 0)
			continue;
		n = line_rest(wire.line + len, sizeof(wire.line) - len);
		if (n <= 0 && (!n || errno != EINTR))
			return launcher_lost();
		len += n > 0 ? (size_t)n : 0;
	}
	wire.line[len - 1] = '\0';
	return 0;
}

int wire_next(struct boot_fence *f, const char *cmd)
{
	char is[32] = "";
	int rc = line_receive(f);

	if (rc || (wire_field("cmd", is, sizeof(is)) && !strcmp(is, cmd)))
		return rc;
	return log_error(MRT_ERR_SERVICE,
			 "%s: the launcher, asked by PMI for %s, says %s",
			 f->what, cmd, wire.line);
}

int wire_ask(struct boot_fence *f, const char *answer, const char *format, ...)
{
	va_list args;
	bool sent;

	va_start(args, format);
	sent = line_send(format, args);
	va_end(args);
	return sent ? wire_next(f, answer) : launcher_lost();
}

bool wire_field(const char *name, char *text, size_t size)
{
	size_t n = strlen(name);

	for (const char *at = wire.line; *at; at += *at == ' ') {
		size_t len = strcspn(at, " ");

		if (!strncmp(at, name, n) && at[n] == '=')
			return (size_t)snprintf(text, size, "%.*s",
						(int)(len - n - 1),
						at + n + 1) < size;
		at += len;
	}
	return false;
}

int wire_number(const char *name, int otherwise)
{
	char text[32];

	return wire_field(name, text, sizeof(text)) ? atoi(text) : otherwise;
}
