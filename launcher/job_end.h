/* SPDX-License-Identifier: Apache-2.0 */
/*
 * job_end.h: decides whether the end of a rank is a failure, and ends the job.
 * The first failure sets the exit code of the job. The other ranks are told of
 * it and end themselves; those that do not are killed.
 */
#ifndef LAUNCHER_JOB_END_H
#define LAUNCHER_JOB_END_H

#include "launcher/guard.h"
#include "launcher/job.h"
#include "launcher/server.h"

/* Applies a message of a rank. An abort is handled in job_end_failures. */
void job_end_message(struct job *job, const struct server_message *message);

/* Reaps the ranks that have ended and returns their number. Whether an end is a
 * failure is decided in job_end_failures. */
int job_end_reap(struct job *job, const struct guard *guard);

/*
 * Decides whether the ranks that were reaped or called abort have failed.
 * Before the call, all messages that a reaped rank sent must have been applied
 * (a rank sends before it ends); all ranks that ended before a message was sent
 * must have been reaped (the message may be a consequence of their end); and
 * failed starts must be known.
 */
void job_end_failures(struct job *job);

/* Fails the job with exit code 75 because ranks have waited too long; `text`
 * says which. */
void job_end_hang(struct job *job, const char *text);

/* Ends the job on a signal or --timeout, without telling ranks why. The caller
 * has printed the reason. A second call kills the ranks at once. */
void job_end_with(struct job *job, int exit_code);

/* Enters the next stage of ending if the current one, or --timeout, has
 * expired. */
void job_end_deadlines(struct job *job);
/* Returns the milliseconds until then; -1 if there is no deadline. */
int job_end_timeout_ms(const struct job *job);
#endif
