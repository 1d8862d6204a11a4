/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpir.c: the table of ranks for debuggers. A debugger that starts mrun sets
 * MPIR_being_debugged and breaks at MPIR_Breakpoint; one that attaches later
 * finds the table filled. Ranks are held as srun holds its tasks: traced for
 * the time of their exec, which stops them, then left to SIGSTOP.
 */

#include "launcher/mpir.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

enum { MPIR_NULL, MPIR_DEBUG_SPAWNED, MPIR_DEBUG_ABORTING };

typedef struct {
	char *host_name;
	char *executable_name;
	int pid;
} MPIR_PROCDESC;

#pragma GCC visibility push(default)
void MPIR_Breakpoint(void);
extern MPIR_PROCDESC *MPIR_proctable;
extern int MPIR_proctable_size;
extern volatile int MPIR_being_debugged;
extern volatile int MPIR_debug_state;
extern char *MPIR_debug_abort_string;
extern int MPIR_i_am_starter;
extern int MPIR_partial_attach_ok;
extern int MPIR_acquired_pre_main;

MPIR_PROCDESC *MPIR_proctable;
int MPIR_proctable_size;
volatile int MPIR_being_debugged;
volatile int MPIR_debug_state = MPIR_NULL;
char *MPIR_debug_abort_string;
/* These are there to be there: mrun is no rank, ranks that no debugger has
 * attached to are let go, too, and none has entered main. */
int MPIR_i_am_starter = 1;
int MPIR_partial_attach_ok = 1;
int MPIR_acquired_pre_main = 1;

/* The empty statement keeps the compiler from removing calls. */
__attribute__((noinline)) void MPIR_Breakpoint(void)
{
	__asm__ volatile("" ::: "memory");
}
#pragma GCC visibility pop

bool mpir_holds(void)
{
	return MPIR_being_debugged != 0;
}

void mpir_hold(pid_t pid)
{
	siginfo_t info = {0};

	/* a child whose exec failed is reaped with the others */
	if (!waitid(P_PID, (id_t)pid, &info, WSTOPPED | WEXITED | WNOWAIT) &&
	    info.si_code == CLD_TRAPPED)
		ptrace(PTRACE_DETACH, pid, NULL, (void *)SIGSTOP);
}

/* Returns the absolute path of a program (heap), NULL if there is no memory. */
static char *absolute_path(const struct app *app)
{
	char path[8192], *whole;

	snprintf(path, sizeof(path), "%s%s%s",
		 app->wdir && *app->path != '/' ? app->wdir : "",
		 app->wdir && *app->path != '/' ? "/" : "", app->path);
	whole = realpath(path, NULL);
	return whole ? whole : strdup(path);
}

/* Makes the table, which stays until mrun exits. */
static void fill_table(struct job *job)
{
	MPIR_PROCDESC *table = calloc((size_t)job->nranks, sizeof(*table));

	if (!table)
		return;
	for (int r = 0; r < job->nranks; r++) {
		const struct app *app = job->ranks[r].app;

		table[r].host_name = job->host;
		table[r].executable_name = r > 0 && app == job->ranks[r - 1].app
					       ? table[r - 1].executable_name
					       : absolute_path(app);
		table[r].pid = (int)job->ranks[r].pid;
	}
	MPIR_proctable = table;
	MPIR_proctable_size = job->nranks;
}

void mpir_spawned(struct job *job)
{
	fill_table(job);
	MPIR_debug_state = MPIR_DEBUG_SPAWNED;
	MPIR_Breakpoint();
	if (mpir_holds())
		job_signal(job, SIGCONT);
}

void mpir_aborting(const char *why)
{
	free(MPIR_debug_abort_string);
	MPIR_debug_abort_string = strdup(why);
	MPIR_debug_state = MPIR_DEBUG_ABORTING;
	MPIR_Breakpoint();
}
