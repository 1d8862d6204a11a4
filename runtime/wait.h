/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wait.h: how a blocking call waits: spin, then yield, then sleep; yield at
 * once when the node has more ranks than CPUs. Every wait ends: with the
 * condition, or with the error of a fault (fault.h).
 *
 *	struct wait w = WAIT_INIT;
 *	while (!done)
 *		if ((rc = wait_poll(&w)))
 *			return rc;
 */
#ifndef RUNTIME_WAIT_H
#define RUNTIME_WAIT_H

#include <stdint.h>

struct wait {
	uint32_t idle;	/* polls without an event since the last one */
	uint64_t since; /* ns, when yielding began; 0 before */
};
#define WAIT_INIT {0, 0}

/* Reads the policy: call once after env and job are known. */
void wait_init(int node_ranks, int cpus);

/*
 * One round of progress, and a pause when nothing happened. 0, or the
 * MRT_ERR_* of a fault (logged).
 */
int wait_poll(struct wait *w);

/*
 * One round of progress for a call that does not block. Programs poll by such
 * calls, so after many in succession without an event it yields too: with
 * more ranks than CPUs a poller would keep the CPU, for a whole time slice,
 * from the rank that it polls for. Not at once, as waits do: a program that
 * computes and tests in turn should go on. Returns the number of events.
 */
int wait_test(void);

/*
 * The pause alone, for loops over flags in shared memory that need not drive
 * progress each time: spins or yields; drives progress and may sleep only
 * through wait_poll, which it calls once in a while.
 */
int wait_pause(struct wait *w);
#endif
