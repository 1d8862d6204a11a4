/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure_turn.c: measures how long a CPU takes from one waiting rank to the
 * next when ranks share it: a poll of libmrt and a yield. Ranks of this job may
 * have a CPU each, so the partner is a child process on the same CPU that only
 * yields. Of each two switches, this rank's turn comes with two polls.
 */
#include "tools/scale/measure.h"

#include "apps/common/app.h"
#include "tools/scale/scale.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void poll_once(void)
{
	int flag;

	mrt_iprobe(MRT_ANY_SOURCE, MRT_ANY_TAG, MRT_COMM_WORLD, &flag,
		   MRT_STATUS_IGNORE);
}

/* Does not return. */
static void yield_on(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	for (;;)
		sched_yield();
}

/* Starts the child, which shares this CPU from now on. `before` gets the
 * affinity to restore. */
static pid_t share_cpu(cpu_set_t *before)
{
	pid_t parent = getpid(), pid;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	if (sched_getaffinity(0, sizeof(*before), before) ||
	    sched_setaffinity(0, sizeof(one), &one))
		exit(scale_error(APP_FAILED, "run pairs: affinity: %s",
				 strerror(errno)));
	pid = fork();
	if (pid < 0)
		exit(scale_error(APP_RESOURCE, "run pairs: fork: %s",
				 strerror(errno)));
	if (!pid)
		yield_on(parent);
	return pid;
}

double measure_turn(long calls)
{
	cpu_set_t before;
	pid_t child = share_cpu(&before);
	double start;

	sched_yield(); /* lets the child begin */
	start = mrt_wtime();
	for (long i = 0; i < calls; i++) {
		poll_once();
		poll_once();
		sched_yield();
	}
	start = mrt_wtime() - start;
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	sched_setaffinity(0, sizeof(before), &before);
	return start / 2 / (double)calls;
}
