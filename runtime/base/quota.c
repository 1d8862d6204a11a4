/* SPDX-License-Identifier: Apache-2.0 */
/* quota.c: reads the CPU quota of this process's control group and of those
 * above it (cpu.max in version 2, cpu.cfs_* in version 1); the least counts. In
 * a container the own group may be mounted as the root: the way up ends there,
 * and groups on the way that do not exist have no limit. */
#include "runtime/base/quota.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static double read_v2(const char *dir)
{
	char path[PATH_MAX + 128];
	double quota, period;
	FILE *f;
	int n;

	snprintf(path, sizeof(path), "/sys/fs/cgroup%s/cpu.max", dir);
	f = fopen(path, "re");
	if (!f)
		return 0;
	n = fscanf(f, "%lf %lf", &quota, &period); /* "max" is no number */
	fclose(f);
	return n == 2 && quota > 0 && period > 0 ? quota / period : 0;
}

static double read_number(const char *dir, const char *name)
{
	char path[PATH_MAX + 128];
	double v = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/fs/cgroup/cpu%s/%s", dir, name);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%lf", &v) != 1)
		v = 0;
	fclose(f);
	return v;
}

static double read_v1(const char *dir)
{
	double quota = read_number(dir, "cpu.cfs_quota_us");
	double period = read_number(dir, "cpu.cfs_period_us");

	return quota > 0 && period > 0 ? quota / period : 0;
}

/* Returns the least limit on the way from `dir` to the root; modifies dir. */
static double quota_least(char *dir, double (*limit)(const char *dir))
{
	double min = 0, q;
	char *slash;

	do {
		q = limit(dir);
		if (q > 0 && (min == 0 || q < min))
			min = q;
		slash = strrchr(dir, '/');
		if (slash)
			*slash = '\0';
	} while (slash);
	return min;
}

/* Whether "cpu" is a controller in a line "3:cpu,cpuacct:/path". */
static bool has_cpu(const char *line)
{
	const char *at = strchr(line, ':');

	while (at) {
		size_t n = strcspn(++at, ",:");

		if (n == 3 && !strncmp(at, "cpu", 3))
			return true;
		at = at[n] == ',' ? at + n : NULL;
	}
	return false;
}

double quota_cpus(void)
{
	char line[PATH_MAX + 64], *dir;
	double min = 0, q;
	FILE *f = fopen("/proc/self/cgroup", "re");

	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		dir = strchr(line, ':');
		if (!dir || !strchr(dir + 1, '/'))
			continue;
		if (!strncmp(line, "0::", 3))
			q = quota_least(line + 3, read_v2);
		else if (has_cpu(line))
			q = quota_least(strchr(dir + 1, '/'), read_v1);
		else
			continue;
		if (q > 0 && (min == 0 || q < min))
			min = q;
	}
	fclose(f);
	return min;
}
