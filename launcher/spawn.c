/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spawn.c: fork and exec. PMIx's threads already exist, so the child calls only
 * async-signal-safe functions, and everything it needs is made before. The fork
 * is a vfork: copying mrun's page tables for each rank, and then the pages that
 * mrun writes, takes longer than waiting for the exec. So the child writes only
 * to its own stack, and runs no signal handler.
 */

#include "launcher/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher/mpir.h"
#include "launcher/say.h"
#include "launcher/server.h"
#include "runtime/base/limits.h"

/* Open files and address space that mrun and its PMIx server need for any
 * number of ranks. */
enum { OWN_FILES = 55, OWN_SPACE = 20 << 20 };

/* Everything that a starting rank needs between fork and exec. */
struct child {
	const struct spawner *s;
	const struct rank *rank;
	char **env;
	int fds[3];
	cpu_set_t *cpus; /* NULL: not bound */
	size_t cpus_size;
	bool held; /* for a debugger */
};

struct exec_error {
	int rank, error;
};

/* Returns 0 if this file can be executed, or the errno. */
static int try_file(const char *wdir, const char *path)
{
	char full[8192];
	struct stat st;

	if (wdir && *path != '/') {
		snprintf(full, sizeof(full), "%s/%s", wdir, path);
		path = full;
	}
	if (stat(path, &st))
		return errno;
	if (S_ISDIR(st.st_mode))
		return EACCES;
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) ? errno : 0;
}

/* Searches the folders "a:b". Returns 0 with app->path set, or an errno. */
static int search_dirs(struct app *app, const char *dirs)
{
	int error = ENOENT;

	for (size_t len; *dirs; dirs += len + (dirs[len] == ':')) {
		char path[4096];
		int rc;

		len = strcspn(dirs, ":");
		snprintf(path, sizeof(path), "%.*s/%s", len ? (int)len : 1,
			 len ? dirs : ".", app->argv[0]);
		rc = try_file(app->wdir, path);
		if (rc == 0) {
			app->path = strdup(path);
			return app->path ? 0 : ENOMEM;
		}
		if (rc != ENOENT && rc != ENOTDIR)
			error = rc;
	}
	return error;
}

/* Searches --path and PATH. Returns 0 with app->path set, or an errno. */
static int search_path(struct app *app)
{
	const char *dirs = getenv("PATH");
	int error = ENOENT;

	for (int i = 0; i < app->nenv; i++)
		if (!strncmp(app->env[i], "PATH=", 5))
			dirs = app->env[i] + 5;
	if (app->search)
		error = search_dirs(app, app->search);
	return error == ENOENT && dirs ? search_dirs(app, dirs) : error;
}

int spawn_resolve(struct app *app)
{
	struct stat st;
	int error;

	if (app->wdir && (stat(app->wdir, &st) || !S_ISDIR(st.st_mode)))
		return say_fail(EXIT_USAGE, "--wdir %s: no such directory",
				app->wdir);
	if (strchr(app->argv[0], '/')) {
		error = try_file(app->wdir, app->argv[0]);
		if (!error) {
			app->path = strdup(app->argv[0]);
			error = app->path ? 0 : ENOMEM;
		}
	} else {
		error = search_path(app);
	}
	if (!error)
		return 0;
	say_error("cannot run %s: %s%s", app->argv[0],
		  error == EACCES ? "not executable" : strerror(error),
		  error == ENOENT && !strchr(app->argv[0], '/')
		      ? " in any directory of PATH"
		      : "");
	return error == ENOENT || error == ENOTDIR ? EXIT_NOT_FOUND
						   : EXIT_CANNOT_EXEC;
}

int spawn_init(struct spawner *s)
{
	if (pipe2(s->errors, O_CLOEXEC | O_NONBLOCK))
		return say_fail(EXIT_RESOURCE, "cannot make a pipe: %s",
				strerror(errno));
	return 0;
}

static int raise_file_limit(struct spawner *s, const struct job *job)
{
	/* pipes of a rank's output, and its PMIx connection */
	int each = job->opt->output_dir ? 1 : 3;
	int used = open("/", O_PATH | O_CLOEXEC); /* lowest free number */
	struct rlimit all;
	rlim_t need;

	getrlimit(RLIMIT_NOFILE, &s->files);
	all = s->files;
	all.rlim_cur = all.rlim_max;
	setrlimit(RLIMIT_NOFILE, &all);
	need = (rlim_t)((used < 0 ? 3 : used) + each * job->nranks + OWN_FILES);
	if (used >= 0)
		close(used);
	if (used >= 0 && all.rlim_cur >= need)
		return 0;
	return say_fail(
	    EXIT_RESOURCE,
	    "%d ranks need about %llu open files of mrun, the limit is "
	    "%llu: raise it (ulimit -n), or start fewer ranks",
	    job->nranks, (unsigned long long)need,
	    (unsigned long long)all.rlim_cur);
}

int spawn_raise_limits(struct spawner *s, const struct job *job)
{
	if (limit_leaves_space(OWN_SPACE))
		return raise_file_limit(s, job);
	return say_fail(
	    EXIT_RESOURCE,
	    "less than %d MiB of address space are left: raise the limit "
	    "(ulimit -v)",
	    OWN_SPACE >> 20);
}

