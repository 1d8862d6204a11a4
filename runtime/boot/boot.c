/* SPDX-License-Identifier: Apache-2.0 */
/* boot.c: the PMIx client. Fences collect data and cover the wildcard rank;
 * other fences are broken in Slurm 22.05. */
#include "runtime/boot/boot.h"

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
#include "runtime/base/counters.h"
#include "runtime/base/env.h"
#include "runtime/base/fault.h"
#include "runtime/base/hang.h"
#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot_describe.h"
#include "runtime/boot/boot_events.h"
#include "runtime/boot/boot_fetch.h"
#include "runtime/boot/boot_seal.h"

static pmix_proc_t self, everyone;
static bool connected;
static bool put;	  /* something that boot_fence has to publish */
static uint64_t requests; /* made by boot_get */
/* Variable in the environment of a rank and of programs that it starts: its
 * job. Those programs inherit the launcher's variables, but are not the
 * rank. */
static const char joined[] = "LIBMRT_JOINED";
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

/* How to wait for the other ranks in a fence. */
struct fence {
	const char *what;
	long waited_ms;
	/* called ten times a second, without a time limit; or NULL:
	 * MRT_TIMEOUT */
	void (*meanwhile)(void *arg);
	void *arg;
};

static bool is_over(const struct fence *f)
{
	return !f->meanwhile && f->waited_ms >= env.timeout_s * 1000;
}

/* Waits for the answer. Returns MRT_ERR_SERVICE after MRT_TIMEOUT, or the code
 * of a fault. Time is counted in waits instead of read from a clock: a job that
 * was stopped has not waited. */
static int answer_wait(struct fence *f, pmix_status_t *status)
{
	uint64_t began = clock_ns();
	struct timespec until;
	int rc = 0;

	pthread_mutex_lock(&answer.lock);
	while (answer.answered != answer.asked && !rc) {
		until = clock_in(CLOCK_MONOTONIC, 100000000);
		if (pthread_cond_timedwait(&answer.cond, &answer.lock,
					   &until) == ETIMEDOUT) {
			f->waited_ms += 100;
			hang_note(f->meanwhile ? "mrt_finalize: other ranks"
					       : "mrt_init: other ranks",
				  began, clock_ns());
		}
		if (f->meanwhile) {
			pthread_mutex_unlock(&answer.lock);
			f->meanwhile(f->arg);
			pthread_mutex_lock(&answer.lock);
		}
		rc = fault_report();
		if (!rc && is_over(f))
			rc = log_error(MRT_ERR_SERVICE,
				       "%s: not all ranks came within %ld s; "
				       "is one stuck before mrt_init? "
				       "(MRT_TIMEOUT sets the time)",
				       f->what, env.timeout_s);
	}
	*status = answer.status;
	pthread_mutex_unlock(&answer.lock);
	hang_clear(began, false);
	return rc;
}

static int be_singleton(struct boot_job *job)
{
	if (job->node_ranks)
		return 0;
	job->singleton = true;
	job->size = job->nnodes = job->node_size = 1;
	job->node_ranks = calloc(1, sizeof(int));
	if (!job->node_ranks)
		return log_error(MRT_ERR_NO_MEM, "list of local ranks");
	gethostname(job->host, sizeof(job->host) - 1);
	snprintf(job->nodes, sizeof(job->nodes), "%s", job->host);
	snprintf(job->id, sizeof(job->id), "singleton-%d", (int)getpid());
	log_identify(0, 1, job->host);
	return 0;
}

