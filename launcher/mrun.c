/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mrun.c: the main program. The order of the start is fixed: signals are
 * blocked before PMIx has threads, the guard is forked while there are none,
 * and ranks are registered before any is started. Then mrun loops until the
 * last rank has ended and its output is delivered, and shuts everything down.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "launcher/engine.h"
#include "launcher/foreign.h"
#include "launcher/guard.h"
#include "launcher/hang_report.h"
#include "launcher/input.h"
#include "launcher/job.h"
#include "launcher/job_end.h"
#include "launcher/loop.h"
#include "launcher/map.h"
#include "launcher/mpir.h"
#include "launcher/oom.h"
#include "launcher/options.h"
#include "launcher/output.h"
#include "launcher/rankfile.h"
#include "launcher/bindings.h"
#include "launcher/say.h"
#include "launcher/server.h"
#include "launcher/spawn.h"
#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/limits.h"
#include "runtime/base/list.h"
#include "runtime/base/log.h"

enum {
	LEFTOVER_MS = 200, /* for processes that ranks left behind to end */
	UNREAD_MS = 300	   /* for a reader that does not read, after a kill */
};

struct mrun {
	struct options opt;
	struct job job;
	struct map map;
	struct rankfile rankfile;
	struct guard guard;
	struct output output;
	struct input input;
	struct spawner spawner;
	struct watch signals, messages, errors;
	int quit_signals; /* number of SIGINT, SIGTERM ... received */
};

/*
 * Collects everything there is to know about the ranks before it decides what
 * has failed; job_end_failures says why. The protocol is modelled in
 * tests/models/end.pml.
 */
static void update_ranks(struct mrun *m)
{
	struct server_message message;

	do
		while (server_next(&message))
			job_end_message(&m->job, &message);
	while (job_end_reap(&m->job, &m->guard) > 0);
	spawn_collect_errors(&m->spawner);
	for (int r = 0; r < m->job.nranks; r++)
		if (m->job.ranks[r].pid && !m->job.ranks[r].running &&
		    !m->job.ranks[r].reaped)
			output_catch_up(&m->output, r);
	job_end_failures(&m->job);
}

static void messages_ready(struct watch *watch)
{
	update_ranks(list_entry(watch, struct mrun, messages));
}

static void errors_ready(struct watch *watch)
{
	update_ranks(list_entry(watch, struct mrun, errors));
}

static void mrun_quit(struct mrun *m, int sig)
{
	bool first = m->quit_signals++ == 0;

	if (first && m->job.ending < END_TERMINATED)
		say("got signal %d (%s); ending the job", sig, strsignal(sig));
	if (first && sig == SIGINT && m->job.ending == END_NOT_YET &&
	    say_is_heard())
		hang_report_print(&m->job);
	job_end_with(&m->job, EXIT_SIGNAL + sig);
}

/* Ctrl-Z: the ranks are not in the terminal's process group, so mrun stops them
 * itself, and continues them when it is continued. */
static void mrun_suspend(struct mrun *m)
{
	job_signal(&m->job, SIGSTOP);
	raise(SIGSTOP);
}

static void signals_ready(struct watch *watch)
{
	struct mrun *m = list_entry(watch, struct mrun, signals);
	struct signalfd_siginfo info;

	while (read(watch->fd, &info, sizeof(info)) == sizeof(info)) {
		switch (info.ssi_signo) {
		case SIGCHLD:
			update_ranks(m);
			break;
		case SIGTSTP:
			mrun_suspend(m);
			break;
		case SIGCONT:
			job_signal(&m->job, SIGCONT);
			input_resume(&m->input);
			break;
		case SIGUSR1:
			hang_report_print(&m->job);
			break;
		case SIGUSR2:
			job_signal(&m->job, (int)info.ssi_signo);
			break;
		default:
			mrun_quit(m, (int)info.ssi_signo);
		}
	}
}

/* mrun's stdout is closed: ends the job silently, as SIGPIPE would end a
 * filter. */
static void output_broken(void *arg, int error)
{
	struct mrun *m = arg;

	if (error != EPIPE)
		say_error("cannot write standard output: %s", strerror(error));
	job_end_with(&m->job,
		     error == EPIPE ? EXIT_SIGNAL + SIGPIPE : EXIT_RESOURCE);
}

/* Opens descriptors 0 to 2 if they are closed, or pipes and sockets would get
 * these numbers. */
static void open_standard_fds(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= 2);
	if (fd > 2)
		close(fd);
}

