/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sink.h: a queue of bytes in front of mrun's stdout or stderr. Writing never
 * blocks mrun: bytes that the reader has not taken wait here. A source sees how
 * many of its bytes are waiting, so that it can pause.
 */
#ifndef LAUNCHER_SINK_H
#define LAUNCHER_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "launcher/loop.h"
#include "runtime/base/list.h"

/* A producer of bytes. */
struct source {
	size_t pending; /* bytes of this source in the queue */
	/* Called whenever pending has decreased. */
	void (*drained)(struct source *source);
};

struct sink {
	struct watch watch;
	struct list chunks;
	bool direct; /* a file: written at once, nothing is queued */
	int error;   /* errno of a failed write; all later bytes are dropped */
	void *arg;
	/* Called once when writing fails. */
	void (*broken)(void *arg, struct sink *sink);
};

void sink_init(struct sink *sink, int fd);
/* Drops queued bytes; does not close the descriptor. */
void sink_fini(struct sink *sink);

/* Appends a copy of the bytes, which stay together in the output. source may be
 * NULL. */
void sink_put(struct sink *sink, struct source *source, const char *data,
	      size_t len);

bool sink_empty(const struct sink *sink);
#endif
