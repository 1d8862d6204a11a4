/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input.h: the standard input of the ranks. One rank (--stdin) gets mrun's,
 * all others /dev/null.
 */
#ifndef LAUNCHER_INPUT_H
#define LAUNCHER_INPUT_H

#include "launcher/job.h"
#include "launcher/loop.h"

struct input {
	struct watch from; /* mrun's stdin, when it is forwarded */
	struct watch to;   /* pipe to the rank; fd -1: none */
	int null_fd;
	char buf[4096];
	size_t len;
};

/* EXIT_RESOURCE (said). */
int input_init(struct input *in);
void input_fini(struct input *in);

/*
 * The descriptor that becomes stdin of `rank` (close-on-exec, or 0 itself);
 * the caller gives it back by input_close_child after the start.
 */
int input_open(struct input *in, const struct job *job, int rank);
void input_close_child(const struct input *in, int fd);

/* Reads on after mrun was in the background of its terminal. */
void input_resume(struct input *in);
#endif
