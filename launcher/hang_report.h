/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hang_report.h: who waits for whom, a line a rank: asked for by SIGUSR1, or
 * when a rank has waited for MRT_HANG_WARN seconds (again after twice the
 * time); after MRT_HANG_TIMEOUT the job is ended. The ranks write what they
 * wait for into a file (runtime/base/hang.h), so those that are stopped or
 * stuck are told of too. Main thread only.
 */
#ifndef LAUNCHER_HANG_REPORT_H
#define LAUNCHER_HANG_REPORT_H

#include <stdbool.h>

#include "launcher/job.h"

/* Makes the file in the job's directory. Without one nothing is reported. */
void hang_report_init(const struct job *job);
void hang_report_fini(void);

/* A line for each rank. */
void hang_report_print(const struct job *job);

/* Has the rank said that it leaves? It need not have told the server. */
bool hang_report_left(int rank);

/* Looks whether a rank has waited too long, if it is time to. */
void hang_report_look(struct job *job);
/* Milliseconds until it is; -1: never. */
int hang_report_timeout_ms(void);
#endif
