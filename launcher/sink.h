/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sink.h: a queue of bytes in front of mrun's stdout or stderr. Writing never
 * blocks mrun: what the reader does not take waits here, and whoever put it
 * there is told how much of his is waiting, so that he can pause.
 */
#ifndef LAUNCHER_SINK_H
#define LAUNCHER_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "launcher/loop.h"
#include "runtime/base/list.h"

/* One who puts bytes into a sink. */
struct source {
	size_t pending; /* his bytes in the queue */
	/* Called whenever pending has become less. */
	void (*drained)(struct source *source);
};

struct sink {
	struct watch watch;
	struct list chunks;
	bool direct; /* a file: written at once, nothing is ever queued */
	int error;   /* errno of a failed write: everything is dropped */
	void *arg;
	/* Called once when writing fails. */
	void (*broken)(void *arg, struct sink *sink);
};

void sink_init(struct sink *sink, int fd);
/* Drops what is queued; does not close the descriptor. */
void sink_fini(struct sink *sink);

/*
 * Appends a copy of the bytes; they stay together in the output. source may
 * be NULL.
 */
void sink_put(struct sink *sink, struct source *source, const char *data,
	      size_t len);

bool sink_empty(const struct sink *sink);
#endif
