/* SPDX-License-Identifier: Apache-2.0 */
/*
 * judge.h: is a rank's end a failure, and what then. The first failure sets
 * the exit code of the job; the others are told of it and end themselves;
 * who does not is made to.
 */
#ifndef LAUNCHER_JUDGE_H
#define LAUNCHER_JUDGE_H

#include "launcher/guard.h"
#include "launcher/job.h"
#include "launcher/server.h"

/* Takes a message of a rank; an abort is judged later. */
void judge_message(struct job *job, const struct server_message *message);

/* Collects the ranks that have ended; no judgement yet. */
void judge_reap(struct job *job, const struct guard *guard);

/*
 * Judges those collected and those that called abort. Ranks are to be reaped
 * before (a death is older than what others make of it), then messages and
 * failed starts taken (a rank says what it does before it ends).
 */
void judge_failures(struct job *job);

/* Ranks have waited too long, as text says: a failure of the job, 75. */
void judge_hang(struct job *job, const char *text);

/* Ends the job without telling ranks why: interrupted, or out of time. Said
 * by the caller. A second call kills at once. */
void judge_end(struct job *job, int exit_code);

/* Moves the end on when its deadline, or --timeout, has passed. */
void judge_deadlines(struct job *job);
/* Milliseconds until then; -1: none. */
int judge_timeout_ms(const struct job *job);
#endif
