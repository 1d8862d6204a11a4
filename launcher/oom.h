/* SPDX-License-Identifier: Apache-2.0 */
/* oom.h: whether memory has run out in mrun's control group, where its ranks
 * are too: they are killed then as by anyone. */
#ifndef LAUNCHER_OOM_H
#define LAUNCHER_OOM_H

void oom_init(void);

/* Processes of the group that the kernel has killed for want of memory since
 * oom_init; 0 where it does not tell. */
long oom_kills(void);
#endif
