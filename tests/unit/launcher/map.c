/* SPDX-License-Identifier: Apache-2.0 */
/* map.c: tests which cores ranks get, on machines that hwloc makes up. */
#include "launcher/map.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

enum { MOST = 16 };
static const char two_nodes[] = "numa:2 core:6 pu:1";
static const char hyper[] = "numa:2 core:2 pu:2";

/* Checks the CPUs of all ranks: "0-5 6-11". */
static void places(const char *machine, const char *usable, int nranks,
		   struct options opt, const char *want)
{
	struct rank ranks[MOST] = {0};
	struct job job = {.opt = &opt, .nranks = nranks, .ranks = ranks};
	struct map map = {0};
	char got[400] = "";
	int code;

	hwloc_topology_init(&map.topo);
	hwloc_topology_set_synthetic(map.topo, machine);
	hwloc_topology_load(map.topo);
	map.usable = hwloc_bitmap_alloc();
	hwloc_bitmap_list_sscanf(map.usable, usable);
	map.ncores = hwloc_get_nbobjs_inside_cpuset_by_type(
	    map.topo, map.usable, HWLOC_OBJ_CORE);
	code = map_ranks(&map, &job);
	for (int r = 0; r < nranks && !code; r++) {
		size_t len = strlen(got);
		char list[64];

		hwloc_bitmap_list_snprintf(list, sizeof(list), ranks[r].cpus);
		snprintf(got + len, sizeof(got) - len, "%s%s", len ? " " : "",
			 list);
		hwloc_bitmap_free(ranks[r].cpus);
	}
	map_fini(&map);
	ok(!strcmp(got, want), "%s, CPUs %s, %d ranks, %d each, %s: %s",
	   machine, usable, nranks, opt.cpus_per_rank, map_binding_name(&opt),
	   want);
	if (strcmp(got, want))
		printf("# got %s, code %d\n", got, code);
}

static void shares(void)
{
	const struct options none = {0};

	places(two_nodes, "0-11", 1, none, "0-11");
	places(two_nodes, "0-11", 2, none, "0-5 6-11");
	places(two_nodes, "0-11", 4, none, "0-2 3-5 6-8 9-11");
	/* four cores each do not fit into six */
	places(two_nodes, "0-11", 3, none, "0-3 4-7 8-11");
	places(two_nodes, "0-11", 5, none, "0-1 2-3 4-5 6-7 8-9");
	places(two_nodes, "4-9", 2, none, "4-6 7-9");
	places(two_nodes, "3-8", 2, none, "3-5 6-8");
	places(two_nodes, "0-1", 4, none, "0 1 0 1");
	places(hyper, "0-7", 2, none, "0-3 4-7");
	places(hyper, "0-7", 4, none, "0-1 2-3 4-5 6-7");
}

static void asked(void)
{
	const struct options each2 = {.cpus_per_rank = 2};
	const struct options each4 = {.cpus_per_rank = 4};
	const struct options too_many = {.cpus_per_rank = 13};

	places(two_nodes, "0-11", 3, each2, "0-1 2-3 4-5");
	places(two_nodes, "0-11", 2, each4, "0-3 6-9");
	places(two_nodes, "0-11", 3, each4, "0-3 4-7 8-11");
	places(two_nodes, "0-11", 4, each4, "0-3 4-7 8-11 0-3");
	places(two_nodes, "0-11", 1, too_many, "");
	places(hyper, "0-7", 2, each2, "0-3 4-7");
}

static void bound(void)
{
	const struct options core = {.bind = BIND_CORE};
	const struct options thread = {.bind = BIND_HWTHREAD};
	const struct options numa = {.bind = BIND_NUMA};
	const struct options by_numa = {.map = MAP_NUMA, .cpus_per_rank = 3};
	const struct options across = {.map = MAP_NUMA, .cpus_per_rank = 4};
	const struct options free_ones = {.bind = BIND_NONE};

	places(hyper, "0-7", 2, core, "0-1 2-3");
	places(hyper, "0-7", 2, thread, "0 1");
	places(hyper, "0-7", 3, numa, "0-3 0-3 4-7");
	places(two_nodes, "0-11", 3, by_numa, "0-2 6-8 3-5");
	places(two_nodes, "0-11", 3, across, "0-3 4-7 8-11");
	places(two_nodes, "2-11", 1, free_ones, "2-11");
}

int main(void)
{
	shares();
	asked();
	bound();
	return tap_done();
}
