/* SPDX-License-Identifier: Apache-2.0 */
/* fault.h: faults end a job from outside this rank's own calls: a dead peer, a
 * lost launcher. Any thread that learns of one raises it; every wait checks for
 * it and ends. The first fault wins and stays.
 *
 * All ranks learn of one fault, and a person wants to read of it once: the line
 * about a dead peer or a lost launcher is an error on one rank of each node, on
 * none if the launcher has told of it itself, and of level info elsewhere. */
#ifndef BASE_FAULT_H
#define BASE_FAULT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* MRT_SUCCESS, or the MRT_ERR_* code of the first fault. */
extern atomic_int fault_code;

/* Raises a fault. The text is copied and should name the peer. */
void fault_raise(int code, const char *text);

/* Like fault_raise with a formatted text, truncated at 400 characters. Returns
 * code. */
int fault_raise_text(int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Like fault_raise, for a fault that the launcher has told of itself. */
void fault_raise_told(int code, const char *text);

/* Sets the word, 0 at first, in which the ranks of a node agree on the one that
 * tells of a fault. After NULL this rank tells by itself, and the former word
 * is no longer used. */
void fault_share(_Atomic uint32_t *word);

/* Returns whether this rank is the first of its node to ask this, or to tell of
 * a fault. Async-signal-safe. */
bool fault_claim(void);

/* Logs the fault once per process and returns its code, or 0 without a
 * fault. */
int fault_report(void);

/* Records the suspicion that a call failed because a peer or the launcher is
 * gone. The launcher's message, or the loss of its connection, will tell soon
 * which. `code` is the error to report if neither does; 0 keeps the original
 * one. */
void fault_suspect(int code);

/* Resolves a suspicion before an error is reported or ends the process: waits
 * up to half a second for the fault. Returns the fault's code, else that of the
 * suspicion, else `code`. Returns at once without a suspicion. */
int fault_resolve(int code);

/* Resolves a suspicion and raises MRT_ERR_PEER with this text if no fault came
 * up, for errors after which the job must not go on. */
void fault_confirm(const char *text);

/* Returns the text of the fault, or "" without one. Valid for ever. */
const char *fault_message(void);

/* Sets the hook that wakes a sleeping rank: it is called after a fault is
 * raised, on the thread that raised it. There is one hook; NULL removes it. At
 * return no thread is inside the former hook, nor will be. Must not be called
 * from the hook. */
void fault_set_wakeup(void (*wakeup)(void));
#endif
