/* SPDX-License-Identifier: Apache-2.0 */
/* topo.c: usable CPUs from the affinity mask and the cgroup's CPU quota. */
#include "runtime/topo/topo.h"

#include <hwloc/linux.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/quota.h"

void topo_affinity(uint64_t mask[TOPO_MASK_WORDS])
{
	cpu_set_t set;

	_Static_assert(sizeof(set) == TOPO_MASK_WORDS * sizeof(mask[0]),
		       "1024 CPUs in both");
	if (sched_getaffinity(0, sizeof(set), &set))
		memset(&set, 0xff, sizeof(set)); /* more than 1024 CPUs */
	memcpy(mask, &set, sizeof(set));
}

int topo_quota(void)
{
	return (int)(quota_cpus() * 100 + 0.5);
}

int topo_usable_cpus(const uint64_t mask[TOPO_MASK_WORDS], int quota)
{
	int cpus = 0;

	for (int i = 0; i < TOPO_MASK_WORDS; i++)
		cpus += __builtin_popcountll(mask[i]);
	if (quota > 0 && quota < 100 * cpus)
		cpus = (quota + 99) / 100;
	return cpus > 0 ? cpus : 1;
}

/* Reads the set of CPUs that share the last-level cache of this one. */
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

static bool has_cpu(const uint64_t mask[TOPO_MASK_WORDS], unsigned k)
{
	return mask[k / 64] >> (k % 64) & 1;
}

static bool topo_covers(hwloc_bitmap_t set,
			const uint64_t mask[TOPO_MASK_WORDS])
{
	for (unsigned k = 0; k < TOPO_MASK_WORDS * 64; k++)
		if (has_cpu(mask, k) && !hwloc_bitmap_isset(set, k))
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
	while (first < TOPO_MASK_WORDS * 64 - 1 && !has_cpu(mask, first))
		first++;
	if (shared && read_cache(first, shared) && topo_covers(shared, mask))
		cache = hwloc_bitmap_first(shared);
	hwloc_bitmap_free(shared);
	return cache;
}

bool topo_is_local(const char *local_cpus)
{
	hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
	uint64_t mask[TOPO_MASK_WORDS];
	bool local;

	topo_affinity(mask);
	local = !cpus || hwloc_linux_read_path_as_cpumask(local_cpus, cpus);
	for (unsigned k = 0; !local && k < TOPO_MASK_WORDS * 64; k++)
		local = hwloc_bitmap_isset(cpus, k) && has_cpu(mask, k);
	hwloc_bitmap_free(cpus);
	return local;
}
