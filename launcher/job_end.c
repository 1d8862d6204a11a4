/* SPDX-License-Identifier: Apache-2.0 */
/*
 * job_end.c: how a rank's end affects the job.
 *	exit code not 0, or killed	failure with that code, or 128+signal
 *	abort				failure with the code given
 *	exit 0 between init and		failure, 75: others may wait for
 *	finalize			this rank
 *	exit 0 without init		failure, 75, if another rank is between
 *					init and finalize; no failure if no rank
 *					calls init (mrun hostname)
 * After a failure, ranks with a PMIx client get an event and 1 s to end by
 * themselves, then SIGTERM, and 0.4 s later SIGKILL. Ranks without a client get
 * SIGTERM at once, because nothing else reaches them.
 */

#include "launcher/job_end.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "launcher/hang_report.h"
#include "launcher/loop.h"
#include "launcher/mpir.h"
#include "launcher/notify.h"
#include "launcher/oom.h"
#include "launcher/say.h"
#include "runtime/base/clock.h"

enum { NOTICE_MS = 1000, TERM_MS = 400 };

static void set_stage(struct job *job, enum ending stage, int ms)
{
	job->ending = stage;
	job->deadline_ns = ms ? clock_ns() + (uint64_t)ms * 1000000u : 0;
}

static void job_end_terminate(struct job *job)
{
	job_signal(job, SIGTERM);
	job_signal(job, SIGCONT); /* lets stopped ranks handle SIGTERM */
	set_stage(job, END_TERMINATED, TERM_MS);
}

static void kill_all(struct job *job)
{
	job_signal(job, SIGKILL);
	/* The deadline repeats this, in case a process was just
	 * being forked. */
	set_stage(job, END_KILLED, TERM_MS);
}

/* Writes what follows for the other ranks, whose own messages about this
 * failure nobody sees (runtime/base/fault.h). */
static const char *describe_rest(const struct job *job,
				 const struct rank *failed, char *text,
				 size_t len)
{
	int others = job->running - (failed && failed->running);

	if (others == 0)
		return "";
	snprintf(text, len, "; ending the job (%d %s%s)", others,
		 failed ? "other " : "", others == 1 ? "rank" : "ranks");
	return text;
}

/* Starts to end the job for its first failure. Later failures are consequences
 * and are printed with --verbose only. */
static void job_end_fail(struct job *job, const struct rank *failed,
			 enum notify_cause cause, int exit_code,
			 const char *text)
{
	bool anyone = false;
	char rest[64];

	if (job->ending != END_NOT_YET) {
		say_verbose("%s", text);
		return;
	}
	job->exit_code = exit_code;
	say("%s%s", text, describe_rest(job, failed, rest, sizeof(rest)));
	mpir_aborting(text);
	for (int r = 0; r < job->nranks; r++) {
		struct rank *rank = &job->ranks[r];

		if (!rank->running)
			continue;
		if (rank->connected)
			anyone = true;
		else
			kill(-rank->pid, SIGTERM);
	}
	if (anyone)
		notify_failure(job, failed, cause, text);
	set_stage(job, END_NOTIFIED, anyone ? NOTICE_MS : TERM_MS);
}

static int name_rank(const struct job *job, const struct rank *rank, char *text,
		     size_t len)
{
	return snprintf(text, len, "rank %d on %s (pid %d, %.200s) ",
			rank->rank, job->host, (int)rank->pid,
			rank->app->argv[0]);
}

/* Fails the job if a rank has ended without connecting while another rank is
 * connected and would wait for it. */
static void fail_if_absent(struct job *job)
{
	const struct rank *absent = NULL, *waiting = NULL;
	char text[512];
	int n;

	for (int r = 0; r < job->nranks; r++) {
		const struct rank *rank = &job->ranks[r];

		if (rank->reaped && !rank->connected && !absent)
			absent = rank;
		if (rank->running && rank->connected && !rank->finalized &&
		    !waiting)
			waiting = rank;
	}
	if (!absent || !waiting)
		return;
	n = name_rank(job, absent, text, sizeof(text));
	snprintf(text + n, sizeof(text) - (size_t)n,
		 "ended without joining the job, but rank %d has joined",
		 waiting->rank);
	job_end_fail(job, absent, NOTIFY_EXIT, EXIT_PEER, text);
}

/*
 * A second program has connected as this rank: one that the rank executed, or
 * its child. The PMIx server cannot tell the two apart, so fences would hang.
 */
static void fail_rejoined(struct job *job, const struct rank *rank)
{
	char text[512];
	int n = name_rank(job, rank, text, sizeof(text));

	snprintf(text + n, sizeof(text) - (size_t)n,
		 "has joined the job again, by another program, and has not "
		 "left it");
	job_end_fail(job, rank, NOTIFY_EXIT, EXIT_PEER, text);
}

void job_end_message(struct job *job, const struct server_message *message)
{
	struct rank *rank;

	if (message->rank < 0 || message->rank >= job->nranks)
		return;
	rank = &job->ranks[message->rank];
	switch (message->what) {
	case SERVER_CONNECTED:
		if (rank->connected && !rank->finalized)
			fail_rejoined(job, rank);
		rank->connected = true;
		rank->finalized = false;
		fail_if_absent(job);
		break;
	case SERVER_FINALIZED:
		rank->finalized = true;
		break;
	case SERVER_ABORTED:
		if (rank->aborted)
			break;
		rank->aborted = true;
		rank->abort_code = message->status;
		rank->abort_text = strdup(message->text);
		break;
	}
}

