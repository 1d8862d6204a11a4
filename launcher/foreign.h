/* SPDX-License-Identifier: Apache-2.0 */
/* foreign.h: programs of other MPI libraries, which mrun starts and which do
 * not find each other. */
#ifndef LAUNCHER_FOREIGN_H
#define LAUNCHER_FOREIGN_H

#include "launcher/job.h"

/* Warns at the end of a job of several ranks if none of them has joined it and
 * the program needs another MPI library. */
void foreign_warn(const struct job *job);
#endif
