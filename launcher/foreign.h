/* SPDX-License-Identifier: Apache-2.0 */
/* foreign.h: programs of other MPI libraries, which mrun starts and which do
 * not find each other. */
#ifndef LAUNCHER_FOREIGN_H
#define LAUNCHER_FOREIGN_H

#include "launcher/job.h"

/* Says at the end of a job of several ranks, none of which has joined it, that
 * its program needs another MPI library, if it does. */
void foreign_warn(const struct job *job);
#endif
