/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guard.c: the guard reads process groups from a pipe whose other end mrun
 * holds. End of file without "bye" means that mrun was killed. Then a rank
 * has a second: the library notices by itself that its PMIx server is gone,
 * says so and exits with 69. Whoever is still there is killed. (A parent-death
 * signal would take that second away, and reaches no grandchildren.) The guard
 * has its own session and name, so that nobody who kills mrun means it.
 */
#include "config.h"

#include "launcher/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launcher/job.h"

enum { GRACE_MS = 1000, KILL_MS = 200, STEP_MS = 10 };

struct note {
	enum { NOTE_ADD, NOTE_REMOVE, NOTE_BYE } what;
	pid_t group;
};

struct groups {
	pid_t *ids;
	int n, max;
};

static void take_note(struct groups *g, const struct note *note)
{
	if (note->what == NOTE_ADD && g->n < g->max)
		g->ids[g->n++] = note->group;
	for (int i = 0; note->what == NOTE_REMOVE && i < g->n; i++)
		if (g->ids[i] == note->group)
			g->ids[i] = g->ids[--g->n];
}

/* Signals all groups, forgets those without members. */
static void signal_groups(struct groups *g, int sig)
{
	for (int i = 0; i < g->n;) {
		if (kill(-g->ids[i], sig) && errno == ESRCH)
			g->ids[i] = g->ids[--g->n];
		else
			i++;
	}
}

static void wait_for_groups(struct groups *g)
{
	struct timespec step = {0, STEP_MS * 1000000L};

	/* Stopped ranks must run to notice. */
	signal_groups(g, SIGCONT);
	for (int ms = 0; ms < GRACE_MS && g->n > 0; ms += STEP_MS) {
		signal_groups(g, 0);
		nanosleep(&step, NULL);
	}
}

/* More than once, should a process have been forked at that very moment. */
static void kill_groups(struct groups *g)
{
	struct timespec step = {0, STEP_MS * 1000000L};

	for (int ms = 0; ms < KILL_MS && g->n > 0; ms += STEP_MS) {
		signal_groups(g, SIGKILL);
		nanosleep(&step, NULL);
	}
}

static void watch_over(int fd, const char *dir, struct groups *g)
{
	struct note note;
	ssize_t n;

	do {
		n = read(fd, &note, sizeof(note));
		if (n == (ssize_t)sizeof(note)) {
			if (note.what == NOTE_BYE)
				_exit(0);
			take_note(g, &note);
		}
	} while (n > 0 || (n < 0 && errno == EINTR));
	wait_for_groups(g);
	kill_groups(g);
	job_remove_dir(dir);
	_exit(0);
}

static void become_guard(int fd, const struct guard_plan *plan,
			 struct groups *g)
{
	sigset_t all;
	int null = open("/dev/null", O_RDWR);

	setsid();
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	prctl(PR_SET_NAME, "rank-guard");
	memset(plan->args, 0, plan->args_len);
	strncpy(plan->args, "rank-guard", plan->args_len - 1);
	for (int k = 0; k < 3; k++)
		dup2(null, k);
	dup2(fd, 3);
	close_range(4, ~0u, 0);
	if (chdir("/")) {
		/* then it keeps a directory busy, that is all */
	}
	watch_over(3, plan->dir, g);
}

int guard_start(struct guard *guard, const struct guard_plan *plan)
{
	struct groups g = {NULL, 0, plan->max_groups};
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		return -1;
	g.ids = calloc((size_t)plan->max_groups, sizeof(*g.ids));
	guard->pid = g.ids ? fork() : -1;
	if (guard->pid < 0) {
		int saved = errno;

		free(g.ids);
		close(fds[0]);
		close(fds[1]);
		errno = saved;
		return -1;
	}
	if (guard->pid == 0)
		become_guard(fds[0], plan, &g);
	free(g.ids);
	close(fds[0]);
	guard->fd = fds[1];
	return 0;
}

static void send_note(const struct guard *guard, const struct note *note)
{
	ssize_t n;

	do
		n = write(guard->fd, note, sizeof(*note));
	while (n < 0 && errno == EINTR);
}

void guard_add_group(const struct guard *guard, pid_t group)
{
	struct note note = {NOTE_ADD, group};

	send_note(guard, &note);
}

void guard_remove_group(const struct guard *guard, pid_t group)
{
	struct note note = {NOTE_REMOVE, group};

	send_note(guard, &note);
}

void guard_dismiss(struct guard *guard)
{
	struct note note = {NOTE_BYE, 0};

	send_note(guard, &note);
	close(guard->fd);
	guard->fd = -1;
	while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
