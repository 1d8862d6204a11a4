/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hang_report.h: reports what the ranks wait for, a line for all that wait
 * alike (runtime/base/hang_group.h): on SIGUSR1, when a rank has waited for
 * MRT_HANG_WARN seconds (again after twice that time), and when SIGINT,
 * --timeout or MRT_HANG_TIMEOUT ends the job. Each rank writes what it waits
 * for into a shared file (runtime/base/hang.h), so stopped and stuck ranks are
 * reported too. Main thread only.
 */
#ifndef LAUNCHER_HANG_REPORT_H
#define LAUNCHER_HANG_REPORT_H

#include <stdbool.h>

#include "launcher/job.h"

struct hang_line; /* hang_group.h */

/* Adds the last events of a rank's trace, if it writes one (hang_trace.c). */
void hang_trace_read(const struct job *job, int rank, struct hang_line *line);
/* Writes the lines of all ranks to the file MRT_HANG_JSON, if that is set. The
 * file appears whole (hang_json.c). */
void hang_json_write(const struct job *job, const struct hang_line *lines);

/* Makes the file in the job's directory. If that fails, nothing is reported. */
void hang_report_init(const struct job *job);
void hang_report_fini(void);

/* Prints what each rank does. */
void hang_report_print(const struct job *job);

/* Returns whether the rank has announced in its record that it leaves the job;
 * the PMIx server need not know yet. */
bool hang_report_left(int rank);

/* Warns or ends the job if a rank has waited too long; does nothing before the
 * next check is due. */
void hang_report_check(struct job *job);
/* Returns the milliseconds until the next check is due; -1 if none is. */
int hang_report_timeout_ms(void);
#endif
