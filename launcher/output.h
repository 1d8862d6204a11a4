/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output.h: stdout and stderr of the ranks, forwarded in whole lines.
 */
#ifndef LAUNCHER_OUTPUT_H
#define LAUNCHER_OUTPUT_H

#include <stdbool.h>

#include "launcher/job.h"
#include "launcher/sink.h"

struct stream;

struct output {
	const struct job *job;
	struct sink sinks[2];	/* mrun's stdout and stderr */
	struct sink *to[2];	/* of a rank's 1 and 2; both the first if
				   they are the same file */
	struct stream *streams; /* [2 * nranks] */
	int open;		/* streams with a writer */
	bool interactive;	/* somebody watches: prompts must appear */
	void *arg;
	/* stdout cannot be written any more: errno. */
	void (*broken)(void *arg, int error);
};

/* EXIT_RESOURCE (said). From here on say() queues behind the ranks' lines. */
int output_init(struct output *out, const struct job *job,
		void (*broken)(void *arg, int error), void *arg);
/* What has not been delivered is lost. say() is direct again. */
void output_fini(struct output *out);

/*
 * Makes the descriptors that become 1 and 2 of a rank (close-on-exec; the
 * caller closes them after the start): pipes to mrun, or its files with
 * --output. EXIT_RESOURCE (said).
 */
int output_open(struct output *out, int rank, int fds[2]);

/* Takes what is in the pipes of a rank now: its last words come before what
 * mrun has to say about its end. */
void output_catch_up(struct output *out, int rank);

/* How long the loop may sleep before output_flush_prompts; -1: for ever. */
int output_timeout_ms(const struct output *out);
/* Shows what has been the beginning of a line for a while, on a terminal. */
void output_flush_prompts(struct output *out);

/* Reads what is in the pipes now and ends all streams; for the end of a job
 * in which somebody still holds the writing ends. */
void output_close(struct output *out);

/* Nothing is waiting to be written. */
bool output_delivered(const struct output *out);
#endif
