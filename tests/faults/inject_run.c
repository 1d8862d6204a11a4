/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inject_run.c makes one run. As subreaper the harness inherits every process
 * that loses its parent, and the run is over when no child is left. Hangs are
 * shown by gdb and killed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/faults/inject.h"

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- the command ---- */

/* Sets FAULT_AT from "step:FUNCTION:N", with the offset in place of the
 * name. */
static void set_at(const struct launcher *l, const char *at)
{
	char function[64], text[128];
	unsigned long offset, nth = 1;

	if (sscanf(at, "step:%63[^:]:%lu", function, &nth) < 1) {
		setenv("FAULT_AT", at, 1);
		return;
	}
	offset = name_offset(l->victim, function);
	if (!offset)
		printf("# no function %s in %s\n", function, l->victim);
	snprintf(text, sizeof(text), "step:%lx:%lu", offset, nth);
	setenv("FAULT_AT", text, 1);
}

static void set_number(const char *name, int n)
{
	char text[32];

	snprintf(text, sizeof(text), "%d", n);
	setenv(name, text, 1);
}

static int split(char *text, char **words, int n)
{
	int k = 0;

	for (char *w = strtok(text, " "); w && k < n; w = strtok(NULL, " "))
		words[k++] = w;
	return k;
}

static void set_environment(const struct launcher *l, const struct fault *f)
{
	char text[256], *words[16];
	int n;

	snprintf(text, sizeof(text), "%s", f->env ? f->env : "");
	n = split(text, words, 16);
	for (int k = 0; k < n; k++) {
		char *value = strchr(words[k], '=');

		*value++ = '\0';
		setenv(words[k], value, 1);
	}
	/* one rank tells of a fault; at this level all do (judge_named) */
	setenv("MRT_LOG", "info", 1);
	setenv("FAULT_LOG", room_log(), 1);
	if (f->rank >= 0)
		set_number("FAULT_RANK", f->rank);
	else
		setenv("FAULT_RANK", "all", 1);
	if (f->at)
		set_at(l, f->at);
	if (f->what)
		setenv("FAULT_DO", f->what, 1);
	set_number("FAULT_AFTER", f->after_us);
	set_number("FAULT_LAUNCHER", (int)getpid());
}

