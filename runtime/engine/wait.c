/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wait.c: spins, yields, sleeps. A spinning rank that shares its CPU with the
 * one it waits for only takes the other's time: with more ranks than CPUs a
 * flat barrier of 8 ranks on 2 cores takes 2.8 us if it yields at once and 53
 * us if it polls 1000 times first; so it yields at once. A futex wake-up across
 * cores costs 30 us, so sleeping comes last.
 *
 * Under a CPU quota ranks with CPUs of their own spin too, as a yield gives the
 * time to nobody: two ranks with the time of one CPU take 0.1 us for a barrier
 * by spinning and 0.65 us by yielding. But they sleep as soon as they have
 * waited longer than a wake-up takes: if in turn one rank computes 2 ms and the
 * other 0.2 ms, both become a third faster.
 *
 * Ranks that yield also take the CPU from the packets of another node, if CPUs
 * make them, and these take hundreds of microseconds. Two ranks, each with a
 * virtual machine of one CPU, take 0.75 ms for a barrier if they sleep after a
 * millisecond, and 0.45 ms if they sleep at once.
 */
#include "runtime/engine/wait.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/fault.h"
#include "runtime/base/hang.h"
#include "runtime/base/trace.h"
#include "runtime/engine/outer.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/progress.h"

enum {
	SPIN_DEFAULT = 10000, /* polls; some 100 us */
	/* fruitless tests between two yields of a rank that shares its CPU: a
	 * microsecond, less than a yield takes, so that a program that works
	 * for each test loses little */
	CROWDED_TESTS = 16,
	/* yields between readings of the clock, each of which takes a tenth of
	 * a yield; on a machine with many processes a yield takes
	 * milliseconds */
	CLOCK_EVERY = 8,
	/* Polls of a flag between those of all else; by a rank that has its CPU
	 * for itself later fewer, and none until LIVELY polls after an event,
	 * since peers have something done, such as one-sided copies. On a CPU
	 * that ranks share the others make progress, too. */
	PROGRESS_EVERY = 64,
	PROGRESS_LATER = 8,
	LIVELY = 256,
	/* A yield of less is one that no other process has taken: without one
	 * it takes 400 ns, with one 2300. From then on, polls between yields;
	 * until then, waits between two that are timed, since that takes a
	 * twentieth of a barrier of four ranks. */
	ALONE_NS = 800,
	ALONE_POLLS = 64,
	JUDGE_EVERY = 64,
	SLEEP_NS = 1000000,
	STOP_NOTES = 20,
	METERED_SPIN = 4000,
	METERED_NS = 30000,
	SOFTWARE_NS = 50000,
	SLEEP_MAX_US = 50000,
	THREADED_NAP_NS = 50000,
	/* polls, and yields, until a trace says what a wait is for */
	TRACED_POLLS = 64,
	TRACED_YIELDS = 2
};

uint32_t wait_tests, wait_tests_most;
static uint32_t spin_limit;
static void (*driven)(void); /* NULL: none */
/* Polls before wait_idle is called: spin_limit, or 0 in a trace, which has
 * every wait, and while something is driven. */
static uint32_t plain_polls;
static uint64_t sleep_ns;
/* A wait has left its sleep armed, until an event or its end. */
static bool armed;

void wait_drive(void (*turn)(void))
{
	driven = turn;
	plain_polls = trace_on || driven ? 0 : spin_limit;
	wait_tests_most = driven ? 0 : spin_limit ?: CROWDED_TESTS;
}

void wait_init(bool crowded, bool metered, bool software)
{
	spin_limit = SPIN_DEFAULT;
	sleep_ns = SLEEP_NS;
	if (crowded) {
		spin_limit = 0;
	} else if (metered) {
		spin_limit = METERED_SPIN;
		sleep_ns = METERED_NS;
	}
	if (software)
		sleep_ns = SOFTWARE_NS;
	if (env.spin >= 0)
		spin_limit = (uint32_t)env.spin;
	if (env.sleep_us >= 0)
		sleep_ns = (uint64_t)env.sleep_us * 1000;
	wait_drive(NULL);
}

bool wait_is_crowded(void)
{
	return spin_limit == 0;
}

bool wait_arm(const void *flags)
{
	int moved;

	for (struct fab *fab = proc.fab; fab; fab = fab->next)
		fab->ops->arm(fab, flags);
	/* armed: a later change would wake us */
	progress_thorough = true;
	moved = progress_poll();
	progress_thorough = false;
	if (!moved && !atomic_load_explicit(&fault_code, memory_order_relaxed))
		return true;
	wait_disarm();
	return false;
}

