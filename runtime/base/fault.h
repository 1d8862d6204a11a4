/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fault.h: what ends a job from outside this rank's own calls: a dead peer, a
 * lost launcher. Whoever learns of one raises it, from any thread; every wait
 * looks at it and ends. The first fault wins and stays.
 */
#ifndef BASE_FAULT_H
#define BASE_FAULT_H

#include <stdatomic.h>

/* MRT_SUCCESS, or the MRT_ERR_* of the first fault. */
extern atomic_int fault_code;

/* Raises a fault. text is copied and names the peer. */
void fault_raise(int code, const char *text);

/* Logs the fault once per process and returns its code; 0 if there is none. */
int fault_report(void);

/* Called after a fault is raised, on the thread that raised it: wakes a
 * sleeping rank. One hook; NULL removes it. */
void fault_set_wakeup(void (*wakeup)(void));
#endif