/* Fails in a program that a rank has started. */
static int check_is_rank(void)
{
	const char *job = getenv(joined);

	if (!job || strcmp(job, getenv("PMIX_NAMESPACE")))
		return 0;
	return log_error(MRT_ERR_STATE,
			 "this program was started by a rank of a job, whose "
			 "place it cannot take; unset PMIX_NAMESPACE to run "
			 "it alone");
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

/* A client that joins a second time is not told of the job by Open MPI 4.1, so
 * what it has been told holds. */
static int job_describe(struct boot_job *job)
{
	return job->node_ranks ? 0 : boot_describe(&self, job);
}

int boot_init(struct boot_job *job)
{
	pthread_condattr_t attr;
	int rc, first;

	if (!getenv("PMIX_NAMESPACE"))
		return be_singleton(job);
	if (connected) /* after a failed start */
		return job_describe(job);
	if (check_is_rank())
		return MRT_ERR_STATE;
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
	connected = true;
	setenv(joined, self.nspace, 1);
	PMIX_PROC_LOAD(&everyone, self.nspace, PMIX_RANK_WILDCARD);
	boot_events_start();
	return job_describe(job);
}

int boot_put(const char *key, const void *blob, size_t len)
{
	struct seal seal = seal_of(&self, key);
	pmix_value_t v;
	pmix_status_t rc;
	char *sealed;

	if (!connected)
		return 0;
	seal.length = (uint32_t)len;
	sealed = malloc(sizeof(seal) + len);
	if (!sealed)
		return log_error(MRT_ERR_NO_MEM, "to publish %s", key);
	memcpy(sealed, &seal, sizeof(seal));
	memcpy(sealed + sizeof(seal), blob, len);
	v.type = PMIX_BYTE_OBJECT;
	v.data.bo.bytes = sealed;
	v.data.bo.size = sizeof(seal) + len;
	rc = PMIx_Put(PMIX_GLOBAL, key, &v);
	free(sealed);
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
static int fence_all(struct fence *f)
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

int boot_fence(void)
{
	struct fence f = {.what = "exchange of endpoints"};
	pmix_status_t rc;

	if (!connected)
		return 0;
	rc = put ? PMIx_Commit() : PMIX_SUCCESS;
	put = put && rc != PMIX_SUCCESS;
	if (rc != PMIX_SUCCESS)
		return log_error(MRT_ERR_SERVICE, "commit: PMIx says %s",
				 PMIx_Error_string(rc));
	return fence_all(&f);
}

int boot_fence_last(void (*meanwhile)(void *arg), void *arg)
{
	struct fence f = {
	    .what = "the end of all ranks", .meanwhile = meanwhile, .arg = arg};

	return connected ? fence_all(&f) : 0;
}

int boot_get(int rank, const char *key, void *blob, size_t *len)
{
	pmix_proc_t who = self;
	enum boot_fetched result = FETCH_UNFIT;
	const char *why = "";

	requests++;
	who.rank = (uint32_t)rank;
	if (connected)
		result = boot_fetch(&who, key, blob, len, &why);
	return boot_fetch_result(result, rank, key, why);
}

void boot_stats(struct counters *t)
{
	counters_add(t, "boot", "PMIx requests", requests);
}

/* Exits although the server may be waiting for a node that is gone (Slurm: for
 * ever). */
static void *exit_in_2s(void *arg)
{
	sleep(2);
	_exit((int)(intptr_t)arg);
}

void boot_abort(int code, const char *text)
{
	pthread_t thread;

	if (connected) {
		pthread_create(&thread, NULL, exit_in_2s,
			       (void *)(intptr_t)code);
		PMIx_Abort(code, text, NULL, 0);
	}
	_exit(code);
}

void boot_forked(void)
{
	connected = false;
}

int boot_finalize(struct boot_job *job, bool for_good)
{
	if (!for_good) {
		free(job->node_ranks);
		*job = (struct boot_job){0};
	}
	if (connected && for_good && fault_code != MRT_ERR_SERVICE) {
		if (pmix_epoll < 0 || is_epoll(pmix_epoll))
			PMIx_Finalize(NULL, 0);
		else
			log_warn("the program has closed descriptors of PMIx: "
				 "a launcher other than mrun does not hear "
				 "that this rank has called mrt_finalize");
		unsetenv(joined);
	}
	connected = connected && !for_good;
	return 0;
}