/* The first fabric sleeps; the others wake it (fab_sink). */
void wait_armed(unsigned us)
{
	proc.fab->ops->wait(proc.fab, us);
}

void wait_disarm(void)
{
	armed = false;
	for (struct fab *fab = proc.fab; fab; fab = fab->next)
		fab->ops->disarm(fab);
}

/* A flag in shared memory and the value to wait for. */
struct target {
	const _Atomic uint64_t *flag; /* NULL: only events of progress */
	uint64_t least;
	const void *flags; /* with which the peer that stores it notifies */
};

static inline bool wait_reached(const struct target *target)
{
	/* acquire: pairs with the release of the peer that stores the flag */
	return target->flag &&
	       atomic_load_explicit(target->flag, memory_order_acquire) >=
		   target->least;
}

/* Sleeps until a fabric wakes the rank or a short time has passed. It stays
 * armed, so that the next sleep, if nothing has happened, does not interrupt
 * the ranks that compute (sm_wait.c). */
static void sleep_armed(struct wait *w, uint64_t slept_ns,
			const struct target *target)
{
	uint64_t us = slept_ns / 8000;

	if (proc.locked) {
		/* another thread may receive our message without waking us */
		struct timespec nap = {0, THREADED_NAP_NS};

		proc_unlock();
		nanosleep(&nap, NULL);
		proc_lock();
		return;
	}
	if (!wait_arm(target->flags) || wait_reached(target)) {
		wait_disarm();
		w->idle = 0;
		w->since = 0;
		return;
	}
	us = us < SLEEP_MAX_US ? us + 100 : SLEEP_MAX_US;
	armed = true;
	if (!w->noted) /* wait_end looks */
		w->noted = w->began;
	wait_armed((unsigned)us);
	/* nobody has woken it: one look, and it sleeps again */
	if (clock_ns() - w->since >= slept_ns + us * 1000)
		w->idle |= CLOCK_EVERY - 1;
}

static void wait_yield(void)
{
	if (proc.locked)
		proc_unlock();
	sched_yield();
	if (proc.locked)
		proc_lock();
}

int wait_text(const struct wait *w, char *text, size_t len)
{
	snprintf(text, len, "%s", (const char *)w->what);
	return -1;
}

static void check_peers(void)
{
	if (proc.node)
		proc.node->ops->check_peers(proc.node);
}

/* Updates the hang report and checks the peers. */
static __attribute__((noinline)) void report(struct wait *w, uint64_t now)
{
	const uint64_t stop = STOP_NOTES * HANG_NOTE_MS * 1000000ull;
	char text[200];
	int needs;
	size_t n;

	/* after so long without a note the job was stopped and did not wait */
	if (w->noted && now - w->noted > stop)
		w->began += now - w->noted;
	w->noted = now;
	needs = w->describe(w, text, sizeof(text));
	n = strlen(text);
	if (outer_call)
		snprintf(text + n, sizeof(text) - n, " (in %s)", outer_call);
	hang_note(text, needs, w->began, now);
	check_peers();
}

static void wait_note(struct wait *w, uint64_t now)
{
	const uint64_t note_ns = HANG_NOTE_MS * 1000000u;

	if (now - w->began > note_ns && now - w->noted > note_ns)
		report(w, now);
}

void wait_unnote(struct wait *w)
{
	w->noted = 0;
	if (armed)
		wait_disarm();
	hang_clear(w->began, true);
	trace_write(TRACE_WOKEN, -1, 0, 0);
}

/* Pauses while the rank spins. */
static void wait_spin(const struct wait *w)
{
	if (proc.locked && w->idle % PROGRESS_EVERY == 0)
		wait_yield();
}

/* Traces the beginning of a wait, and a little later what it is for. */
static void trace_wait(struct wait *w)
{
	char text[200];
	int needs;

	if (!w->noted) {
		w->noted = clock_ns();
		if (!w->began)
			w->began = w->noted;
		trace_write(TRACE_WAIT, -1, 0, 0);
	} else if (w->idle == (spin_limit ? TRACED_POLLS : TRACED_YIELDS)) {
		needs = w->describe(w, text, sizeof(text));
		trace_text(text, needs);
	}
}

