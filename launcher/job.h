/* SPDX-License-Identifier: Apache-2.0 */
/*
 * job.h: the ranks of one mrun and what is known of each. Plain data, written
 * by the main thread alone: spawn.c starts ranks, server.c's messages and
 * waitpid change them, job_end.c decides.
 */
#ifndef LAUNCHER_JOB_H
#define LAUNCHER_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "launcher/options.h"

struct hwloc_bitmap_s;

struct rank {
	int rank;
	const struct app *app;
	int app_num, app_rank;	     /* which program, rank within it */
	struct hwloc_bitmap_s *cpus; /* where it may run */
	bool bound;		     /* cpus is less than all usable ones */
	pid_t pid;		   /* also its process group; 0: not started */
	bool running;		   /* started and not reaped */
	bool group;		   /* its process group may have members */
	bool connected, finalized; /* as a PMIx client */
	int status;		   /* of waitpid, once reaped */
	bool reaped;		   /* its end has been looked at */
	bool aborted;		   /* called abort, with this code and text */
	int abort_code;
	char *abort_text;
	int exec_errno; /* why it could not be executed, or 0 */
};

/* How far the end of the job has got. */
enum ending {
	END_NOT_YET,
	END_NOTIFIED,	/* the library in each rank was told of the failure */
	END_TERMINATED, /* SIGTERM was sent */
	END_KILLED	/* SIGKILL was sent */
};

struct job {
	const struct options *opt;
	char name[256]; /* PMIx namespace, unique on this node */
	char host[128];
	char dir[128]; /* private to the job, removed at its end */
	int nranks;
	struct rank *ranks; /* [nranks] */
	int running;	    /* ranks with running set */
	int exit_code;
	enum ending ending;
	uint64_t deadline_ns; /* of the current stage of ending; 0: none */
	uint64_t timeout_ns;  /* when --timeout strikes; 0: never */
	uint64_t started_ns;
};

/*
 * Makes the ranks of the programs in *opt. `cores` is the count for a program
 * without -n. EXIT_RESOURCE (said) when out of memory.
 */
int job_init(struct job *job, const struct options *opt, int cores);

/* Makes the private directory. EXIT_RESOURCE (said). */
int job_make_dir(struct job *job);
/* Removes it with all that is in it; async-signal-safe it is not. */
void job_remove_dir(const char *dir);

/* Sends a signal to the process groups of all ranks. */
void job_signal(struct job *job, int sig);

/* Its rank by process id; NULL if it is none. */
struct rank *job_find(struct job *job, pid_t pid);
#endif
