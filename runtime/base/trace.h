/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace.h: writes what this rank does into the file of trace_file.h. An event
 * costs no system call. One thread at a time: the one in a call, which has the
 * lock of the process if there is one. Callers that run for each short message
 * have no test of trace_on on their fast path: proc.h and wait.c lead them to a
 * slow one.
 */
#ifndef BASE_TRACE_H
#define BASE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/trace_file.h"

/* Whether MRT_TRACE is set and the file is open. Events are lost until then. */
extern bool trace_on;

/* Creates the file of this rank in the folder MRT_TRACE; a file that cannot be
 * written is warned of. Does nothing without MRT_TRACE. */
void trace_open(int rank, int size, const char *job, const char *host);
/* Marks the trace as whole if the job has ended well, and closes it. */
void trace_close(bool well);

/* Writes a copy of the event with the time and the thread of the call. */
void trace_put(const struct trace_event *event);
/* Writes an event of no call. */
void trace_write(enum trace_kind kind, int peer, uint64_t bytes,
		 uint32_t number);
/* Write that a public call begins, and that it ends. `call`, a constant that
 * stays where it is, is its name without the prefix. */
void trace_enter(const char *prefix, const char *call);
void trace_leave(void);
/* Completes the last trace_enter. A collective is named by its number on the
 * communicator, which is the same on all ranks. */
void trace_is_message(int peer, uint64_t bytes, uint32_t comm, int tag);
void trace_is_collective(int first, uint64_t bytes, uint32_t comm,
			 uint32_t number);
/* Returns the index of a name. Equal keys have equal names. */
uint16_t trace_name(const void *key, const char *name);
/* Says what the wait under way is for, and which world rank alone can end it
 * (-1: none, or not known). */
void trace_text(const char *text, int needs);
#endif
