/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcp_floor.c: tcp_floor SECONDS HOST NAME:SIZE,... ...: measures the best that
 * TCP can do between two ranks of mrun, of which rank 0 is on HOST: "latency"
 * of a ping-pong, one way, and "bandwidth" of a stream of pieces with one byte
 * back at its end. The ranks sleep in the kernel or poll, whichever is faster.
 * Prints rows like frame.c.
 */
#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct run {
	long n; /* pieces */
	size_t bytes;
	int latency; /* each piece goes forth and back */
	int flags;   /* MSG_DONTWAIT: to poll */
};

static char piece[4 << 20];
static int me, line; /* rank, connected socket */

/* Moves all bytes from rank `from` to the other. If that has gone, the program
 * ends. */
static void move_all(int from, void *data, size_t bytes, int flags)
{
	for (char *at = data; bytes;) {
		ssize_t n = me == from
				? send(line, at, bytes, flags | MSG_NOSIGNAL)
				: recv(line, at, bytes, flags);

		if (!n || (n < 0 && errno != EAGAIN))
			exit(n ? 69 : 0);
		at += n > 0 ? n : 0;
		bytes -= n > 0 ? (size_t)n : 0;
	}
}

static void move_pieces(const struct run *r)
{
	for (long i = 0; i < r->n; i++) {
		move_all(1, piece, r->bytes, r->flags);
		if (r->latency)
			move_all(0, piece, r->bytes, r->flags);
	}
	if (!r->latency)
		move_all(0, piece, 1, 0);
}

/* Returns the seconds that a piece takes. */
static double piece_seconds(struct run *r, double budget, int flags)
{
	struct timespec from, to;
	double t;

	r->flags = flags;
	for (r->n = 16;; r->n *= 2) {
		clock_gettime(CLOCK_MONOTONIC, &from);
		move_all(1, r, sizeof(*r), 0);
		move_pieces(r);
		clock_gettime(CLOCK_MONOTONIC, &to);
		t = (double)(to.tv_sec - from.tv_sec) +
		    (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
		if (t >= budget / 2)
			return t / (double)r->n;
	}
}

static void one_row(const char *row, double budget)
{
	struct run r = {.latency = !strncmp(row, "latency:", 8)};

	while ((row = strpbrk(row, ":,"))) {
		double s, polling;

		r.bytes = strtoul(++row, NULL, 10);
		s = piece_seconds(&r, budget, 0);
		polling = piece_seconds(&r, budget, MSG_DONTWAIT);
		s = polling < s ? polling : s;
		if (r.latency)
			printf("latency,2,%zu,us,%.6g\n", r.bytes, s / 2 * 1e6);
		else
			printf("bandwidth,2,%zu,MB/s,%.6g\n", r.bytes,
			       (double)r.bytes / s / 1e6);
	}
}

/* Connects the ranks; rank 1 tries until rank 0 listens. */
static void connect_ranks(const char *host)
{
	struct addrinfo hints = {.ai_family = AF_INET}, *to;
	int one = 1, rc;

	if (getaddrinfo(host, "18515", &hints, &to))
		exit(68);
	do {
		line = socket(AF_INET, SOCK_STREAM, 0);
		rc = (me ? connect : bind)(line, to->ai_addr, to->ai_addrlen);
	} while (rc && me && errno == ECONNREFUSED && !close(line));
	if (!rc && !me && !(rc = listen(line, 1)))
		line = accept(line, NULL, NULL);
	if (rc || setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)))
		exit(69);
}

int main(int argc, char **argv)
{
	const char *rank = getenv("PMIX_RANK");
	struct run r;

	if (argc < 4 || !rank)
		return 64;
	me = atoi(rank);
	connect_ranks(argv[2]);
	for (int i = 3; me && i < argc; i++)
		one_row(argv[i], atof(argv[1]));
	for (; !me; move_pieces(&r)) /* until rank 1 has ended */
		move_all(1, &r, sizeof(r), 0);
	return 0;
}
