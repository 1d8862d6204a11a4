/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wait.c: spin, yield, sleep. A spinning rank that shares its CPU with the
 * one it waits for only burns the other's time: with more ranks than CPUs a
 * flat barrier of 8 ranks on 2 cores takes 2.8 us when it yields at once and
 * 53 us when it polls 1000 times first; so it yields at once. A futex
 * wake-up across cores costs 30 us, so sleep comes last.
 */
#include "runtime/wait.h"

#include <sched.h>
#include <time.h>

#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/fault.h"
#include "runtime/proc.h"
#include "runtime/progress.h"

enum {
	SPIN_DEFAULT = 10000,	   /* polls: some 100 us */
	TESTS_IN_VAIN = 1024,	   /* some 30 us; a tester may have work */
	CLOCK_EVERY = 64,	   /* yields between looks at the clock */
	SLEEP_MAX_US = 10000,
	THREADED_NAP_NS = 50000
};

static uint32_t spin_limit = SPIN_DEFAULT;

void wait_init(int node_ranks, int cpus)
{
	if (env.spin >= 0)
		spin_limit = (uint32_t)env.spin;
	else
		spin_limit = node_ranks > cpus ? 0 : SPIN_DEFAULT;
}

/* The nearest fabric sleeps; the others wake it (fab_sink). */
static void arm_all(void)
{
	for (struct fab *fab = proc.fab; fab; fab = fab->next)
		fab->ops->arm(fab);
}

static void disarm_from(struct fab *fab)
{
	for (; fab; fab = fab->next)
		fab->ops->disarm(fab);
}

/* Sleeps until a fabric rings or a little while has gone. */
static void sleep_a_little(struct wait *w, uint64_t slept_ns)
{
	struct fab *fab = proc.fab;
	uint64_t us = slept_ns / 8000;

	if (proc.locked) {
		/* another thread may take our message, and would not ring */
		struct timespec nap = {0, THREADED_NAP_NS};

		proc_unlock();
		nanosleep(&nap, NULL);
		proc_lock();
		return;
	}
	arm_all();
	if (progress_poll() || atomic_load_explicit(&fault_code,
						    memory_order_relaxed)) {
		disarm_from(fab);
		w->idle = 0;
		w->since = 0;
		return;
	}
	fab->ops->wait(fab, us < SLEEP_MAX_US ? (unsigned)us + 100
					      : SLEEP_MAX_US);
	disarm_from(fab->next);
}

static void yield(void)
{
	if (proc.locked)
		proc_unlock();
	sched_yield();
	if (proc.locked)
		proc_lock();
}

/* After the spinning. */
static void idle(struct wait *w)
{
	uint64_t now;

	yield();
	if (w->idle % CLOCK_EVERY && w->since)
		return;
	now = clock_ns();
	if (!w->since)
		w->since = now;
	else if (now - w->since > (uint64_t)env.sleep_us * 1000)
		sleep_a_little(w, now - w->since);
}

int wait_poll(struct wait *w)
{
	if (progress_poll()) {
		w->idle = 0;
		w->since = 0;
		return progress_fault();
	}
	if (++w->idle > spin_limit)
		idle(w);
	else if (proc.locked && w->idle % CLOCK_EVERY == 0)
		yield();
	return progress_fault();
}

int wait_test(void)
{
	static uint32_t in_vain;
	int n = progress_poll();

	if (n)
		in_vain = 0;
	else if (++in_vain > TESTS_IN_VAIN && in_vain > spin_limit)
		yield();
	return n;
}

int wait_pause(struct wait *w)
{
	if (++w->idle > spin_limit || w->idle % CLOCK_EVERY == 0) {
		if (w->idle % CLOCK_EVERY == 0)
			progress_poll();
		if (w->idle > spin_limit)
			idle(w);
		else if (proc.locked)
			yield();
	} else {
		cpu_relax();
	}
	return progress_fault();
}
