/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guard.c: the guard reads the process groups of the ranks from a pipe whose
 * writing end mrun holds. End of file without NOTE_BYE means that mrun was
 * killed. Each rank then has a second to notice by itself that its PMIx server
 * is gone, say so and exit with 69; whoever is left is killed.
 * (PR_SET_PDEATHSIG in the ranks would give them no such second, and does not
 * reach grandchildren.) The guard has a session and a name of its own, so that
 * whoever kills mrun by group or name does not kill it too.
 */

#include "launcher/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
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

static void apply_note(struct groups *g, const struct note *note)
{
	if (note->what == NOTE_ADD && g->n < g->max)
		g->ids[g->n++] = note->group;
	for (int i = 0; note->what == NOTE_REMOVE && i < g->n; i++)
		if (g->ids[i] == note->group)
			g->ids[i] = g->ids[--g->n];
}

/* Signals all groups, and forgets those without members. */
static void signal_groups(struct groups *g, int sig)
{
	for (int i = 0; i < g->n;) {
		if (kill(-g->ids[i], sig) && errno == ESRCH)
			g->ids[i] = g->ids[--g->n];
		else
			i++;
	}
}

/* Signals the groups until they are gone, or for ms; repeatedly, in case a
 * process is just being forked. */
static void signal_until_gone(struct groups *g, int sig, int ms)
{
	struct timespec step = {0, STEP_MS * 1000000L};

	for (; ms > 0 && g->n > 0; ms -= STEP_MS) {
		signal_groups(g, sig);
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
			apply_note(g, &note);
		}
	} while (n > 0 || (n < 0 && errno == EINTR));
	signal_groups(g, SIGCONT); /* stopped ranks must run to notice */
	signal_until_gone(g, 0, GRACE_MS);
	signal_until_gone(g, SIGKILL, KILL_MS);
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
		/* harmless: a directory stays busy for a moment */
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

static void send_note(const struct guard *guard, struct note note)
{
	ssize_t n;

	do
		n = write(guard->fd, &note, sizeof(note));
	while (n < 0 && errno == EINTR);
}

void guard_add_group(const struct guard *guard, pid_t group)
{
	send_note(guard, (struct note){NOTE_ADD, group});
}

void guard_remove_group(const struct guard *guard, pid_t group)
{
	send_note(guard, (struct note){NOTE_REMOVE, group});
}

void guard_dismiss(struct guard *guard)
{
	send_note(guard, (struct note){NOTE_BYE, 0});
	close(guard->fd);
	guard->fd = -1;
	while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
