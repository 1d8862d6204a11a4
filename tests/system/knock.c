/* SPDX-License-Identifier: Apache-2.0 */
/*
 * knock.c: `knock UID URI COUNT SECONDS` connects as that user COUNT times to
 * the server of a URI ("..tcp4://ADDRESS:PORT"), sends half of what a client
 * sends first, and holds the connections. It prints how many the server closed.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1000 };

static int knock(const struct sockaddr_in *to)
{
	static const char half[8];
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd >= 0 && (connect(fd, (const struct sockaddr *)to, sizeof(*to)) ||
			send(fd, half, sizeof(half), MSG_NOSIGNAL) < 0)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static int is_closed(int fd)
{
	char byte;

	return fd < 0 || recv(fd, &byte, 1, MSG_DONTWAIT) == 0 ||
	       (errno != EAGAIN && errno != EWOULDBLOCK);
}

int main(int argc, char **argv)
{
	struct sockaddr_in to = {.sin_family = AF_INET};
	struct rlimit files = {MOST + 20, MOST + 20};
	int fds[MOST], n, closed = 0;
	char *at = argc == 5 ? strstr(argv[2], "tcp4://") : NULL;
	char *port = at ? strrchr(at, ':') : NULL;
	uid_t uid;

	if (!port)
		return 64;
	*port = '\0';
	to.sin_port = htons((unsigned short)atoi(port + 1));
	inet_pton(AF_INET, at + 7, &to.sin_addr);
	uid = (uid_t)atoi(argv[1]);
	n = atoi(argv[3]) < MOST ? atoi(argv[3]) : MOST;
	setrlimit(RLIMIT_NOFILE, &files);
	if (uid && (setgroups(0, NULL) || setgid(uid) || setuid(uid)))
		return 77;
	for (int k = 0; k < n; k++)
		fds[k] = knock(&to);
	puts("knocked");
	fflush(stdout);
	for (int s = 0; s < 10 * atoi(argv[4]) && closed < n; s++) {
		nanosleep(&(struct timespec){0, 100000000}, NULL);
		closed = 0;
		for (int k = 0; k < n; k++)
			closed += is_closed(fds[k]);
	}
	printf("%d of %d closed\n", closed, n);
	return 0;
}
