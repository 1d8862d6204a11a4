/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wait.h: how a blocking call waits: it spins, then yields, then sleeps; it
 * yields at once if the node has more ranks than CPUs. Every wait ends with its
 * condition or with the error of a fault (fault.h).
 *
 * 	WAIT(w, describe, what);
 * 	while (!done)
 * 		if ((rc = wait_poll(&w)))
 * 			return rc;
 */
#ifndef RUNTIME_WAIT_H
#define RUNTIME_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/engine/progress.h"

struct wait {
	uint32_t idle;	/* polls since the last event */
	uint32_t hint;	/* argument of describe */
	uint64_t since; /* ns, start of this yielding; 0: none */
	uint64_t began; /* ns, start of all yielding; 0: none */
	uint64_t noted; /* ns, last note in the hang report, or first sleep */
	/* Writes which call waits and for what: "mrt_recv: a message from rank
	 * 3". Called now and then in long waits. Returns the world rank without
	 * another call of which the wait cannot end; -1 if there is none, or
	 * several would do, or that is not known. */
	int (*describe)(const struct wait *w, char *text, size_t len);
	const void *what;
};
/* Declares a wait whose end is recorded when it goes out of scope. */
#define WAIT(name, fn, of)                                                     \
	struct wait name __attribute__((cleanup(wait_end))) = {                \
	    .describe = (fn), .what = (of)}

/* Slow path of wait_end. */
void wait_unnote(struct wait *w);
static inline void wait_end(struct wait *w)
{
	if (__builtin_expect(w->noted != 0, 0))
		wait_unnote(w);
}

/* A describe function for which `what` is the text; returns -1. */
int wait_text(const struct wait *w, char *text, size_t len);

/* Sets the policy after env_load; crowded and metered as in struct fab.
 * software: the CPUs make the packets for other nodes. */
void wait_init(bool crowded, bool metered, bool software);

/* Makes one round of progress and pauses if nothing happened. Returns 0, or the
 * MRT_ERR_* of a fault (logged). */
int wait_poll(struct wait *w);
/* Like wait_poll, for what another process does within microseconds: makes no
 * progress and does not let other threads in, so that a handler of messages may
 * call it. */
int wait_briefly(struct wait *w);

/* Makes waits and tests that find nothing call `turn`, until the next call, and
 * keeps waits from sleeping; NULL ends that. It runs outside of progress, and
 * may make public calls after proc_leave. */
void wait_drive(void (*turn)(void));

/* Whether polling takes CPU time from other ranks. */
bool wait_is_crowded(void);

/* The three steps of a sleep. wait_arm makes the fabrics wake the rank at the
 * next event, and at the next notify for `flags` (fabric.h) unless NULL; it
 * returns false, with nothing armed, if there has been one.
 * wait_armed sleeps at most `us` and is called without the lock; wait_disarm
 * ends the armed state. */
bool wait_arm(const void *flags);
void wait_armed(unsigned us);
void wait_disarm(void);

/* A bound for a wait: it is over when nothing has happened for quiet_ns, or
 * after most_ns in all. Ask idle_timeout_over after each wait_poll. */
struct idle_timeout {
	uint64_t quiet_ns;
	uint64_t last, end; /* ns: last event; end of the whole */
};
void idle_timeout_begin(struct idle_timeout *p, uint64_t quiet_ns,
			uint64_t most_ns);
bool idle_timeout_over(struct idle_timeout *p, const struct wait *w);

extern uint32_t wait_tests;	 /* consecutive tests without an event */
extern uint32_t wait_tests_most; /* of them before the first yield */
void wait_tested_in_vain(void);

/*
 * Makes one round of progress for a call that does not block; returns the
 * number of events. Programs poll with such calls, so after many in succession
 * without an event it yields: with more ranks than CPUs a poller would keep the
 * CPU for a whole time slice from the rank that it polls for. It does not yield
 * at once as waits do, so that a program that computes and tests in turn keeps
 * running.
 */
static inline int wait_test(void)
{
	int n = progress_poll();

	if (n)
		wait_tests = 0;
	else if (__builtin_expect(++wait_tests > wait_tests_most, 0))
		wait_tested_in_vain();
	return n;
}

/* Waits until *flag >= least, where a peer writes *flag and then notifies for
 * `flags`. The
 * load is an acquire and pairs with the peer's release store. Drives progress
 * only once in a while. Returns 0 or the code of a fault. describe gets what =
 * flag and hint. */
int wait_flag(const _Atomic uint64_t *flag, uint64_t least, const void *flags,
	      int (*describe)(const struct wait *w, char *text, size_t len),
	      uint32_t hint);
/* Like wait_flag, as a part of a wait. */
int wait_for_flag(struct wait *w, const _Atomic uint64_t *flag, uint64_t least,
		  const void *flags);
#endif
