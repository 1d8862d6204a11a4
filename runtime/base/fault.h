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

/* The same, formatted; cut at 400 characters. Returns code. */
int fault_raise_text(int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Logs the fault once per process and returns its code; 0 if there is none. */
int fault_report(void);

/*
 * A peer did not answer. Why, the launcher may know better, and say so in a
 * moment: the peer was killed, or left because the launcher itself is gone.
 */
void fault_suspect(void);

/* Before a process ends by an error: waits, if a peer is suspected, for what
 * the launcher says. Returns the fault; MRT_ERR_PEER if it says nothing; 0
 * without a suspicion. */
int fault_settle(void);

/* What was said of the fault; "" without one. */
const char *fault_said(void);

/*
 * Called after a fault is raised, on the thread that raised it: wakes a
 * sleeping rank. One hook; NULL removes it: at return no thread is inside it,
 * nor will be. Not from the hook.
 */
void fault_set_wakeup(void (*wakeup)(void));
#endif
