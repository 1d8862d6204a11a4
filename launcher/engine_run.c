/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_run.c: runs an engine and waits for it. mrun stays its parent, so that
 * exit codes mean what they mean on one node, --timeout works, and a signal to
 * mrun alone ends the job: every engine ends its job on SIGTERM. The engine is
 * in the terminal's foreground process group together with mrun and gets the
 * terminal's signals directly. Only SIGQUIT is blocked in it, since mpirun
 * would die of it and leave the ranks running.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher/engine.h"
#include "launcher/loop.h"
#include "launcher/say.h"
#include "launcher/step_end.h"
#include "runtime/base/clock.h"

/* An engine that takes longer than this to end a job is killed; srun gives a
 * step 32 s. */
enum { END_S = 40 };

struct runner {
	const struct engine *engine;
	pid_t pid;
	int signals;  /* signalfd */
	int lines[2]; /* pipe from its stderr, or -1 if that is not read */
	int status;   /* as waitpid returned it */
	bool ended;
	int code;	   /* why mrun ended it (an exit code); 0: it did not */
	uint64_t limit_ns; /* end of --timeout, or of END_S after it; 0: none */
	struct step_end end;
	char line[4096];
	size_t len;
};

/* *mask becomes the signal mask that the engine starts with. */
static int take_signals(struct runner *r, sigset_t *mask)
{
	static const int taken[] = {SIGCHLD, SIGINT,  SIGTERM, SIGHUP,
				    SIGQUIT, SIGUSR1, SIGUSR2};
	struct sigaction old;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
		sigaction(taken[i], NULL, &old);
		if (taken[i] == SIGHUP && old.sa_handler == SIG_IGN)
			continue; /* nohup mrun */
		signal(taken[i], SIG_DFL);
		sigaddset(&set, taken[i]);
	}
	sigprocmask(SIG_BLOCK, &set, mask);
	sigaddset(mask, SIGQUIT);
	r->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return r->signals < 0 ? -1 : 0;
}

static void exec_engine(const struct runner *r, const struct cmdline *args,
			const sigset_t *mask)
{
	int code;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (r->lines[1] >= 0)
		dup2(r->lines[1], STDERR_FILENO);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execv(args->v[0], args->v);
	code = errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXEC;
	say_error("cannot run %s: %s%s", args->v[0], strerror(errno),
		  errno == E2BIG ? "; name fewer hosts, or unset variables"
				 : "");
	_exit(code);
}

/* Copies the engine's stderr to mrun's, and looks in its whole lines for how
 * ranks ended. */
static void read_lines(struct runner *r)
{
	char chunk[4096];
	ssize_t n = read(r->lines[0], chunk, sizeof(chunk));

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		close(r->lines[0]);
		r->lines[0] = -1;
	}
	for (ssize_t done = 0, k; done < n; done += k) {
		k = write(STDERR_FILENO, chunk + done, (size_t)(n - done));
		if (k < 0)
			break; /* stderr is closed */
	}
	for (ssize_t i = 0; i < n; i++) {
		if (chunk[i] != '\n') {
			if (r->len < sizeof(r->line) - 1)
				r->line[r->len++] = chunk[i];
			continue;
		}
		r->line[r->len] = '\0';
		step_end_line(&r->end, r->line);
		r->len = 0;
	}
}

static void end_engine(struct runner *r, int code)
{
	if (!r->code)
		r->code = code;
	r->limit_ns = clock_ns() + END_S * 1000000000ull;
}

static void read_signals(struct runner *r)
{
	struct signalfd_siginfo info;

	while (read(r->signals, &info, sizeof(info)) == sizeof(info)) {
		int sig = (int)info.ssi_signo;
		bool quit = sig != SIGUSR1 && sig != SIGUSR2;

		if (sig == SIGCHLD) {
			r->ended |= waitpid(r->pid, &r->status, WNOHANG) > 0;
			continue;
		}
		if (quit && !r->code)
			say("got signal %d (%s); ending the job", sig,
			    strsignal(sig));
		if (quit)
			end_engine(r, EXIT_SIGNAL + sig);
		if ((info.ssi_code != SI_KERNEL || sig == SIGQUIT) && !r->ended)
			kill(r->pid, quit ? SIGTERM : sig);
	}
}

static void time_out(struct runner *r)
{
	if (r->code) { /* it was told to end and did not */
		kill(r->pid, SIGKILL);
		r->limit_ns = 0;
		return;
	}
	say("the job did not end in time (--timeout); ending it");
	end_engine(r, EXIT_TIMEOUT);
	kill(r->pid, SIGTERM);
}

static void wait_for_end(struct runner *r)
{
	while (!r->ended) {
		struct pollfd fds[] = {{r->signals, POLLIN, 0},
				       {r->lines[0], POLLIN, 0}};

		poll(fds, 2, loop_ms_until(r->limit_ns));
		if (fds[1].revents)
			read_lines(r);
		if (fds[0].revents)
			read_signals(r);
		if (r->limit_ns && clock_ns() >= r->limit_ns)
			time_out(r);
	}
	/* Its last lines are still in the pipe. */
	for (struct pollfd fd = {r->lines[0], POLLIN, 0};
	     fd.fd >= 0 && poll(&fd, 1, 0) > 0; fd.fd = r->lines[0])
		read_lines(r);
}

static int exit_code(const struct runner *r)
{
	int code = WIFSIGNALED(r->status) ? EXIT_SIGNAL + WTERMSIG(r->status)
					  : WEXITSTATUS(r->status);

	if (r->code)
		return r->code;
	return r->engine->tells_ends ? step_end_code(&r->end, code) : code;
}

static int run(struct runner *r, const struct cmdline *args)
{
	sigset_t mask;

	if ((r->engine->tells_ends && pipe2(r->lines, O_CLOEXEC)) ||
	    take_signals(r, &mask) || (r->pid = fork()) < 0)
		return say_fail(EXIT_RESOURCE, "cannot start %s: %s",
				args->v[0], strerror(errno));
	if (r->pid == 0)
		exec_engine(r, args, &mask);
	if (r->lines[1] >= 0)
		close(r->lines[1]);
	wait_for_end(r);
	if (WIFSIGNALED(r->status) && r->engine->end_orphans)
		r->engine->end_orphans(r->pid);
	return exit_code(r);
}

int engine_run(const struct engine *engine, const struct options *opt)
{
	struct runner r = {.engine = engine, .lines = {-1, -1}};
	struct cmdline args = {0};
	char *program = engine->find();
	int code;

	cmdline_add(&args, "%s", program ? program : engine->name);
	free(program);
	code = engine->build(opt, &args);
	if (!code && args.failed)
		code = say_fail(EXIT_RESOURCE, "out of memory");
	if (!code && (opt->show || opt->verbosity >= SAY_VERBOSE))
		cmdline_print(&args, opt->show ? stdout : stderr);
	if (opt->timeout_s > 0)
		r.limit_ns = clock_ns() + (uint64_t)(opt->timeout_s * 1e9);
	if (!code && !opt->show)
		code = run(&r, &args);
	cmdline_fini(&args);
	return code;
}
