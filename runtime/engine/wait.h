/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wait.h: how a blocking call waits: spin, then yield, then sleep; yield at
 * once when the node has more ranks than CPUs. Every wait ends: with the
 * condition, or with the error of a fault (fault.h).
 *
 *	WAIT(w, describe, what);
 *	while (!done)
 *		if ((rc = wait_poll(&w)))
 *			return rc;
 */
#ifndef RUNTIME_WAIT_H
#define RUNTIME_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/engine/progress.h"

struct wait {
	uint32_t idle;	/* polls without an event since the last one */
	uint32_t hint;	/* for describe */
	uint64_t since; /* ns, when yielding began; 0 before */
	uint64_t began; /* the same of the whole wait */
	uint64_t noted; /* when the hang report was told; 0: it is not */
	/* Says in which call this is a wait, and for what: "mrt_recv: a
	 * message from rank 3". Called now and then in long waits. */
	void (*describe)(const struct wait *w, char *text, size_t len);
	const void *what;
};
/* Declares one, whose end is noted when it goes out of scope. */
#define WAIT(name, fn, of)                                                     \
	struct wait name __attribute__((cleanup(wait_end))) = {                \
	    .describe = (fn), .what = (of)}

/* The slow part of wait_end. */
void wait_unnote(struct wait *w);
static inline void wait_end(struct wait *w)
{
	if (__builtin_expect(w->noted != 0, 0))
		wait_unnote(w);
}

/* A describe: *what is the text. */
void wait_text(const struct wait *w, char *text, size_t len);

/* Sets the policy, once env is known; both as in struct fab. */
void wait_init(bool crowded, bool metered);

/*
 * One round of progress, and a pause when nothing happened. 0, or the
 * MRT_ERR_* of a fault (logged).
 */
int wait_poll(struct wait *w);

/*
 * For who may not wait for ever: until nothing has happened for quiet_ns, or
 * most_ns are over in all. idle_timeout_over is asked after each wait_poll.
 */
struct idle_timeout {
	uint64_t quiet_ns;
	uint64_t last, end; /* the last event, and the end (clock_ns) */
};
void idle_timeout_begin(struct idle_timeout *p, uint64_t quiet_ns,
			uint64_t most_ns);
bool idle_timeout_over(struct idle_timeout *p, const struct wait *w);

enum { WAIT_TESTS = 1024 }; /* some 30 us; a tester may have work */
extern uint32_t wait_tests; /* in succession, in vain */
void wait_tested_in_vain(void);

/*
 * One round of progress for a call that does not block. Programs poll by such
 * calls, so after many in succession without an event it yields too: with
 * more ranks than CPUs a poller would keep the CPU, for a whole time slice,
 * from the rank that it polls for. Not at once, as waits do: a program that
 * computes and tests in turn should go on. Returns the number of events.
 */
static inline int wait_test(void)
{
	int n = progress_poll();

	if (n)
		wait_tests = 0;
	else if (__builtin_expect(++wait_tests > WAIT_TESTS, 0))
		wait_tested_in_vain();
	return n;
}

/*
 * Waits until *flag, in memory that a peer writes before it notifies, is
 * `least` or more (acquire: whoever stored it with release). Drives progress
 * only once in a while. 0 or a fault. describe: what = flag, and hint.
 */
int wait_flag(const _Atomic uint64_t *flag, uint64_t least,
	      void (*describe)(const struct wait *w, char *text, size_t len),
	      uint32_t hint);
#endif
