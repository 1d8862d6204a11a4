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
	struct rlimit files; /* mrun's limit of open files, restored in ranks */
	int errors[2];	     /* pipe through which failed starts are reported */
};

/*
 * Finds the program of an app as execvp would, so that a wrong name is reported
 * before anything is started. Returns 0, EXIT_NOT_FOUND, EXIT_CANNOT_EXEC or
 * EXIT_USAGE (for a bad --wdir), after a message.
 */
int spawn_resolve(struct app *app);

/*
 * Raises mrun's limit of open files. Returns EXIT_RESOURCE, after a message, if
 * that limit or the address space is too small for the job. To be called before
 * PMIx starts: PMIx is silent about ranks whose connection it cannot accept,
 * and they would wait for ever.
 */
int spawn_raise_limits(struct spawner *s, const struct job *job);

/* Returns the value of a variable in the environment of the program's ranks
 * (borrowed), or NULL. */
const char *spawn_getenv(const struct app *app, const char *name);

/* Returns 0, or EXIT_RESOURCE after a message. */
int spawn_init(struct spawner *s);

/* Starts all ranks. Returns EXIT_RESOURCE, after a message, if one could not be
 * forked; the ranks before it are running then. */
int spawn_all(struct spawner *s);

/* Sets exec_errno of the ranks whose exec failed. */
void spawn_collect_errors(struct spawner *s);
#endif
