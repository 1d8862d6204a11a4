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
 * Something failed as it does when a peer or the launcher is gone. Which, is
 * told in a moment by the launcher or its absence. code: what it is if nobody
 * says; 0: the error as it came.
 */
void fault_suspect(int code);

/* Before an error is said, or ends the process: waits, if there is a suspicion,
 * for the fault. Returns its code, else that of the suspicion, else `code`. */
int fault_resolve(int code);

/* Settles, and raises MRT_ERR_PEER with this text if nothing is told: what
 * follows from here on must not happen. */
void fault_confirm(const char *text);

/* What was said of the fault; "" without one. */
const char *fault_message(void);

/*
 * Called after a fault is raised, on the thread that raised it: wakes a
 * sleeping rank. One hook; NULL removes it: at return no thread is inside it,
 * nor will be. Not from the hook.
 */
void fault_set_wakeup(void (*wakeup)(void));
#endif