/* Yields. On a CPU that ranks share, where no other rank has wanted it the last
 * time, polls go on for a while first: a yield takes as long as a message from
 * another CPU. Returns whether it has yielded. */
static bool yield_shared(const struct wait *w)
{
	static bool alone;
	static uint32_t waits;
	uint64_t began;
	bool judge;

	if (alone && w->idle % ALONE_POLLS) {
		cpu_relax();
		return false;
	}
	judge = alone ||
		(!spin_limit && w->idle == 1 && ++waits % JUDGE_EVERY == 0);
	began = judge ? clock_ns() : 0;
	wait_yield();
	if (judge)
		alone = clock_ns() - began < ALONE_NS;
	return true;
}

/* Pauses after plain_polls. */
static void wait_idle(struct wait *w, const struct target *target)
{
	uint64_t now;

	if (trace_on)
		trace_wait(w);
	if (driven)
		driven();
	if (w->idle <= spin_limit) {
		wait_spin(w);
		return;
	}
	if (!yield_shared(w) || (w->idle % CLOCK_EVERY && sleep_ns))
		return;
	now = clock_ns();
	if (!w->began)
		w->began = now;
	if (!w->since)
		w->since = now;
	else if (now - w->since > sleep_ns && !driven && !wait_reached(target))
		sleep_armed(w, now - w->since, target);
	wait_note(w, now);
}

int wait_poll(struct wait *w)
{
	static const struct target none;

	if (progress_poll()) {
		w->idle = 0;
		w->since = 0;
		wait_end(w);
		return progress_fault();
	}
	if (++w->idle > plain_polls)
		wait_idle(w, &none);
	else
		wait_spin(w);
	return progress_fault();
}

int wait_briefly(struct wait *w)
{
	uint64_t now;

	if (++w->idle % CLOCK_EVERY) {
		cpu_relax();
		return progress_fault();
	}
	sched_yield();
	now = clock_ns();
	if (!w->began)
		w->began = now;
	wait_note(w, now);
	return progress_fault();
}

void idle_timeout_begin(struct idle_timeout *p, uint64_t quiet_ns,
			uint64_t most_ns)
{
	p->quiet_ns = quiet_ns;
	p->last = clock_ns();
	p->end = p->last + most_ns;
}

bool idle_timeout_over(struct idle_timeout *p, const struct wait *w)
{
	uint64_t now = clock_ns();

	if (!w->idle)
		p->last = now;
	return now > p->end || now - p->last > p->quiet_ns;
}

/* The next yield comes only after as many tests again. Otherwise a program that
 * does a little work for each test would slow down by a yield per test, send
 * less, and so keep the rank at the other end in the same state. */
void wait_tested_in_vain(void)
{
	static uint64_t checked;
	uint64_t now;

	if (driven)
		driven();
	if (wait_tests <= (spin_limit ?: CROWDED_TESTS))
		return;
	wait_yield();
	now = clock_ns();
	if (now - checked > HANG_NOTE_MS * 1000000u) {
		checked = now;
		check_peers();
	}
	wait_tests = 0;
}

/* Makes progress now and then while a flag is waited for. */
static void progress_sometimes(uint32_t polls)
{
	static uint32_t lively;
	bool later = spin_limit && polls > PROGRESS_EVERY;

	if (lively)
		lively--;
	else if (polls % (later ? PROGRESS_LATER : PROGRESS_EVERY))
		return;
	if (progress_poll() && spin_limit)
		lively = LIVELY;
}

static void pause_once(struct wait *w, const struct target *target)
{
	progress_sometimes(++w->idle);
	if (w->idle > plain_polls)
		wait_idle(w, target);
	else if (proc.locked && w->idle % PROGRESS_EVERY == 0)
		wait_yield();
	else
		cpu_relax();
}

int wait_for_flag(struct wait *w, const _Atomic uint64_t *flag, uint64_t least,
		  const void *flags)
{
	const struct target target = {flag, least, flags};
	int rc = 0;

	while (!rc && !wait_reached(&target)) {
		pause_once(w, &target);
		rc = progress_fault();
	}
	return rc;
}

int wait_flag(const _Atomic uint64_t *flag, uint64_t least, const void *flags,
	      int (*describe)(const struct wait *w, char *text, size_t len),
	      uint32_t hint)
{
	struct wait w = {.describe = describe,
			 .what = (const void *)(uintptr_t)flag,
			 .hint = hint};
	int rc = wait_for_flag(&w, flag, least, flags);

	wait_end(&w);
	return rc;
}
