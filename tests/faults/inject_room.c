/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inject_room.c makes a place in which nobody else leaves files: /dev/shm and
 * System V memory of the harness's own (namespaces), and TMPDIR in a directory
 * of its own. Without the right to make namespaces it looks only for names that
 * contain the launcher's process id.
 */
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/faults/inject.h"

static char dir[256], tmp[300];
static bool isolated;

bool room_make(void)
{
	const char *base = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%.200s/mrt-inject.XXXXXX",
		 base ? base : "/tmp");
	if (!mkdtemp(dir)) {
		printf("# no directory for files: %s\n", strerror(errno));
		return false;
	}
	snprintf(tmp, sizeof(tmp), "%s/tmp", dir);
	mkdir(tmp, 0700);
	setenv("TMPDIR", tmp, 1);
	isolated = !unshare(CLONE_NEWNS | CLONE_NEWIPC) &&
		   !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
		   !mount("tmpfs", "/dev/shm", "tmpfs", 0, "size=1g");
	if (!isolated)
		printf("# no namespaces (%s): only the launcher's own names "
		       "are looked for in /dev/shm\n",
		       strerror(errno));
	return true;
}

static int remove_entry(const char *path, const struct stat *st, int type,
			struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

static void empty(const char *path)
{
	char name[600];
	struct dirent *e;
	DIR *d = opendir(path);

	while (d && (e = readdir(d))) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, e->d_name);
		nftw(name, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	}
	if (d)
		closedir(d);
}

void room_remove(void)
{
	empty(dir);
	rmdir(dir);
}

const char *room_file(const char *name)
{
	static char path[4][400];
	static int next;
	char *p = path[next++ % 4];

	snprintf(p, sizeof(path[0]), "%s/%s", dir, name);
	return p;
}

const char *room_log(void)
{
	static char path[400];

	snprintf(path, sizeof(path), "%s/log", dir);
	return path;
}

/* Adds to text the entries of a directory whose names contain `part`. */
static void list(const char *path, const char *part, char *text, size_t len)
{
	struct dirent *e;
	DIR *d = opendir(path);

	while (d && (e = readdir(d))) {
		size_t used = strlen(text);

		if (e->d_name[0] != '.' && strstr(e->d_name, part))
			snprintf(text + used, len - used, " %s/%s", path,
				 e->d_name);
	}
	if (d)
		closedir(d);
}

static void list_sysv(char *text, size_t len)
{
	FILE *f = fopen("/proc/sysvipc/shm", "r");
	char line[400];
	int key, id;

	while (f && fgets(line, sizeof(line), f)) {
		size_t used = strlen(text);

		if (sscanf(line, "%d %d", &key, &id) == 2)
			snprintf(text + used, len - used, " shm-id:%d", id);
	}
	if (f)
		fclose(f);
}

void room_look(pid_t pid, char *text, size_t len)
{
	char part[32];

	snprintf(part, sizeof(part), ".%d.", (int)pid);
	list("/dev/shm", isolated ? "" : part, text, len);
	if (isolated)
		list_sysv(text, len);
	list(tmp, "", text, len);
	list("/tmp", part, text, len);
	if (isolated)
		empty("/dev/shm");
	empty(tmp);
}
