/* SPDX-License-Identifier: Apache-2.0 */
/*
 * job_end.h: is a rank's end a failure, and what then. The first failure sets
 * the exit code of the job; the others are told of it and end themselves;
 * who does not is made to.
 */
#ifndef LAUNCHER_JOB_END_H
#define LAUNCHER_JOB_END_H

#include "launcher/guard.h"
#include "launcher/job.h"
#include "launcher/server.h"

/* Takes a message of a rank; an abort is judged later. */
void job_end_message(struct job *job, const struct server_message *message);

/* Collects the ranks that have ended, and says how many; no judgement yet. */
int job_end_reap(struct job *job, const struct guard *guard);

/*
 * Judges those collected and those that called abort. All messages are to be
 * taken that a collected rank sent (it says what it does before it ends), and
 * all ranks collected that ended before a message was sent (it may be what
 * another makes of their death); and failed starts are known.
 */
void job_end_failures(struct job *job);

/* Ranks have waited too long, as text says: a failure of the job, 75. */
void job_end_hang(struct job *job, const char *text);

/* Ends the job without telling ranks why: interrupted, or out of time. Said
 * by the caller. A second call kills at once. */
void job_end_with(struct job *job, int exit_code);

/* Moves the end on when its deadline, or --timeout, has passed. */
void job_end_deadlines(struct job *job);
/* Milliseconds until then; -1: none. */
int job_end_timeout_ms(const struct job *job);
#endif
