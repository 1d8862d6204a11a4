/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scale_run.c: `mrt-scale run`: runs a job by mrun for each number of ranks,
 * one after the other. mrun finds out how to start ranks here (itself, Slurm,
 * ssh). The study is locked meanwhile. mrun inherits the lock, so that nobody
 * measures beside a job that has lost its mrt-scale but has not ended yet.
 */
#include "tools/scale/measure.h"

#include "apps/common/app.h"
#include "tools/scale/scale.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOCK_WAIT_MS 10000

static volatile sig_atomic_t stopped, job;

static void on_signal(int sig)
{
	stopped = sig;
	if (job > 0)
		kill(job, sig);
}

/* Returns the descriptor that holds the lock; -1 after a message. */
static int scale_run_lock(const char *path)
{
	const struct timespec pause = {.tv_nsec = 50000000};
	char name[STUDY_PATH];
	int fd;

	snprintf(name, sizeof(name), "%s/lock", path);
	fd = open(name, O_RDWR | O_CREAT, 0666);
	for (int ms = 0; fd >= 0 && ms <= LOCK_WAIT_MS; ms += 50) {
		if (!flock(fd, LOCK_EX | LOCK_NB))
			return fd;
		if (errno != EWOULDBLOCK)
			break;
		nanosleep(&pause, NULL);
	}
	return scale_error(-1, "%s: %s", name,
			   fd >= 0 && errno == EWOULDBLOCK
			       ? "another mrt-scale run is at work"
			       : strerror(errno));
}

/* Finds mrun next to this program, above it (libtool's program is in .libs), or
 * in PATH. */
static void find_mrun(char name[STUDY_PATH], const char *self)
{
	const char *slash = strrchr(self, '/');
	int folder = slash ? (int)(slash - self) + 1 : 0;

	snprintf(name, STUDY_PATH, "%.*smrun", folder, self);
	if (access(name, X_OK))
		snprintf(name, STUDY_PATH, "%.*s../mrun", folder, self);
	if (access(name, X_OK))
		snprintf(name, STUDY_PATH, "mrun");
}

/* Runs in the child, and does not return. */
static void scale_run_start(int ranks, int argc, char **argv,
			    const struct measure_options *o, pid_t parent)
{
	char **list =
	    scale_alloc((size_t)(argc + o->nlaunch + 8), sizeof(*list));
	char self[STUDY_PATH], mrun[STUDY_PATH], number[16];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int n = 0;

	if (len < 0)
		_exit(scale_error(APP_FAILED, "/proc: %s", strerror(errno)));
	self[len] = '\0';
	find_mrun(mrun, self);
	snprintf(number, sizeof(number), "%d", ranks);
	list[n++] = mrun;
	for (int i = 0; i < o->nlaunch; i++)
		list[n++] = o->launch[i];
	list[n++] = (char *)"-n";
	list[n++] = number;
	list[n++] = self;
	list[n++] = (char *)"worker";
	for (int i = 1; i < argc; i++)
		list[n++] = argv[i];
	/* ends the job if this process is killed */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(APP_FAILED);
	execvp(mrun, list);
	_exit(scale_error(APP_FAILED, "%s: %s", mrun, strerror(errno)));
}

static int run_job(int ranks, int argc, char **argv,
		   const struct measure_options *o)
{
	pid_t parent = getpid(), pid = fork();
	int status;

	if (pid < 0)
		return scale_error(APP_RESOURCE, "fork: %s", strerror(errno));
	if (!pid)
		scale_run_start(ranks, argc, argv, o, parent);
	job = pid;
	if (stopped)
		kill(pid, stopped);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	job = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Returns the number of arguments before "--", where measure_parse has cut
 * them. */
static int own_arguments(int argc, const struct measure_options *o)
{
	return o->launch ? argc - o->nlaunch - 1 : argc;
}

static int run_jobs(int argc, char **argv, const struct measure_options *o)
{
	for (int i = 0; i < o->nranks; i++) {
		int code;

		if (i && o->ranks[i] == o->ranks[i - 1])
			continue;
		code = run_job(o->ranks[i], argc, argv, o);
		if (stopped)
			code = 128 + stopped;
		if (code)
			return scale_error(
			    code,
			    "the job of %d ranks has ended with %d; what was "
			    "measured stays in %s, and the same command goes "
			    "on with the rest",
			    o->ranks[i], code, o->output);
	}
	return 0;
}

/* Removes temporary files of writers that were killed. */
static void remove_remains(const char *path, const char *folder)
{
	char name[STUDY_PATH];
	struct dirent *e;
	DIR *d;

	snprintf(name, sizeof(name), "%s/%s", path, folder);
	d = opendir(name);
	while (d && (e = readdir(d)) != NULL) {
		size_t len = strlen(e->d_name);

		if (len > 4 && !strcmp(e->d_name + len - 4, ".tmp"))
			unlinkat(dirfd(d), e->d_name, 0);
	}
	if (d)
		closedir(d);
}

int scale_run(int argc, char **argv)
{
	struct sigaction act = {.sa_handler = on_signal};
	struct measure_options o;
	struct study study;
	int fd, code = measure_parse(argc, argv, &o);

	if (code >= 0)
		return code;
	code = study_create(o.output, 0);
	if (code)
		return code;
	fd = scale_run_lock(o.output);
	if (fd < 0)
		return APP_CANTCREAT;
	remove_remains(o.output, "points");
	remove_remains(o.output, "jobs");
	code = study_load(
	    &study, o.output); /* reports a damaged study before measuring */
	if (code)
		return code;
	if (study.simulated)
		code =
		    scale_error(APP_DATAERR,
				"%s holds predictions: nothing measured goes "
				"there",
				o.output);
	study_fini(&study);
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGHUP, &act, NULL);
	if (!code)
		code = run_jobs(own_arguments(argc, &o), argv, &o);
	close(fd);
	return code;
}
