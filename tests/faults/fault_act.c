/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fault_act.c implements fault_act.h. Everything that acts is
 * async-signal-safe. Exits are logged by an _exit of its own, which libraries
 * find before that of the C library.
 */
#include "tests/faults/fault_act.h"

#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define PLAIN __attribute__((no_instrument_function))

static struct {
	int log, rank, after_us;
	const char *at, *what; /* NULL if this rank does nothing */
	pid_t pid, launcher, guard;
} act = {.log = -1, .rank = -1};

static PLAIN long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Stdio is not used, because signal handlers log too, and ranks that end in
 * the middle of stdio. */
static PLAIN char *put_number(char *end, long long n)
{
	bool minus = n < 0;

	if (minus)
		n = -n;
	do
		*--end = (char)('0' + n % 10);
	while (n /= 10);
	if (minus)
		*--end = '-';
	return end;
}

static PLAIN void log_event(const char *what, const long long *numbers, int n)
{
	char line[128], number[24];
	size_t len = strlen(what);

	if (act.log < 0)
		return;
	memcpy(line, what, len);
	for (int k = 0; k < n; k++) {
		char *end = number + sizeof(number);
		char *begin = put_number(end, numbers[k]);

		line[len++] = ' ';
		memcpy(line + len, begin, (size_t)(end - begin));
		len += (size_t)(end - begin);
	}
	line[len++] = '\n';
	if (write(act.log, line, len) < 0) {
		/* the harness notices and reports that the line is missing */
	}
}

static PLAIN void log_exit(int code)
{
	const long long numbers[] = {act.rank, code & 0xff, now_ns()};

	if (getpid() == act.pid)
		log_event("exit", numbers, 3);
}

PLAIN void _exit(int code)
{
	log_exit(code);
	for (;;)
		syscall(SYS_exit_group, code);
}

static PLAIN void at_exit(int code, void *arg)
{
	(void)arg;
	log_exit(code);
	/* must not be logged again by an _exit of the C library */
}

PLAIN void fault_mark(void)
{
	const long long numbers[] = {act.rank, now_ns()};

	log_event("fault", numbers, 2);
}

static PLAIN int signal_named(const char *name)
{
	static const struct {
		const char *name;
		int number;
	} signals[] = {{"kill", SIGKILL}, {"segv", SIGSEGV}, {"abrt", SIGABRT},
		       {"stop", SIGSTOP}, {"term", SIGTERM}, {"int", SIGINT},
		       {"hup", SIGHUP}};

	for (size_t k = 0; k < sizeof(signals) / sizeof(signals[0]); k++)
		if (!strcmp(signals[k].name, name))
			return signals[k].number;
	return 0;
}

static PLAIN void do_it(int sig)
{
	const char *what = act.what, *arg = strchr(what, ':');
	size_t len = arg ? (size_t)(arg - what) : strlen(what);

	(void)sig;
	act.what = NULL;
	act.at = "done";
	fault_mark();
	arg = arg ? arg + 1 : what;
	if (!strncmp(what, "both", len)) {
		kill(act.guard, signal_named(arg));
		kill(act.launcher, signal_named(arg));
	} else if (!strncmp(what, "launcher", len)) {
		kill(act.launcher, signal_named(arg));
	} else if (!strncmp(what, "guard", len)) {
		kill(act.guard, signal_named(arg));
	} else if (!strncmp(what, "exit", len)) {
		exit(atoi(arg));
	} else if (!strncmp(what, "_exit", len)) {
		_exit(atoi(arg));
	} else if (!strncmp(what, "abort", len)) {
		MPI_Abort(MPI_COMM_WORLD, atoi(arg));
	} else {
		signal(signal_named(what), SIG_DFL);
		kill(getpid(), signal_named(what));
	}
}

PLAIN void fault_now(void)
{
	struct itimerval after = {{0, 0}, {0, 0}};

	if (!act.what)
		return;
	if (!act.after_us) {
		do_it(0);
		return;
	}
	act.at = "later";
	after.it_value.tv_sec = act.after_us / 1000000;
	after.it_value.tv_usec = act.after_us % 1000000;
	signal(SIGALRM, do_it);
	setitimer(ITIMER_REAL, &after, NULL);
}

PLAIN const char *fault_at(const char *kind)
{
	size_t len = strlen(kind);

	return act.at && !strncmp(act.at, kind, len) ? act.at + len : NULL;
}

PLAIN void fault_place(const char *name)
{
	const char *at = fault_at("place:");

	if (at && !strcmp(at, name))
		fault_now();
}

PLAIN void fault_say(const char *what)
{
	const long long numbers[] = {act.rank};

	log_event(what, numbers, 1);
}

PLAIN int fault_rank(void)
{
	static const char *const names[] = {"PMIX_RANK", "PMI_RANK",
					    "OMPI_COMM_WORLD_RANK"};

	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
		if (getenv(names[k]))
			return atoi(getenv(names[k]));
	return -1;
}

static PLAIN int number_in(const char *variable)
{
	const char *text = getenv(variable);

	return text ? atoi(text) : 0;
}

/* Returns the child of mrun that has the guard's name, or 0. */
static PLAIN pid_t find_guard(pid_t launcher)
{
	char path[64], name[32] = "";
	pid_t pid, found = 0;
	FILE *children, *comm;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)launcher,
		 (int)launcher);
	children = fopen(path, "r");
	while (children && !found && fscanf(children, "%d", &pid) == 1) {
		snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
		comm = fopen(path, "r");
		if (comm && fgets(name, sizeof(name), comm) &&
		    !strcmp(name, "rank-guard\n"))
			found = pid;
		if (comm)
			fclose(comm);
	}
	if (children)
		fclose(children);
	return found;
}

/* Waits for the guard: it takes its name a moment after it is started. */
static PLAIN pid_t await_guard(pid_t launcher)
{
	pid_t guard = 0;

	for (int tries = 0; !guard && tries < 500; tries++) {
		guard = find_guard(launcher);
		if (!guard)
			usleep(10000);
	}
	return guard;
}

static PLAIN void read_orders(void)
{
	const char *mine = getenv("FAULT_RANK");

	if (!mine || (atoi(mine) != act.rank && strcmp(mine, "all")))
		return;
	act.at = getenv("FAULT_AT");
	act.what = getenv("FAULT_DO");
	act.after_us = number_in("FAULT_AFTER");
	act.launcher = number_in("FAULT_LAUNCHER");
	if (act.what &&
	    (!strncmp(act.what, "guard", 5) || !strncmp(act.what, "both", 4)))
		act.guard = await_guard(act.launcher);
}

/* Runs before other constructors of the program, which may count as steps. */
__attribute__((constructor(101))) static PLAIN void begin(void)
{
	const char *log = getenv("FAULT_LOG");
	const struct rlimit none = {0, 0};

	act.pid = getpid();
	act.rank = fault_rank();
	if (log) {
		const long long numbers[] = {act.rank, act.pid};

		act.log =
		    open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
		log_event("start", numbers, 2);
	}
	setrlimit(RLIMIT_CORE, &none);
	on_exit(at_exit, NULL);
	read_orders();
	if (fault_at("start"))
		fault_now();
}
