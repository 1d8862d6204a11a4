/* SPDX-License-Identifier: Apache-2.0 */
/* boot_pmix.c: the PMIx client. Fences collect data and cover the wildcard
 * rank; other fences are broken in Slurm 22.05. */
#include <errno.h>
#include <fcntl.h>
#include <pmix.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot_describe.h"
#include "runtime/boot/boot_events.h"
#include "runtime/boot/boot_fetch.h"
#include "runtime/boot/boot_way.h"

static pmix_proc_t self, everyone;
static bool put; /* something that the next fence has to publish */
/* The epoll descriptor in which PMIx's thread sleeps, or -1: not known. */
static int pmix_epoll = -1;

/* The answer of a callback, for which the main thread waits. Static, because a
 * late callback after a time-out must find it. */
static struct answer {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	unsigned asked, answered;
	pmix_status_t status;
} answer = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void answer_arrived(pmix_status_t status, void *arg)
{
	pthread_mutex_lock(&answer.lock);
	/* an answer after its time-out does not count */
	if ((unsigned)(uintptr_t)arg == answer.asked) {
		answer.answered = answer.asked;
		answer.status = status;
		pthread_cond_signal(&answer.cond);
	}
	pthread_mutex_unlock(&answer.lock);
}

static void *answer_expect(void)
{
	unsigned n;

	pthread_mutex_lock(&answer.lock);
	n = ++answer.asked;
	pthread_mutex_unlock(&answer.lock);
	return (void *)(uintptr_t)n;
}

/* Waits for the answer, as boot_fence_look allows. */
static int answer_wait(struct boot_fence *f, pmix_status_t *status)
{
	struct timespec until;
	int rc = 0;

	pthread_mutex_lock(&answer.lock);
	while (answer.answered != answer.asked && !rc) {
		bool in_vain;

		until = clock_in(CLOCK_MONOTONIC, 100000000);
		in_vain = pthread_cond_timedwait(&answer.cond, &answer.lock,
						 &until) == ETIMEDOUT;
		pthread_mutex_unlock(&answer.lock);
		rc = boot_fence_look(f, in_vain);
		pthread_mutex_lock(&answer.lock);
	}
	*status = answer.status;
	pthread_mutex_unlock(&answer.lock);
	return rc;
}

static int cannot_join(pmix_status_t rc)
{
	/* others may have taken what limits_check found before PMIx_Init */
	int limited = limits_check();
	const char *why =
	    rc == PMIX_ERR_UNREACH ? " (is this rank of another user than the "
				     "launcher, or in a network without its "
				     "interfaces?)"
	    : rc == PMIX_ERROR	   ? " (does a limit keep it from starting a "
				     "thread? ulimit -u, ulimit -v)"
				   : "";

	return limited
		   ? limited
		   : log_error(MRT_ERR_SERVICE,
			       "cannot join the job of the launcher: PMIx "
			       "says %s%s; unset PMIX_NAMESPACE to run alone",
			       PMIx_Error_string(rc), why);
}

/* Programs that become daemons close all descriptors, and PMIx's thread sleeps
 * for ever in one that is closed. */
static bool is_epoll(int fd)
{
	static const char want[] = "anon_inode:[eventpoll]";
	char path[32], is[sizeof(want)];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return readlink(path, is, sizeof(is)) == sizeof(want) - 1 &&
	       !memcmp(is, want, sizeof(want) - 1);
}

static const char *pmix_offer(void)
{
	return getenv("PMIX_NAMESPACE");
}

static int pmix_join(void)
{
	pthread_condattr_t attr;
	int rc, first;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&answer.cond, &attr);
	pthread_condattr_destroy(&attr);

	/* PMIx would withhold the loss of the server for a second, to see what
	 * else is lost at the same time */
	setenv("PMIX_MCA_pmix_event_caching_window", "0", 0);
	if ((rc = limits_check()))
		return rc;
	first = open("/dev/null", O_RDONLY | O_CLOEXEC);
	close(first);
	rc = PMIx_Init(&self, NULL, 0);
	if (rc != PMIX_SUCCESS)
		return cannot_join(rc);
	pmix_epoll = is_epoll(first) ? first : -1;
	PMIX_PROC_LOAD(&everyone, self.nspace, PMIX_RANK_WILDCARD);
	boot_events_start();
	return 0;
}