int job_end_reap(struct job *job, const struct guard *guard)
{
	struct rank *rank;
	int status, n = 0;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		rank = job_find(job, pid);
		if (!rank || !rank->running)
			continue;
		rank->running = false;
		rank->status = status;
		job->running--;
		n++;
		/* The number of a group without members may be reused. */
		if (kill(-pid, 0) && errno == ESRCH) {
			rank->group = false;
			guard_remove_group(guard, pid);
		}
	}
	return n;
}

/* Returns the exit code of the job if this rank's end is its failure. */
static int exit_code_of(const struct rank *rank)
{
	if (rank->aborted)
		return rank->abort_code & 0xff ? rank->abort_code & 0xff : 1;
	return WIFSIGNALED(rank->status) ? EXIT_SIGNAL + WTERMSIG(rank->status)
					 : WEXITSTATUS(rank->status);
}

/* Writes how a rank ended, to follow its name; returns NULL if that is no
 * failure. */
static const char *describe_end(const struct rank *rank, char *text, size_t len)
{
	static const char no_memory[] =
	    "; memory has run out in its control group: raise the limit, or "
	    "start fewer ranks";
	int sig = WTERMSIG(rank->status);

	if (rank->aborted)
		snprintf(text, len, "aborted the job with code %d%s%s",
			 rank->abort_code,
			 rank->abort_text && *rank->abort_text ? ": " : "",
			 rank->abort_text ? rank->abort_text : "");
	else if (rank->exec_errno)
		snprintf(text, len, "cannot be executed: %s",
			 strerror(rank->exec_errno));
	else if (WIFSIGNALED(rank->status))
		snprintf(text, len, "was killed by signal %d (%s)%s%s", sig,
			 strsignal(sig),
			 WCOREDUMP(rank->status) ? ", core dumped" : "",
			 sig == SIGKILL && oom_kills() ? no_memory : "");
	else if (WEXITSTATUS(rank->status))
		snprintf(text, len, "exited with code %d",
			 WEXITSTATUS(rank->status));
	else if (rank->connected && !rank->finalized &&
		 !hang_report_left(rank->rank))
		snprintf(text, len, "exited without finalize");
	else
		return NULL;
	return text;
}

static void handle_end(struct job *job, struct rank *rank)
{
	int code = exit_code_of(rank), n;
	enum notify_cause cause = NOTIFY_EXIT;
	char text[1024];

	rank->reaped = true;
	n = name_rank(job, rank, text, sizeof(text));
	if (!describe_end(rank, text + n, sizeof(text) - (size_t)n)) {
		say_verbose("%sexited with code 0", text);
		fail_if_absent(job);
		return;
	}
	if (rank->aborted)
		cause = NOTIFY_ABORT;
	else if (WIFSIGNALED(rank->status))
		cause = NOTIFY_SIGNAL;
	job_end_fail(job, rank, cause, code ? code : EXIT_PEER, text);
}

/*
 * A rank that noticed the death of another ends, or aborts, with EXIT_PEER.
 * Ranks with other codes come first, so that the cause is reported, not a
 * consequence found at the same time.
 */
void job_end_failures(struct job *job)
{
	for (int pass = 0; pass < 2; pass++) {
		for (int r = 0; r < job->nranks; r++) {
			struct rank *rank = &job->ranks[r];

			if (rank->reaped || rank->pid == 0 ||
			    (rank->running && !rank->aborted))
				continue;
			if (pass == 1 || exit_code_of(rank) != EXIT_PEER)
				handle_end(job, rank);
		}
	}
}

void job_end_hang(struct job *job, const char *text)
{
	job_end_fail(job, NULL, NOTIFY_EXIT, EXIT_PEER, text);
}

void job_end_with(struct job *job, int exit_code)
{
	if (job->ending == END_NOT_YET)
		job->exit_code = exit_code;
	if (job->ending < END_TERMINATED)
		job_end_terminate(job);
	else
		kill_all(job);
}

void job_end_deadlines(struct job *job)
{
	uint64_t now = clock_ns();

	if (job->timeout_ns && now >= job->timeout_ns) {
		job->timeout_ns = 0;
		if (job->ending == END_NOT_YET) {
			say("the job did not end within %g s (--timeout), "
			    "%d of %d ranks run; ending it",
			    job->opt->timeout_s, job->running, job->nranks);
			if (say_is_heard())
				hang_report_print(job);
			job_end_with(job, EXIT_TIMEOUT);
		}
	}
	if (!job->deadline_ns || now < job->deadline_ns)
		return;
	if (job->ending == END_NOTIFIED)
		job_end_terminate(job);
	else
		kill_all(job);
}

int job_end_timeout_ms(const struct job *job)
{
	uint64_t next = job->deadline_ns;

	if (job->timeout_ns && (!next || job->timeout_ns < next))
		next = job->timeout_ns;
	return loop_ms_until(next);
}
