/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guard.h: a process that outlives mrun for a moment if mrun is killed with
 * -9: ends the ranks and removes the job's directory.
 */
#ifndef LAUNCHER_GUARD_H
#define LAUNCHER_GUARD_H

#include <stddef.h>
#include <sys/types.h>

struct guard {
	pid_t pid;
	int fd; /* close-on-exec; mrun and starting ranks hold it */
};

struct guard_plan {
	const char *dir; /* removed with all its contents at the end */
	int max_groups;
	char *args;	 /* mrun's command line in memory, overwritten in */
	size_t args_len; /* the guard so that it is not taken for mrun */
};

/* Forks the guard; no other thread may exist. -1 with errno. */
int guard_start(struct guard *guard, const struct guard_plan *plan);

/* A process group began, or has no members any more. Async-signal-safe: the
 * rank itself says so between fork and exec, so that no moment is uncovered. */
void guard_add_group(const struct guard *guard, pid_t group);
void guard_remove_group(const struct guard *guard, pid_t group);

/* All is well: the guard ends and is reaped. */
void guard_dismiss(struct guard *guard);
#endif
