/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sink.c: the descriptors are shared with other processes (the shell, a log),
 * so they must not be made non-blocking. A write of at most PIPE_BUF bytes to a
 * pipe that poll reports writable neither blocks nor is torn.
 */

#include "launcher/sink.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct chunk {
	struct list link;
	struct source *source;
	size_t len, off;
	char data[];
};

enum { WRITES_PER_ROUND = 32 };

static void sink_drop(struct chunk *chunk)
{
	struct source *source = chunk->source;

	list_remove(&chunk->link);
	if (source) {
		source->pending -= chunk->len;
		source->drained(source);
	}
	free(chunk);
}

static void drop_all(struct sink *sink)
{
	while (!list_empty(&sink->chunks))
		sink_drop(list_entry(sink->chunks.next, struct chunk, link));
	loop_remove(&sink->watch);
}

static void sink_fail(struct sink *sink, int error)
{
	if (sink->error)
		return;
	sink->error = error;
	drop_all(sink);
	if (sink->broken)
		sink->broken(sink->arg, sink);
}

static bool sink_writable(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};

	return poll(&p, 1, 0) == 1;
}

static void write_some(struct watch *watch)
{
	struct sink *sink = list_entry(watch, struct sink, watch);

	for (int i = 0; i < WRITES_PER_ROUND; i++) {
		struct chunk *chunk;
		ssize_t n;

		if (list_empty(&sink->chunks)) {
			loop_remove(watch);
			return;
		}
		if (i > 0 && !sink_writable(watch->fd))
			return;
		chunk = list_entry(sink->chunks.next, struct chunk, link);
		n = chunk->len - chunk->off < PIPE_BUF
			? (ssize_t)(chunk->len - chunk->off)
			: PIPE_BUF;
		n = write(watch->fd, chunk->data + chunk->off, (size_t)n);
		if (n < 0) {
			if (errno != EAGAIN && errno != EINTR)
				sink_fail(sink, errno);
			return;
		}
		chunk->off += (size_t)n;
		if (chunk->off == chunk->len)
			sink_drop(chunk);
	}
}

void sink_init(struct sink *sink, int fd)
{
	struct stat st;

	memset(sink, 0, sizeof(*sink));
	sink->watch.fd = fd;
	sink->watch.ready = write_some;
	list_init(&sink->chunks);
	/* Files and /dev/null cannot be polled, and writing to them does not
	 * block. */
	if (fstat(fd, &st) == 0 &&
	    (S_ISREG(st.st_mode) || (S_ISCHR(st.st_mode) && !isatty(fd))))
		sink->direct = true;
}

void sink_fini(struct sink *sink)
{
	drop_all(sink);
}

static void write_all(struct sink *sink, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(sink->watch.fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			sink_fail(sink, errno);
			return;
		}
		data += n;
		len -= (size_t)n;
	}
}

void sink_put(struct sink *sink, struct source *source, const char *data,
	      size_t len)
{
	struct chunk *chunk;

	if (sink->error || len == 0)
		return;
	if (sink->direct) {
		write_all(sink, data, len);
		return;
	}
	chunk = malloc(sizeof(*chunk) + len);
	if (!chunk) {
		sink_fail(sink, ENOMEM);
		return;
	}
	chunk->source = source;
	chunk->len = len;
	chunk->off = 0;
	memcpy(chunk->data, data, len);
	if (source)
		source->pending += len;
	list_append(&sink->chunks, &chunk->link);
	if (loop_add(&sink->watch, LOOP_WRITE)) {
		/* epoll refuses this descriptor after all: write and block. */
		sink->direct = true;
		write_all(sink, data, len);
		if (!list_empty(&sink->chunks))
			sink_drop(chunk);
	}
}

bool sink_empty(const struct sink *sink)
{
	return list_empty(&sink->chunks);
}
