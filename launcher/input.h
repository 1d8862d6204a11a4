/* SPDX-License-Identifier: Apache-2.0 */
/* input.h: standard input of the ranks. The rank of --stdin gets mrun's, all
 * others get /dev/null. */
#ifndef LAUNCHER_INPUT_H
#define LAUNCHER_INPUT_H

#include "launcher/job.h"
#include "launcher/loop.h"

struct input {
	struct watch from; /* mrun's stdin, if it is forwarded */
	struct watch to;   /* pipe to the rank; fd is -1 if there is none */
	int null_fd;
	char buf[4096];
	size_t len;
};

/* Returns 0, or EXIT_RESOURCE after a message. */
int input_init(struct input *in);
void input_fini(struct input *in);

/*
 * Returns the descriptor that becomes stdin of the rank (close-on-exec, or 0
 * itself). The caller releases it by input_close_child once the rank is
 * started.
 */
int input_open(struct input *in, const struct job *job, int rank);
void input_close_child(const struct input *in, int fd);

/* Resumes reading after mrun was in the background of its terminal. */
void input_resume(struct input *in);
#endif
