/* SPDX-License-Identifier: Apache-2.0 */
/* output.h: forwards stdout and stderr of the ranks, line by line. */
#ifndef LAUNCHER_OUTPUT_H
#define LAUNCHER_OUTPUT_H

#include <stdbool.h>

#include "launcher/job.h"
#include "launcher/repeats.h"
#include "launcher/sink.h"

struct stream;

struct output {
	const struct job *job;
	struct sink sinks[2];	/* mrun's stdout and stderr */
	struct sink *to[2];	/* where stdout and stderr of ranks go */
	struct stream *streams; /* [2 * nranks] */
	struct repeats repeats; /* of stderr */
	int open;		/* number of streams that are open */
	bool interactive;	/* a terminal: prompts must appear */
	void *arg;
	/* Called with errno when stdout cannot be written any more. */
	void (*broken)(void *arg, int error);
};

/* Returns 0, or EXIT_RESOURCE after a message. From here on say() queues behind
 * the ranks' lines. */
int output_init(struct output *out, const struct job *job,
		void (*broken)(void *arg, int error), void *arg);
/* Drops what has not been delivered. say() writes directly again. */
void output_fini(struct output *out);

/*
 * Makes the descriptors that become stdout and stderr of a rank (close-on-exec;
 * the caller closes them after the start): pipes to mrun, or files with
 * --output. Returns 0, or EXIT_RESOURCE after a message.
 */
int output_open(struct output *out, int rank, int fds[2]);

/* Reads what the pipes of a rank hold now, so that its last words come before
 * mrun's message about its end. */
void output_catch_up(struct output *out, int rank);

/* Returns how long the loop may sleep before output_flush is due; -1: for ever.
 */
int output_timeout_ms(const struct output *out);
/* Shows what has waited for long enough: incomplete lines on a terminal, and
 * counts of lines that were held back. */
void output_flush(struct output *out);

/* Reads what the pipes hold now and closes all streams, at the end of a job;
 * some process may still hold their writing ends. */
void output_close(struct output *out);

/* Returns whether everything has been written. */
bool output_delivered(const struct output *out);
#endif
