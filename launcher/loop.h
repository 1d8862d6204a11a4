/* SPDX-License-Identifier: Apache-2.0 */
/* loop.h: the main loop: calls back when a watched file descriptor is ready.
 * Main thread only. */
#ifndef LAUNCHER_LOOP_H
#define LAUNCHER_LOOP_H

#include <stdbool.h>
#include <stdint.h>

enum { LOOP_READ = 1, LOOP_WRITE = 2 };

struct watch {
	int fd;
	bool added;
	/* May add and remove watches, and may free this watch after removing
	 * it. */
	void (*ready)(struct watch *watch);
};

/* Returns 0, or -1 with errno. */
int loop_init(void);

/*
 * Starts to watch for LOOP_READ or LOOP_WRITE; does nothing if watched already.
 * Returns -1 with errno EPERM for a file that is always ready and cannot be
 * watched.
 */
int loop_add(struct watch *watch, int events);
void loop_remove(struct watch *watch);

/* Waits until a descriptor is ready or timeout_ms is over (-1: no limit), and
 * calls back. */
void loop_once(int timeout_ms);

/* Returns the milliseconds until a deadline of clock_ns, rounded up; -1 for
 * deadline 0 (none). */
int loop_ms_until(uint64_t deadline_ns);
/* Returns the shorter of two times to sleep, where -1 is no limit. */
int loop_shorter(int a_ms, int b_ms);
#endif
