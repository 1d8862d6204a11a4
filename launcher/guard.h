/* SPDX-License-Identifier: Apache-2.0 */
/* guard.h: the guard is a child of mrun that outlives it for a moment if mrun
 * is killed with SIGKILL: it ends the ranks and removes the job's directory. */
#ifndef LAUNCHER_GUARD_H
#define LAUNCHER_GUARD_H

#include <stddef.h>
#include <sys/types.h>

struct guard {
	pid_t pid;
	int fd; /* close-on-exec; held by mrun and by starting ranks */
};

struct guard_plan {
	const char *dir; /* removed with its contents at the end */
	int max_groups;
	/* mrun's command line in memory, which the guard overwrites so as not
	 * to be taken for mrun */
	char *args;
	size_t args_len;
};

/* Forks the guard; the process must have no other threads. Returns 0, or -1
 * with errno. */
int guard_start(struct guard *guard, const struct guard_plan *plan);

/*
 * Tell the guard that a process group has begun, or has no members left.
 * Async-signal-safe: a rank calls guard_add_group itself between fork and exec,
 * so that it is never unguarded.
 */
void guard_add_group(const struct guard *guard, pid_t group);
void guard_remove_group(const struct guard *guard, pid_t group);

/* Ends and reaps the guard, at the normal end of a job. */
void guard_dismiss(struct guard *guard);
#endif
