/* SPDX-License-Identifier: Apache-2.0 */
/* topo.c: usable CPUs from the affinity mask and the cgroup's CPU quota. */
#include "runtime/topo/topo.h"

#include <hwloc/linux.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void topo_affinity(uint64_t mask[TOPO_MASK_WORDS])
{
	cpu_set_t set;

	_Static_assert(sizeof(set) == TOPO_MASK_WORDS * sizeof(mask[0]),
		       "1024 CPUs in both");
	if (sched_getaffinity(0, sizeof(set), &set))
		memset(&set, 0xff, sizeof(set)); /* more than 1024 CPUs */
	memcpy(mask, &set, sizeof(set));
}

/* First line of a file, or false. */
static bool read_line(const char *path, char *line, int len)
{
	FILE *f = fopen(path, "re");
	bool ok = f && fgets(line, len, f);

	if (f)
		fclose(f);
	return ok;
}

/* CPUs that "quota period" of the process's own cgroup allows; 0: no limit. */
static int quota_v2(const char *cgroup)
{
	char path[512], line[128];
	double quota, period;

	snprintf(path, sizeof(path), "/sys/fs/cgroup%s/cpu.max", cgroup);
	if (!read_line(path, line, sizeof(line)) ||
	    sscanf(line, "%lf %lf", &quota, &period) != 2 || period <= 0)
		return 0;
	return (int)((quota + period - 1) / period);
}

static int quota_v1(const char *cgroup)
{
	char path[512], line[128];
	double quota, period;

	snprintf(path, sizeof(path), "/sys/fs/cgroup/cpu%s/cpu.cfs_quota_us",
		 cgroup);
	if (!read_line(path, line, sizeof(line)))
		return 0;
	quota = atof(line);
	snprintf(path, sizeof(path), "/sys/fs/cgroup/cpu%s/cpu.cfs_period_us",
		 cgroup);
	if (!read_line(path, line, sizeof(line)))
		return 0;
	period = atof(line);
	return quota > 0 && period > 0 ? (int)((quota + period - 1) / period)
				       : 0;
}

int topo_quota(void)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[512];
	int cpus = 0;

	while (f && !cpus && fgets(line, sizeof(line), f)) {
		char *controllers = strchr(line, ':'), *path;

		line[strcspn(line, "\n")] = 0;
		path = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!path)
			continue;
		*path++ = 0;
		if (!controllers[1])
			cpus = quota_v2(path);
		else if (strstr(controllers + 1, "cpu"))
			cpus = quota_v1(path);
	}
	if (f)
		fclose(f);
	return cpus;
}

int topo_usable_cpus(const uint64_t mask[TOPO_MASK_WORDS], int quota)
{
	int cpus = 0;

	for (int i = 0; i < TOPO_MASK_WORDS; i++)
		cpus += __builtin_popcountll(mask[i]);
	if (quota > 0 && quota < cpus)
		cpus = quota;
	return cpus > 0 ? cpus : 1;
}

/* The set of CPUs that share the farthest cache of this one. */
static bool read_cache(unsigned cpu, hwloc_bitmap_t shared)
{
	char path[128];
	bool found = false;

	for (int k = 0; k < 8; k++) {
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%u/cache/index%d/"
			 "shared_cpu_map",
			 cpu, k);
		if (hwloc_linux_read_path_as_cpumask(path, shared))
			break;
		found = true;
	}
	return found;
}

static bool covers(hwloc_bitmap_t set, const uint64_t mask[TOPO_MASK_WORDS])
{
	for (unsigned k = 0; k < TOPO_MASK_WORDS * 64; k++)
		if (mask[k / 64] >> (k % 64) & 1 && !hwloc_bitmap_isset(set, k))
			return false;
	return true;
}

int topo_cache(void)
{
	hwloc_bitmap_t shared = hwloc_bitmap_alloc();
	uint64_t mask[TOPO_MASK_WORDS];
	unsigned first = 0;
	int cache = -1;

	topo_affinity(mask);
	while (first < TOPO_MASK_WORDS * 64 - 1 &&
	       !(mask[first / 64] >> (first % 64) & 1))
		first++;
	if (shared && read_cache(first, shared) && covers(shared, mask))
		cache = hwloc_bitmap_first(shared);
	hwloc_bitmap_free(shared);
	return cache;
}

bool topo_is_near(const char *local_cpus)
{
	hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
	uint64_t mask[TOPO_MASK_WORDS];
	bool near = false;

	topo_affinity(mask);
	if (!cpus || hwloc_linux_read_path_as_cpumask(local_cpus, cpus))
		near = true;
	for (unsigned k = 0; !near && k < TOPO_MASK_WORDS * 64; k++)
		near = hwloc_bitmap_isset(cpus, k) &&
		       mask[k / 64] >> (k % 64) & 1;
	hwloc_bitmap_free(cpus);
	return near;
}
