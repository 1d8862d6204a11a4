/* SPDX-License-Identifier: Apache-2.0 */
/* progress_thread.c: makes progress while the application computes. */
#include "runtime/engine/progress_thread.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/progress.h"
#include "runtime/engine/wait.h"

enum {
	AFTER_CALL_US = 100, /* in which another call may follow */
	SPIN = 256,	     /* polls without an event before a sleep */
	HOOKED_US = 1000,    /* longest sleep while a hook wants polls */
	SLEEP_US = 100000    /* longest sleep */
};

/* All but id is accessed under the lock. */
static struct {
	pthread_t id;
	bool running, stop;
	bool stands_back; /* until the application's calls have ended */
	bool asleep;	  /* in the first fabric */
} thread;

/* Sleeps with the lock released, until the calls under way have ended, or, if
 * there are none, for as long as the next one may take to follow. */
static void stand_back(void)
{
	thread.stands_back = proc.inside;
	proc_lock_wait(thread.stands_back ? 0 : AFTER_CALL_US);
	thread.stands_back = false;
}

static void sleep_armed(void)
{
	unsigned us = progress_has_hooks() ? HOOKED_US : SLEEP_US;

	if (!wait_arm(NULL))
		return;
	thread.asleep = true;
	proc_unlock();
	wait_armed(us);
	proc_lock();
	thread.asleep = false;
	wait_disarm();
}

static void *progress_thread_run(void *unused)
{
	uint32_t seen = proc.calls - 1;
	unsigned idle = 0;

	(void)unused;
	proc_lock();
	while (!thread.stop && !fault_code) {
		if (proc.inside || proc.calls != seen) {
			seen = proc.calls;
			idle = 0;
			stand_back();
		} else if (progress_poll()) {
			idle = 0;
			proc_give_way();
		} else if (++idle < SPIN && !wait_is_crowded()) {
			proc_give_way();
		} else {
			idle = 0;
			sleep_armed();
		}
	}
	proc_unlock();
	return NULL;
}

void progress_thread_resume(void)
{
	if (thread.stands_back)
		proc_lock_signal();
	else if (thread.asleep && progress_has_hooks())
		proc.fab->ops->wake(proc.fab);
}

int progress_thread_start(void)
{
	sigset_t all, before;
	int err;

	thread.stop = false; /* as an earlier start left it */
	/* signals belong to the application */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&thread.id, NULL, progress_thread_run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		return log_error(error_from_errno(err), "progress thread: %s",
				 strerror(err));
	pthread_setname_np(thread.id, "mrt-progress");
	thread.running = proc.threaded = true;
	return 0;
}

void progress_thread_stop(void)
{
	if (!thread.running)
		return;
	proc_lock();
	thread.stop = true;
	proc_lock_signal();
	if (thread.asleep)
		proc.fab->ops->wake(proc.fab);
	proc_unlock();
	pthread_join(thread.id, NULL);
	thread.running = proc.threaded = false;
}