static void exec_launcher(const struct launcher *l, const struct fault *f)
{
	char text[256], number[16], *argv[40];
	int n = 0;
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGHUP, SIG_DFL);
	setpgid(0, 0);
	dup2(open("/dev/null", O_RDONLY), 0);
	dup2(open(room_file("out"), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
	dup2(open(room_file("err"), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
	close_range(3, ~0u, 0);
	set_environment(l, f);
	for (; l->command[n]; n++)
		argv[n] = (char *)(uintptr_t)l->command[n];
	snprintf(number, sizeof(number), "%d", f->ranks);
	argv[n++] = (char *)(uintptr_t) "-n";
	argv[n++] = number;
	argv[n++] = (char *)(uintptr_t)l->victim;
	snprintf(text, sizeof(text), "%s", f->args ? f->args : "all");
	n += split(text, argv + n, 16);
	argv[n] = NULL;
	execvp(argv[0], argv);
	_exit(127);
}

/* ---- processes ---- */

static pid_t parent_of(pid_t pid)
{
	char path[64], line[512], *end;
	FILE *f;
	int parent = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	if (f && fgets(line, sizeof(line), f) && (end = strrchr(line, ')')))
		sscanf(end + 1, " %*c %d", &parent);
	if (f)
		fclose(f);
	return parent;
}

static bool descends(pid_t pid, pid_t from)
{
	for (int depth = 0; pid > 1 && depth < 16; depth++) {
		pid = parent_of(pid);
		if (pid == from)
			return true;
	}
	return false;
}

/* Calls a function for every process below this one. */
static void each_descendant(void (*call)(pid_t pid, int arg), int arg)
{
	struct dirent *e;
	DIR *d = opendir("/proc");

	while (d && (e = readdir(d))) {
		pid_t pid = atoi(e->d_name);

		if (pid > 0 && descends(pid, getpid()))
			call(pid, arg);
	}
	if (d)
		closedir(d);
}

static void send_signal(pid_t pid, int sig)
{
	kill(pid, sig);
}

static void show_stack(pid_t pid, int arg)
{
	char command[256];

	(void)arg;
	snprintf(command, sizeof(command),
		 "ps -o pid=,stat=,wchan=,args= -p %d | sed 's/^/# /'; "
		 "timeout 10 gdb -p %d -batch -nx -ex 'thread apply all bt 16' "
		 "2>/dev/null | grep '^[#T]' | sed 's/^/# /'",
		 (int)pid, (int)pid);
	fflush(stdout);
	if (system(command))
		printf("# no stack of %d\n", (int)pid);
}

static void wait_child(int ms)
{
	const struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigtimedwait(&set, NULL, &t);
}

struct watch_state {
	pid_t launcher;
	int64_t began, launcher_end, last_end, resume_at;
	bool looked;
};

/* Reaps processes that have ended; returns false when no child is left. */
static bool reap(struct watch_state *w, struct outcome *o)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		w->last_end = now_ns();
		if (pid != w->launcher)
			continue;
		w->launcher_end = w->last_end;
		o->code = WIFEXITED(status) ? WEXITSTATUS(status)
					    : 128 + WTERMSIG(status);
	}
	return pid == 0 || errno != ECHILD;
}

int look_ms;

/* Shows stacks once, look_ms after the start. */
static void look(struct watch_state *w)
{
	if (!look_ms || w->looked ||
	    now_ns() - w->began < (int64_t)look_ms * 1000000)
		return;
	w->looked = true;
	each_descendant(show_stack, 0);
}

static void watch(struct watch_state *w, struct outcome *o)
{
	while (reap(w, o)) {
		int64_t now = now_ns();

		if (w->resume_at && now > w->resume_at) {
			each_descendant(send_signal, SIGCONT);
			w->resume_at = 0;
		}
		look(w);
		if (now - w->began > (int64_t)HANG_S * 1000000000) {
			if (!o->hang)
				each_descendant(show_stack, 0);
			o->hang = true;
			each_descendant(send_signal, SIGKILL);
		}
		wait_child(50);
	}
}

/* ---- what it said ---- */

static void read_log(struct outcome *o)
{
	FILE *f = fopen(room_log(), "r");
	char line[128];
	long long t;
	int rank, n;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "fault %d %lld", &rank, &t) == 2) {
			o->injected = true;
			o->fault_ns = t;
			continue;
		}
		if (sscanf(line, "%*s %d", &rank) != 1 || rank < 0 ||
		    rank >= MAX_RANKS)
			continue;
		if (sscanf(line, "start %*d %d", &n) == 1)
			o->ends[rank].pid = n;
		else if (sscanf(line, "exit %*d %d", &n) == 1 &&
			 !o->ends[rank].exited) {
			o->ends[rank].exited = true;
			o->ends[rank].code = n;
		} else if (!strncmp(line, "in ", 3)) {
			o->ends[rank].in = true;
		} else if (!strncmp(line, "out ", 4)) {
			o->ends[rank].out = true;
		}
	}
	if (f)
		fclose(f);
}

static char *read_texts(void)
{
	enum { MOST = 1 << 18 };
	char *text = malloc(MOST);
	size_t n = 0;

	for (int k = 0; text && k < 2; k++) {
		FILE *f = fopen(room_file(k ? "out" : "err"), "r");

		if (f) {
			n += fread(text + n, 1, MOST - 1 - n, f);
			fclose(f);
		}
	}
	if (text)
		text[n] = '\0';
	return text;
}

/* Runs another job, which removes what the faulty job could not. */
static void run_next(const struct launcher *l)
{
	char command[600];

	snprintf(command, sizeof(command), "'%s' -n 1 true", l->command[0]);
	if (system(command))
		printf("# the next job fails\n");
}

static double ms_between(int64_t from, int64_t to)
{
	return from && to > from ? (double)(to - from) / 1e6 : 0;
}

void inject_run(const struct launcher *l, const struct fault *f,
		struct outcome *o)
{
	struct watch_state w = {0};
	sigset_t set;

	memset(o, 0, sizeof(*o));
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	unlink(room_log());
	name_offset(l->victim, "main"); /* reads the names in advance */
	fflush(stdout);
	w.began = now_ns();
	if (f->resume_ms)
		w.resume_at = w.began + (int64_t)f->resume_ms * 1000000;
	w.launcher = fork();
	if (w.launcher == 0)
		exec_launcher(l, f);
	watch(&w, o);
	read_log(o);
	o->text = read_texts();
	o->launcher_ms = ms_between(o->fault_ns, w.launcher_end);
	o->last_ms = ms_between(o->fault_ns, w.last_end);
	o->total_ms = ms_between(w.began, w.last_end);
	if (o->hang)
		snprintf(o->left, sizeof(o->left), " processes");
	if (f->swept)
		run_next(l);
	room_look(w.launcher, o->left, sizeof(o->left));
}

void outcome_free(struct outcome *o)
{
	free(o->text);
	o->text = NULL;
}