static int pmix_describe(struct boot_job *job)
{
	return boot_describe(&self, job);
}

static int pmix_put(const char *key, const void *sealed, size_t len)
{
	pmix_value_t v = {.type = PMIX_BYTE_OBJECT,
			  .data.bo = {(char *)sealed, len}};
	pmix_status_t rc = PMIx_Put(PMIX_GLOBAL, key, &v);

	put = put || rc == PMIX_SUCCESS;
	return rc == PMIX_SUCCESS
		   ? 0
		   : log_error(MRT_ERR_SERVICE, "cannot publish %s: %s", key,
			       PMIx_Error_string(rc));
}

static pmix_status_t fence_start(void)
{
	pmix_info_t collect;
	bool yes = true;
	pmix_status_t rc;

	PMIX_INFO_LOAD(&collect, PMIX_COLLECT_DATA, &yes, PMIX_BOOL);
	rc = PMIx_Fence_nb(&everyone, 1, &collect, 1, answer_arrived,
			   answer_expect());
	PMIX_INFO_DESTRUCT(&collect);
	return rc;
}

/*
 * Makes a fence. One without all ranks was ended by a lost connection. If that
 * rank has died, a fault follows. But the connection may have been the rank's
 * in the program before this one ("mrun sh -c 'a; b'"), which the server
 * confuses (PMIx 4.2.2): then the rank is still to come, and all ranks that
 * were in the fence repeat it.
 */
static int fence_all(struct boot_fence *f)
{
	struct timespec pause = {0, 1000000};
	pmix_status_t status;

	for (;;) {
		int rc = 0;

		status = fence_start();
		if (status == PMIX_OPERATION_SUCCEEDED)
			return 0;
		if (status == PMIX_SUCCESS)
			rc = answer_wait(f, &status);
		if (rc || status == PMIX_SUCCESS)
			return rc;
		if (status != PMIX_ERR_PARTIAL_SUCCESS)
			return log_error(MRT_ERR_SERVICE, "%s: PMIx says %s",
					 f->what, PMIx_Error_string(status));
		nanosleep(&pause, NULL);
		f->waited_ms++;
	}
}

static int pmix_fence(struct boot_fence *f)
{
	pmix_status_t rc = put ? PMIx_Commit() : PMIX_SUCCESS;

	put = put && rc != PMIX_SUCCESS;
	if (rc != PMIX_SUCCESS)
		return log_error(MRT_ERR_SERVICE, "commit: PMIx says %s",
				 PMIx_Error_string(rc));
	return fence_all(f);
}

static enum boot_fetched pmix_get(int rank, const char *key, void *blob,
				  size_t *len, const char **why)
{
	pmix_proc_t who = self;

	who.rank = (uint32_t)rank;
	return boot_fetch(&who, key, blob, len, why);
}

/* Exits although the server may be waiting for a node that is gone (Slurm: for
 * ever). */
static void *exit_in_2s(void *arg)
{
	sleep(2);
	_exit((int)(intptr_t)arg);
}

/* Tells whether the job ends when this rank exits with an error, so that it
 * need not abort: if a rank aborts, Slurm kills all, that one too, and its exit
 * code is lost. mrun sets the variable, which srun reads. */
static bool ends_at_bad_exit(void)
{
	const char *told = getenv("SLURM_KILL_BAD_EXIT");

	return told && !strcmp(told, "1");
}

static void pmix_abort(int code, const char *text)
{
	pthread_t thread;

	if (code && ends_at_bad_exit())
		return;
	pthread_create(&thread, NULL, exit_in_2s, (void *)(intptr_t)code);
	PMIx_Abort(code, text, NULL, 0);
}

static void pmix_leave(void)
{
	if (pmix_epoll < 0 || is_epoll(pmix_epoll))
		PMIx_Finalize(NULL, 0);
	else
		log_warn("the program has closed descriptors of PMIx: a "
			 "launcher other than mrun does not hear that this "
			 "rank has called mrt_finalize");
}

const struct boot_way boot_pmix = {.offer = pmix_offer,
				   .variable = "PMIX_NAMESPACE",
				   .join = pmix_join,
				   .describe = pmix_describe,
				   .put = pmix_put,
				   .fence = pmix_fence,
				   .get = pmix_get,
				   .abort = pmix_abort,
				   .leave = pmix_leave};
