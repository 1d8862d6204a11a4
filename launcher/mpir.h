/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpir.h: what debuggers read in mrun to find the ranks (the MPI Forum's
 * "MPIR Process Acquisition Interface", 1.0). They know these names, which mrun
 * exports, so that strip leaves them. Main thread only.
 */
#ifndef LAUNCHER_MPIR_H
#define LAUNCHER_MPIR_H

#include <stdbool.h>
#include <sys/types.h>

#include "launcher/job.h"

/* Returns whether a debugger has asked mrun to hold the ranks before main. */
bool mpir_holds(void);

/* Leaves a child that called ptrace(PTRACE_TRACEME) before its exec stopped at
 * the first instruction of its program. Blocks until the exec. */
void mpir_hold(pid_t pid);

/* Shows the ranks, which have all been started, to the debugger, and lets them
 * go when it continues mrun. */
void mpir_spawned(struct job *job);

/* Tells the debugger why the job is about to be ended. */
void mpir_aborting(const char *why);
#endif
