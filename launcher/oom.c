/* SPDX-License-Identifier: Apache-2.0 */
/*
 * oom.c: reads the counter of memory.events (cgroup v2) or memory.oom_control
 * (v1). The kernel increments it before it sends SIGKILL, whether for the limit
 * of this group, of a parent group or of the machine. In a container the own
 * group may be mounted as the root.
 */

#include "launcher/oom.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static char path[PATH_MAX + 64];
static long at_start;

/* Returns oom_kill of the file; -1 if it has none. */
static long oom_count(void)
{
	char line[256];
	long n = -1;
	FILE *f = fopen(path, "re");

	if (!f)
		return -1;
	while (n < 0 && fgets(line, sizeof(line), f))
		if (sscanf(line, "oom_kill %ld", &n) != 1)
			n = -1;
	fclose(f);
	return n;
}

static long count_in(const char *root, const char *group, const char *name)
{
	snprintf(path, sizeof(path), "%s%s/%s", root, group, name);
	return oom_count();
}

/* Finds the file for a line "0::/group" or "4:memory:/group" of
 * /proc/self/cgroup, and returns its count or -1. */
static long count_of(char *line)
{
	static const char v1[] = ":memory:";
	const char *group;
	long n = -1;

	line[strcspn(line, "\n")] = '\0';
	group = strstr(line, v1);
	if (group)
		n = count_in("/sys/fs/cgroup/memory", group + sizeof(v1) - 1,
			     "memory.oom_control");
	if (group && n < 0)
		n = count_in("/sys/fs/cgroup/memory", "", "memory.oom_control");
	if (!strncmp(line, "0::", 3))
		n = count_in("/sys/fs/cgroup", line + 3, "memory.events");
	return n;
}

void oom_init(void)
{
	char line[PATH_MAX];
	FILE *f = fopen("/proc/self/cgroup", "re");

	at_start = -1;
	while (f && at_start < 0 && fgets(line, sizeof(line), f))
		at_start = count_of(line);
	if (f)
		fclose(f);
}

long oom_kills(void)
{
	long now = at_start < 0 ? -1 : oom_count();

	return now > at_start ? now - at_start : 0;
}
