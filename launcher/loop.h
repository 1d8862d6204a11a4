/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loop.h: the main loop: calls back whoever watches a file descriptor that
 * has become ready. Main thread only.
 */
#ifndef LAUNCHER_LOOP_H
#define LAUNCHER_LOOP_H

#include <stdbool.h>

enum { LOOP_READ = 1, LOOP_WRITE = 2 };

struct watch {
	int fd;
	bool added;
	/* May add and remove watches, and free this one after removing it. */
	void (*ready)(struct watch *watch);
};

/* 0, or -1 with errno. */
int loop_init(void);

/*
 * Begins to watch for LOOP_READ or LOOP_WRITE; adding twice is harmless. -1
 * with errno EPERM: a file that is always ready and cannot be watched.
 */
int loop_add(struct watch *watch, int events);
void loop_remove(struct watch *watch);

/* Waits until something is ready or timeout_ms is over (-1: never) and calls
 * back. */
void loop_once(int timeout_ms);
#endif