static void reset_signals(void)
{
	struct sigaction dfl = {.sa_handler = SIG_DFL};
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		sigaction(sig, &dfl, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Moves a descriptor above 0..2, where it could be overwritten before it is
 * used. */
static int move_up(int fd)
{
	return fd > 2 ? fd : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static void install_fds(const struct child *c)
{
	int up[3];

	for (int k = 0; k < 3; k++)
		up[k] = move_up(c->fds[k]);
	for (int k = 0; k < 3; k++)
		dup2(up[k], k);
	close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
}

static _Noreturn void become_rank(const struct child *c)
{
	const struct app *app = c->rank->app;
	struct exec_error report = {c->rank->rank, 0};

	setpgid(0, 0);
	guard_add_group(c->s->guard, getpid());
	if (c->cpus)
		sched_setaffinity(0, c->cpus_size, c->cpus);
	setrlimit(RLIMIT_NOFILE, &c->s->files);
	install_fds(c);
	reset_signals();
	if ((!app->wdir || !chdir(app->wdir)) &&
	    (!c->held || !ptrace(PTRACE_TRACEME, 0, NULL, NULL)))
		execvpe(app->path, app->argv, c->env);
	report.error = errno;
	if (write(c->s->errors[1], &report, sizeof(report)) < 0) {
		/* the exit code reports it too */
	}
	_exit(report.error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXEC);
}

/* Not inlined: the child's calls are in stack frames below this one, so they
 * leave the parent's alone. */
static __attribute__((noinline)) pid_t start_child(const struct child *c)
{
	pid_t pid = vfork();

	if (pid == 0)
		become_rank(c);
	return pid;
}

static cpu_set_t *make_cpu_set(const struct rank *rank, size_t *size)
{
	int last = hwloc_bitmap_last(rank->cpus);
	cpu_set_t *set;
	unsigned cpu;

	if (!rank->bound || last < 0)
		return NULL;
	*size = CPU_ALLOC_SIZE(last + 1);
	set = CPU_ALLOC(last + 1);
	if (!set)
		return NULL;
	CPU_ZERO_S(*size, set);
	hwloc_bitmap_foreach_begin(cpu, rank->cpus) CPU_SET_S(cpu, *size, set);
	hwloc_bitmap_foreach_end();
	return set;
}

static int spawn_rank(struct spawner *s, struct rank *rank, char **base)
{
	struct child c = {.s = s, .rank = rank, .held = mpir_holds()};
	int code = output_open(s->output, rank->rank, &c.fds[1]);

	if (code)
		return code;
	c.env = server_make_env(s->job, rank->rank, base);
	c.cpus = make_cpu_set(rank, &c.cpus_size);
	c.fds[0] = input_open(s->input, s->job, rank->rank);
	rank->pid = c.env ? start_child(&c) : -1;
	if (rank->pid < 0) {
		say_error("cannot start rank %d of %d: %s; %s", rank->rank,
			  s->job->nranks, strerror(errno), limit_advice(errno));
		rank->pid = 0;
		code = EXIT_RESOURCE;
	} else {
		/* The child does this too; whoever is first. A signal may be
		 * due before the child runs. */
		setpgid(rank->pid, rank->pid);
		rank->running = rank->group = true;
		if (c.held)
			mpir_hold(rank->pid);
		s->job->running++;
		say_verbose("rank %d is pid %d (%s)", rank->rank,
			    (int)rank->pid, rank->app->path);
	}
	input_close_child(s->input, c.fds[0]);
	close(c.fds[1]);
	close(c.fds[2]);
	CPU_FREE(c.cpus);
	server_free_env(c.env);
	return code;
}

static bool spawn_overridden(const struct app *app, const char *entry)
{
	size_t len = strcspn(entry, "=") + 1;

	for (int i = 0; i < app->nenv; i++)
		if (!strncmp(app->env[i], entry, len))
			return true;
	return false;
}

/* Returns whether the program gets this variable of mrun. */
static bool spawn_inherited(const struct app *app, const char *entry)
{
	size_t len = strcspn(entry, "="), n;

	if (!strncmp(entry, "PMIX_", 5) || spawn_overridden(app, entry))
		return false;
	if (!app->inherit || *app->inherit == '*' || !strncmp(entry, "MRT_", 4))
		return true;
	for (const char *name = app->inherit; *name;
	     name += n + (name[n] == ',')) {
		n = strcspn(name, ",");
		if (n == len && !strncmp(name, entry, n))
			return true;
	}
	return false;
}

/* Returns what the program inherits of mrun's environment, plus its own. The
 * strings are borrowed. */
static char **base_env(const struct app *app)
{
	extern char **environ;
	size_t n = 0;
	char **env;

	while (environ[n])
		n++;
	env = calloc(n + (size_t)app->nenv + 1, sizeof(*env));
	n = 0;
	for (char **e = environ; env && *e; e++)
		if (spawn_inherited(app, *e))
			env[n++] = *e;
	for (int i = 0; env && i < app->nenv; i++)
		env[n++] = app->env[i];
	return env;
}

const char *spawn_getenv(const struct app *app, const char *name)
{
	char **env = base_env(app);
	size_t len = strlen(name);
	const char *value = NULL;

	for (char **e = env; e && *e && !value; e++)
		if (!strncmp(*e, name, len) && (*e)[len] == '=')
			value = *e + len + 1;
	free(env);
	return value;
}

int spawn_all(struct spawner *s)
{
	const struct app *app = NULL;
	char **base = NULL;
	int code = 0;

	for (int r = 0; !code && r < s->job->nranks; r++) {
		struct rank *rank = &s->job->ranks[r];

		if (rank->app != app) {
			app = rank->app;
			free(base);
			base = base_env(app);
		}
		if (base) {
			code = spawn_rank(s, rank, base);
		} else
			code = say_fail(EXIT_RESOURCE, "out of memory");
	}
	free(base);
	return code;
}

void spawn_collect_errors(struct spawner *s)
{
	struct exec_error report;

	while (read(s->errors[0], &report, sizeof(report)) == sizeof(report))
		if (report.rank >= 0 && report.rank < s->job->nranks)
			s->job->ranks[report.rank].exec_errno = report.error;
}
