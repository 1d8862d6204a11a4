/* SPDX-License-Identifier: Apache-2.0 */
/* job.c: the table of ranks and the job's directory. */

#include "launcher/job.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher/say.h"
#include "runtime/base/clock.h"

/* The random part makes the name unique although PIDs are reused, and although
 * containers with one host name all start counting PIDs at 1. */
static void name_job(struct job *job)
{
	uint32_t chance;

	if (getrandom(&chance, sizeof(chance), 0) < 0)
		chance = (uint32_t)(clock_ns() >> 4);
	snprintf(job->name, sizeof(job->name), "mrun-%.64s-%d-%08x", job->host,
		 (int)getpid(), chance);
}

int job_init(struct job *job, const struct options *opt, int cores)
{
	int next = 0;

	memset(job, 0, sizeof(*job));
	job->opt = opt;
	job->started_ns = clock_ns();
	if (gethostname(job->host, sizeof(job->host) - 1))
		strcpy(job->host, "localhost");
	name_job(job);
	for (int a = 0; a < opt->napps; a++)
		job->nranks +=
		    opt->apps[a].nranks ? opt->apps[a].nranks : cores;
	job->ranks = calloc((size_t)job->nranks, sizeof(*job->ranks));
	if (!job->ranks)
		return say_fail(EXIT_RESOURCE, "out of memory");
	for (int a = 0; a < opt->napps; a++) {
		int n = opt->apps[a].nranks ? opt->apps[a].nranks : cores;

		for (int k = 0; k < n; k++, next++) {
			job->ranks[next].rank = next;
			job->ranks[next].app = &opt->apps[a];
			job->ranks[next].app_num = a;
			job->ranks[next].app_rank = k;
		}
	}
	return 0;
}

/* Locks the directory until the descriptor is closed or this process ends.
 * Returns the descriptor, or -1 if another process holds the lock. */
static int lock_dir(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		return -1;
	}
	return fd;
}

static void remove_stale_dir(const char *path)
{
	struct stat st;
	int fd = lock_dir(path);

	if (fd >= 0 && !fstat(fd, &st) && st.st_uid == geteuid() &&
	    (st.st_mode & 07777) == 0700)
		job_remove_dir(path);
	if (fd >= 0)
		close(fd);
}

/* Returns the PID in a directory name that job_make_dir has made; 0 if the name
 * is of another kind. */
static int maker_of(const char *name)
{
	int pid, end = 0;

	if (sscanf(name, "mrun.%d.%n", &pid, &end) != 1 || !end || pid <= 0 ||
	    strlen(name + end) != 6)
		return 0;
	return pid;
}

/*
 * Removes directories of this user's jobs whose mrun was killed together with
 * its guard (by the memory limit of a control group, for example). A locked
 * directory belongs to a living process, perhaps in another PID namespace.
 */
static void remove_stale_dirs(const char *base)
{
	char path[512];
	struct dirent *e;
	DIR *d = opendir(base);
	int pid;

	while (d && (e = readdir(d))) {
		pid = maker_of(e->d_name);
		if (!pid || !kill(pid, 0) || errno != ESRCH)
			continue;
		snprintf(path, sizeof(path), "%.200s/%.255s", base, e->d_name);
		remove_stale_dir(path);
	}
	if (d)
		closedir(d);
}

/* A directory in which others may rename our files is not safe. */
static bool is_safe(const char *base)
{
	struct stat st;

	if (stat(base, &st))
		return true; /* mkdtemp will report it */
	if (!(st.st_mode & S_IWOTH) || st.st_mode & S_ISVTX)
		return true;
	say_verbose("%s is not used: others may write there, and it has no "
		    "sticky bit",
		    base);
	errno = EACCES;
	return false;
}

/* Ranks keep their shared memory in this directory, so a memory file system
 * comes first: on a disk the kernel would write the segments back. */
int job_make_dir(struct job *job)
{
	const char *bases[] = {"/dev/shm", getenv("TMPDIR"), "/tmp"};

	for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
		if (!bases[i] || bases[i][0] != '/' || !is_safe(bases[i]))
			continue;
		snprintf(job->dir, sizeof(job->dir), "%.90s/mrun.%d.XXXXXX",
			 bases[i], (int)getpid());
		remove_stale_dirs(bases[i]);
		if (mkdtemp(job->dir)) {
			lock_dir(job->dir);
			return 0;
		}
	}
	say_error("cannot make a directory in /dev/shm, $TMPDIR or /tmp: %s; "
		  "set TMPDIR to one that this user may write",
		  strerror(errno));
	job->dir[0] = '\0';
	return EXIT_RESOURCE;
}

static int remove_entry(const char *path, const struct stat *st, int type,
			struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	/* Go on: one entry that stays must not keep the others. */
	if (remove(path))
		return 0;
	return 0;
}

void job_remove_dir(const char *dir)
{
	if (*dir)
		nftw(dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

void job_signal(struct job *job, int sig)
{
	for (int r = 0; r < job->nranks; r++)
		if (job->ranks[r].group && kill(-job->ranks[r].pid, sig) &&
		    errno == ESRCH && !job->ranks[r].running)
			job->ranks[r].group = false;
}

struct rank *job_find(struct job *job, pid_t pid)
{
	for (int r = 0; r < job->nranks; r++)
		if (job->ranks[r].pid == pid)
			return &job->ranks[r];
	return NULL;
}
