/* SPDX-License-Identifier: Apache-2.0 */
/* yields.c tests when a rank that shares its CPU gives it away (with the
 * linker's --wrap): at each poll while others take it, and seldom while nobody
 * does; and after how many fruitless tests; and that sleeps in a row are one.
 */
#include <sched.h>

#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/wait.h"
#include "tests/tap.h"

enum { WAITS = 1000, POLLS = 20, LONG = 200, TAKEN_NS = 3000 };

static int yields;
static bool taken; /* by another process, for TAKEN_NS */

int __wrap_sched_yield(void);

int __wrap_sched_yield(void)
{
	uint64_t end = clock_ns() + TAKEN_NS;

	yields++;
	while (taken && clock_ns() < end)
		;
	return 0;
}

static int no_progress(struct fab *fab)
{
	(void)fab;
	return 0;
}

/* Returns the yields of some waits for something that comes after n polls. */
static int count(int waits, int n)
{
	int before = yields;

	for (int i = 0; i < waits; i++) {
		WAIT(w, wait_text, "a test");

		for (int k = 0; k < n; k++)
			wait_poll(&w);
	}
	return yields - before;
}

/* Returns the yields of n fruitless tests. */
static int count_tests(int n)
{
	int before = yields;

	for (int k = 0; k < n; k++)
		wait_test();
	return yields - before;
}

static int disarmed;

static void fab_arm(struct fab *fab, const void *flags)
{
	(void)fab, (void)flags;
}

static void fab_disarm(struct fab *fab)
{
	(void)fab;
	disarmed++;
}

static void no_wait(struct fab *fab, unsigned timeout_us)
{
	(void)fab, (void)timeout_us;
}

int main(void)
{
	static const struct fab_ops ops = {.progress = no_progress,
					   .arm = fab_arm,
					   .disarm = fab_disarm,
					   .wait = no_wait};
	struct fab fab = {.ops = &ops};
	int n;

	proc.fab = &fab;
	env.spin = -1;
	env.sleep_us = 60000000; /* never */
	wait_init(true, false, false);
	taken = true;
	n = count(WAITS / 10, POLLS);
	ok(n == WAITS / 10 * POLLS, "others take the CPU: a yield for a poll");
	taken = false;
	n = count(WAITS, POLLS);
	ok(n < WAITS * POLLS / 2, "nobody does: soon no yields in short waits");
	printf("# %d yields in %d polls\n", n, WAITS * POLLS);
	n = count(1, LONG);
	ok(n > 0, "some in long ones");
	taken = true;
	count(1, LONG);
	n = count(WAITS / 10, POLLS);
	ok(n == WAITS / 10 * POLLS,
	   "others take it again: after one long wait");
	n = count_tests(LONG);
	ok(n >= LONG / 32 && n <= LONG / 8,
	   "tests: a yield now and then where ranks share the CPU");
	wait_init(false, false, false);
	n = count_tests(LONG);
	ok(n == 0, "no yields for some tests by a rank with a CPU of its own");
	env.sleep_us = 0;
	env.spin = 0;
	wait_init(true, false, false);
	count(1, LONG);
	is_int(disarmed, 1, "%d sleeps that nobody ends are one", LONG);
	return tap_done();
}
