/* SPDX-License-Identifier: Apache-2.0 */
/*
 * oom.h: tells whether the kernel has killed processes for lack of memory in
 * mrun's control group, which the ranks share. To waitpid such a death looks
 * like any other SIGKILL.
 */
#ifndef LAUNCHER_OOM_H
#define LAUNCHER_OOM_H

void oom_init(void);

/* Returns the number of processes of the group that the kernel has killed for
 * lack of memory since oom_init; 0 if that is not known. */
long oom_kills(void);
#endif
