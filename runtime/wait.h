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

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct wait {
	uint32_t idle;	/* polls without an event since the last one */
	uint64_t since; /* ns, when yielding began; 0 before */
};
#define WAIT_INIT {0, 0}

/* Sets the policy, once env is known; both as in struct fab. */
void wait_init(bool crowded, bool metered);

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
 * Waits until *flag, in memory that a peer writes before it notifies, is
 * `least` or more (acquire: whoever stored it with release). Drives progress
 * only once in a while. 0 or a fault.
 */
int wait_flag(const _Atomic uint64_t *flag, uint64_t least);
#endif