static int block_signals(struct mrun *m)
{
	static const int taken[] = {SIGCHLD, SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
				    SIGTSTP, SIGCONT, SIGUSR1, SIGUSR2};
	struct sigaction hangup;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		sigaddset(&set, taken[i]);
	sigaction(SIGHUP, NULL, &hangup);
	if (hangup.sa_handler == SIG_IGN) /* nohup mrun */
		sigdelset(&set, SIGHUP);
	m->signals.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	m->signals.ready = signals_ready;
	/* An ignored signal is not queued, and a shell ignores some in
	 * background jobs. */
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (sigismember(&set, taken[i]))
			signal(taken[i], SIG_DFL);
	/* With these blocked, a background read of the terminal fails; see
	 * input.c. */
	sigaddset(&set, SIGTTIN);
	sigaddset(&set, SIGTTOU);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	return m->signals.fd < 0 ? -1 : 0;
}

/* Checks what is needed on one node or many. *engine is who starts the ranks,
 * NULL for mrun itself. */
static int mrun_prepare(struct options *opt, const struct engine **engine)
{
	char err[512];
	int code = 0;

	if (env_load(err, sizeof(err)))
		return say_fail(EXIT_CONFIG, "%s", err);
	for (int a = 0; !code && a < opt->napps; a++)
		code = spawn_resolve(&opt->apps[a]);
	return code ? code : engine_choose(opt, engine);
}

static int mrun_plan(struct mrun *m)
{
	int code = map_load(&m->map);

	if (!code && m->opt.rankfile)
		code = rankfile_read(&m->rankfile, m->opt.rankfile);
	if (code)
		return code;
	code = job_init(&m->job, &m->opt,
			m->rankfile.n ?: map_room(&m->map, &m->opt));
	if (!code && m->opt.stdin_rank >= m->job.nranks)
		code = say_fail(EXIT_USAGE,
				"--stdin %d: the job has ranks 0 to %d",
				m->opt.stdin_rank, m->job.nranks - 1);
	if (!code && m->opt.rankfile)
		code = rankfile_map(&m->rankfile, &m->map, &m->job);
	else if (!code)
		code = map_ranks(&m->map, &m->job);
	rankfile_fini(&m->rankfile);
	if (!code && m->opt.report_bindings)
		bindings_print(&m->map, &m->job);
	if (!code && (m->opt.report_bindings || env.log >= LOG_INFO))
		bindings_check_threads(&m->job);
	return code;
}

static int start_guard(struct mrun *m, char *args, size_t args_len)
{
	const struct guard_plan guarded = {m->job.dir, m->job.nranks, args,
					   args_len};

	if (guard_start(&m->guard, &guarded))
		return say_fail(EXIT_RESOURCE, "cannot start the guard: %s; %s",
				strerror(errno), limit_advice(errno));
	return 0;
}

static int watch_all(struct mrun *m)
{
	m->messages.fd = server_fd();
	m->messages.ready = messages_ready;
	m->errors.fd = m->spawner.errors[0];
	m->errors.ready = errors_ready;
	return loop_add(&m->signals, LOOP_READ) |
	       loop_add(&m->messages, LOOP_READ) |
	       loop_add(&m->errors, LOOP_READ);
}

static int start_ranks(struct mrun *m)
{
	int code = output_init(&m->output, &m->job, output_broken, m);

	if (code)
		return code;
	m->spawner.job = &m->job;
	m->spawner.output = &m->output;
	m->spawner.input = &m->input;
	m->spawner.guard = &m->guard;
	code = input_init(&m->input) ?: spawn_init(&m->spawner);
	if (!code && watch_all(m))
		code = say_fail(EXIT_RESOURCE, "cannot watch descriptors: %s",
				strerror(errno));
	if (code)
		return code;
	if (m->opt.timeout_s > 0)
		m->job.timeout_ns =
		    m->job.started_ns + (uint64_t)(m->opt.timeout_s * 1e9);
	/* ranks wait at the start for those that a debugger stops */
	if (mpir_holds())
		setenv("MRT_TIMEOUT", "86400", 0);
	code = spawn_all(&m->spawner);
	if (code) { /* end those that have started */
		m->job.exit_code = code;
		job_end_with(&m->job, code);
		job_end_with(&m->job, code);
	} else {
		mpir_spawned(&m->job);
	}
	return 0;
}

static void run_loop(struct mrun *m)
{
	while (m->job.running > 0) {
		int ms = loop_shorter(job_end_timeout_ms(&m->job),
				      output_timeout_ms(&m->output));

		if (m->job.ending == END_NOT_YET)
			ms = loop_shorter(ms, hang_report_timeout_ms());
		loop_once(ms);
		job_end_deadlines(&m->job);
		hang_report_check(&m->job);
		output_flush(&m->output);
	}
	m->job.timeout_ns = 0;
	m->job.deadline_ns = 0;
}

