/* SPDX-License-Identifier: Apache-2.0 */
/*
 * job_end.c: the rules of the end.
 *	exit code not 0, or killed	a failure with that code, 128+signal
 *	abort				a failure with the code given
 *	exit 0 between init and finalize	a failure, 75: others wait for
 *it exit 0 without init		a failure, 75, if another rank is
 *					between init and finalize, and nothing
 *					if all do it (mrun hostname)
 * After a failure: PMIx event to the ranks that have a client; 1 s for them to
 * end by themselves; SIGTERM; 0.4 s; SIGKILL. Ranks without client get SIGTERM
 * at once, for nothing else reaches them.
 */
#include "config.h"

#include "launcher/job_end.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "launcher/hang_report.h"
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

static void terminate(struct job *job)
{
	job_signal(job, SIGTERM);
	job_signal(job, SIGCONT); /* a stopped rank takes it when it runs */
	set_stage(job, END_TERMINATED, TERM_MS);
}

static void kill_all(struct job *job)
{
	job_signal(job, SIGKILL);
	/* Again, should a process have been forked at that very moment. */
	set_stage(job, END_KILLED, TERM_MS);
}

/* The first failure of the job; later ones are its consequences. */
static void fail(struct job *job, const struct rank *failed,
		 enum notify_cause cause, int exit_code, const char *text)
{
	bool anyone = false;

	if (job->ending != END_NOT_YET) {
		say_verbose("%s", text);
		return;
	}
	job->exit_code = exit_code;
	say("%s%s", text, job->running > 0 ? "; ending the job" : "");
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

static int name_rank(const struct rank *rank, char *text, size_t len)
{
	return snprintf(text, len, "rank %d (pid %d, %.200s) ", rank->rank,
			(int)rank->pid, rank->app->argv[0]);
}

/* A rank that never connected has left, and another waits for it. */
static void check_absent(struct job *job)
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
	n = name_rank(absent, text, sizeof(text));
	snprintf(text + n, sizeof(text) - (size_t)n,
		 "ended without joining the job, but rank %d has joined",
		 waiting->rank);
	fail(job, absent, NOTIFY_EXIT, EXIT_PEER, text);
}

/*
 * Another program has taken the rank's place: by exec, or as its child. The
 * server takes the two for one, so that fences wait for ever.
 */
static void joined_twice(struct job *job, const struct rank *rank)
{
	char text[512];
	int n = name_rank(rank, text, sizeof(text));

	snprintf(text + n, sizeof(text) - (size_t)n,
		 "has joined the job again, by another program, and has not "
		 "left it");
	fail(job, rank, NOTIFY_EXIT, EXIT_PEER, text);
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
			joined_twice(job, rank);
		rank->connected = true;
		rank->finalized = false;
		check_absent(job);
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
		/* Without members left its number may be given to others. */
		if (kill(-pid, 0) && errno == ESRCH) {
			rank->group = false;
			guard_remove_group(guard, pid);
		}
	}
	return n;
}

/* The exit code that the end of a rank asks for. */
static int exit_code_of(const struct rank *rank)
{
	if (rank->aborted)
		return rank->abort_code & 0xff ? rank->abort_code & 0xff : 1;
	return WIFSIGNALED(rank->status) ? EXIT_SIGNAL + WTERMSIG(rank->status)
					 : WEXITSTATUS(rank->status);
}

/* How a rank ended, in words after its name; NULL: as it should. */
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

static void judge_rank(struct job *job, struct rank *rank)
{
	int code = exit_code_of(rank), n;
	enum notify_cause cause = NOTIFY_EXIT;
	char text[1024];

	rank->reaped = true;
	n = name_rank(rank, text, sizeof(text));
	if (!describe_end(rank, text + n, sizeof(text) - (size_t)n)) {
		say_verbose("%sexited with code 0", text);
		check_absent(job);
		return;
	}
	if (rank->aborted)
		cause = NOTIFY_ABORT;
	else if (WIFSIGNALED(rank->status))
		cause = NOTIFY_SIGNAL;
	fail(job, rank, cause, code ? code : EXIT_PEER, text);
}

/*
 * A rank that noticed the death of another ends, or aborts, with 75; if both
 * are found in one go, the cause is judged before the consequence.
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
				judge_rank(job, rank);
		}
	}
}

void job_end_hang(struct job *job, const char *text)
{
	fail(job, NULL, NOTIFY_EXIT, EXIT_PEER, text);
}

void job_end_with(struct job *job, int exit_code)
{
	if (job->ending == END_NOT_YET)
		job->exit_code = exit_code;
	if (job->ending < END_TERMINATED)
		terminate(job);
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
			job_end_with(job, EXIT_TIMEOUT);
		}
	}
	if (!job->deadline_ns || now < job->deadline_ns)
		return;
	if (job->ending == END_NOTIFIED)
		terminate(job);
	else
		kill_all(job);
}

int job_end_timeout_ms(const struct job *job)
{
	uint64_t now = clock_ns(), next = job->deadline_ns;

	if (job->timeout_ns && (!next || job->timeout_ns < next))
		next = job->timeout_ns;
	if (!next)
		return -1;
	return next <= now ? 0 : (int)((next - now) / 1000000u) + 1;
}
