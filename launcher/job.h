/* SPDX-License-Identifier: Apache-2.0 */
/*
 * job.h: the ranks of a job and what is known of each. Plain data that only the
 * main thread writes: spawn.c starts ranks, messages of server.c and waitpid
 * change their state, and job_end.c decides what follows.
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
	int app_num, app_rank;	     /* index of the program, rank within it */
	struct hwloc_bitmap_s *cpus; /* CPUs it may run on */
	bool bound;		     /* cpus is not all usable CPUs */
	pid_t pid;    /* also its process group; 0 before the start */
	bool running; /* started and not reaped */
	bool group;   /* its process group may have members */
	bool connected, finalized; /* as a PMIx client */
	int status;		   /* from waitpid, once reaped */
	bool reaped;		   /* its end has been handled */
	bool aborted; /* called abort, with the code and text below */
	int abort_code;
	char *abort_text;
	int exec_errno; /* why exec failed, or 0 */
};

/* Stages of ending the job. */
enum ending {
	END_NOT_YET,
	END_NOTIFIED,	/* the surviving ranks were told of the failure */
	END_TERMINATED, /* SIGTERM was sent */
	END_KILLED	/* SIGKILL was sent */
};

struct job {
	const struct options *opt;
	char name[256]; /* PMIx namespace, unique on this node */
	char host[128];
	char dir[128]; /* private to the job, removed when it ends */
	int nranks;
	struct rank *ranks; /* [nranks] */
	int running;	    /* ranks with running set */
	int exit_code;
	enum ending ending;
	uint64_t deadline_ns; /* end of the current stage; 0: none */
	uint64_t timeout_ns;  /* when --timeout ends the job; 0: never */
	uint64_t started_ns;
};

/* Makes the ranks of the programs in *opt; a program without -n gets `cores`
 * ranks. Returns 0, or EXIT_RESOURCE after a message. */
int job_init(struct job *job, const struct options *opt, int cores);

/* Makes the job's directory. Returns 0, or EXIT_RESOURCE after a message. */
int job_make_dir(struct job *job);
/* Removes the directory with its contents. Not async-signal-safe. */
void job_remove_dir(const char *dir);

/* Sends a signal to the process groups of all ranks. */
void job_signal(struct job *job, int sig);

/* Returns the rank with this process id, or NULL. */
struct rank *job_find(struct job *job, pid_t pid);
#endif
