/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fault_act.h: what a victim does to itself or to its launcher. The environment
 * says it, so that one program fails under any launcher. Only the rank
 * FAULT_RANK acts:
 *
 *   FAULT_AT     start           before main
 *                place:NAME      where the victim says so (victim.c)
 *                step:OFFSET:N   the Nth entry of the function at this offset
 *                number:N        the Nth entry of any (both: steps.c)
 *                record          nothing; counts entries (steps.c)
 *   FAULT_AFTER  microseconds later, out of a signal's handler
 *   FAULT_DO     kill segv abrt stop: a signal to itself
 *                exit:N _exit:N abort:N (of MPI)
 *                launcher:SIG guard:SIG both:SIG: to FAULT_LAUNCHER, its guard
 *   FAULT_LOG    file of lines: start RANK PID, in RANK (after MPI_Init),
 *                out RANK (before MPI_Finalize), fault RANK NS, exit RANK CODE
 *                NS (by exit or _exit)
 */
#ifndef FAULTS_FAULT_ACT_H
#define FAULTS_FAULT_ACT_H

#include <stdbool.h>

/* Must be called for every place by its name; acts if it is the chosen one. */
void fault_place(const char *name);

/* Logs that the victim has come through MPI_Init ("in") or is about to leave
 * ("out"). */
void fault_say(const char *what);

/* Logs and acts, at once or after FAULT_AFTER. */
void fault_now(void);

/* Returns FAULT_AT if this process is to act and FAULT_AT begins with `kind`,
 * otherwise NULL. */
const char *fault_at(const char *kind);

/* Logs that the fault is injected now. */
void fault_mark(void);

/* Returns this process's rank before any call has told it; -1 if unknown. */
int fault_rank(void);
#endif