/* Loops until done() or for ms milliseconds (-1: no limit). */
static void loop_until(struct mrun *m, bool (*done)(const struct mrun *m),
		       int ms)
{
	uint64_t end = clock_ns() + (uint64_t)(ms > 0 ? ms : 0) * 1000000u;

	while (!done(m)) {
		uint64_t now = clock_ns();

		if (ms >= 0 && now >= end)
			return;
		/* A quit signal ends an unlimited wait. */
		if (ms < 0 && m->quit_signals > 0)
			return;
		loop_once(ms < 0 ? -1 : (int)((end - now) / 1000000u) + 1);
	}
}

static bool streams_ended(const struct mrun *m)
{
	return m->output.open == 0;
}

static bool mrun_delivered(const struct mrun *m)
{
	return output_delivered(&m->output);
}

/*
 * All ranks have ended. Processes that they left in the background may still
 * write for LEFTOVER_MS before they are killed. Then all that was written is
 * delivered.
 */
static void finish_output(struct mrun *m)
{
	bool killed = m->quit_signals > 0 || m->job.exit_code == EXIT_TIMEOUT;

	if (m->job.ending == END_NOT_YET)
		loop_until(m, streams_ended, LEFTOVER_MS);
	job_signal(&m->job, SIGKILL);
	loop_until(m, streams_ended, LEFTOVER_MS);
	output_close(&m->output);
	loop_until(m, mrun_delivered, killed ? UNREAD_MS : -1);
}

static int mrun_run(struct mrun *m, char *args, size_t args_len)
{
	int code;

	code = spawn_raise_limits(&m->spawner, &m->job);
	if (code)
		return code;
	if (block_signals(m) || loop_init())
		return say_fail(EXIT_RESOURCE, "cannot set up signals: %s; %s",
				strerror(errno), limit_advice(errno));
	code = job_make_dir(&m->job);
	if (code)
		return code;
	code = start_guard(m, args, args_len);
	if (code) {
		job_remove_dir(m->job.dir);
		return code;
	}
	hang_report_init(&m->job);
	oom_init();
	code = server_start(&m->map, &m->job);
	if (!code) {
		say_verbose("server is up after %.1f ms",
			    (double)(clock_ns() - m->job.started_ns) / 1e6);
		code = start_ranks(m);
	}
	if (!code) {
		run_loop(m);
		finish_output(m);
		foreign_warn(&m->job);
		code = m->job.exit_code;
		say_verbose("exit code %d after %.1f ms", code,
			    (double)(clock_ns() - m->job.started_ns) / 1e6);
		output_fini(&m->output);
		input_fini(&m->input);
		server_forget(&m->job);
	}
	hang_report_fini();
	job_remove_dir(m->job.dir);
	guard_dismiss(&m->guard);
	return code;
}

/* Sets variables for the ranks, but none that the user has set. */
static void tell_of_streams(void)
{
	/* stderr of a rank is a pipe, which may end at a terminal */
	if (isatty(STDERR_FILENO))
		setenv("MRT_TTY", "yes", 0);
	/* libmrt sees to C and C++; these two buffer by themselves */
	if (env_choice("MRT_STREAM_BUFFERING") != STREAM_FULL) {
		setenv("GFORTRAN_UNBUFFERED_PRECONNECTED", "y", 0);
		setenv("PYTHONUNBUFFERED", "1", 0);
	}
}

int main(int argc, char **argv)
{
	static struct mrun m;
	const struct engine *engine = NULL;
	char *last = argv[argc - 1];
	size_t args_len = (size_t)(last + strlen(last) + 1 - argv[0]);
	int code;

	open_standard_fds();
	code = options_parse(argv, &m.opt);
	if (code)
		return code;
	if (m.opt.help) {
		m.opt.help();
		return fflush(stdout) ? EXIT_RESOURCE : 0;
	}
	tell_of_streams();
	code = mrun_prepare(&m.opt, &engine);
	if (!code && engine)
		return engine_run(engine, &m.opt);
	if (!code)
		code = mrun_plan(&m);
	if (!code && m.opt.show)
		printf("mrun starts %d ranks on this node itself\n",
		       m.job.nranks);
	else if (!code)
		code = mrun_run(&m, argv[0], args_len);
	/* No exit(): PMIx's threads still run, and destructors would race with
	 * them. */
	fflush(NULL);
	_exit(code);
}
