/* SPDX-License-Identifier: Apache-2.0 */
/* spawn.h: starts the ranks. */
#ifndef LAUNCHER_SPAWN_H
#define LAUNCHER_SPAWN_H

#include <sys/resource.h>

#include "launcher/guard.h"
#include "launcher/input.h"
#include "launcher/job.h"
#include "launcher/output.h"

struct spawner {
	struct job *job;
	struct output *output;
	struct input *input;
	const struct guard *guard;
	struct rlimit files; /* open files: what ranks get back */
	int errors[2];	     /* failed starts come back through this pipe */
};

/*
 * Finds the program of an app as execvp would, so that a wrong name is told
 * before anything is started. EXIT_NOT_FOUND, EXIT_CANNOT_EXEC or EXIT_USAGE
 * (a bad --wdir), said.
 */
int spawn_resolve(struct app *app);

/*
 * Raises the limit of open files for mrun. EXIT_RESOURCE (said) when it is too
 * low for the job, or that of address space is. Before PMIx, which is silent
 * about ranks whose connection it cannot accept, so that they wait for ever.
 */
int spawn_claim(struct spawner *s, const struct job *job);

/* EXIT_RESOURCE (said). */
int spawn_init(struct spawner *s);

/* Starts all ranks. EXIT_RESOURCE (said) when one could not be forked; those
 * before it run then. */
int spawn_all(struct spawner *s);

/* Sets exec_errno of ranks that could not be executed. */
void spawn_collect_errors(struct spawner *s);
#endif
