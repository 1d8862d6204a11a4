/* SPDX-License-Identifier: Apache-2.0 */
/* map.c: tests which cores ranks get, on machines that hwloc makes up. */
#include "launcher/map.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

enum { MOST = 16 };
static const char two_nodes[] = "numa:2 core:6 pu:1";
static const char hyper[] = "numa:2 core:2 pu:2";

static void load(struct map *map, const char *machine, const char *usable)
{
	hwloc_topology_init(&map->topo);
	hwloc_topology_set_synthetic(map->topo, machine);
	hwloc_topology_load(map->topo);
	map->usable = hwloc_bitmap_alloc();
	hwloc_bitmap_list_sscanf(map->usable, usable);
	map->ncores = hwloc_get_nbobjs_inside_cpuset_by_type(
	    map->topo, map->usable, HWLOC_OBJ_CORE);
}

/* Checks the CPUs of all ranks: "0-5 6-11". */
static void places(const char *machine, const char *usable, int nranks,
		   struct options opt, const char *want)
{
	struct rank ranks[MOST] = {0};
	struct job job = {.opt = &opt, .nranks = nranks, .ranks = ranks};
	struct map map = {0};
	char got[400] = "";
	int code;

	load(&map, machine, usable);
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

static const char sockets[] = "pack:2 l3:2 core:2 pu:2";

/* --map-by ppr, and the order of --rank-by */
static void per_object(void)
{
	const struct options socket1 = {.map = MAP_SOCKET, .per_object = 1};
	const struct options socket2 = {.map = MAP_SOCKET, .per_object = 2};
	const struct options socket3 = {.map = MAP_SOCKET, .per_object = 3};
	const struct options l3 = {.map = MAP_L3, .per_object = 2};
	const struct options numa = {.map = MAP_NUMA, .per_object = 2};
	const struct options one_core = {
	    .map = MAP_SOCKET, .per_object = 2, .cpus_per_rank = 1};
	const struct options too_wide = {
	    .map = MAP_L3, .per_object = 1, .cpus_per_rank = 3};
	const struct options core = {
	    .map = MAP_SOCKET, .per_object = 2, .bind = BIND_CORE};
	const struct options crowded = {
	    .map = MAP_L3, .per_object = 3, .bind = BIND_CORE};
	const struct options across = {
	    .map = MAP_SOCKET, .per_object = 2, .rank_by = MAP_SOCKET};

	places(sockets, "0-15", 2, socket1, "0-7 8-15");
	places(sockets, "0-15", 4, socket2, "0-3 4-7 8-11 12-15");
	places(sockets, "0-15", 3, socket2, "0-3 4-7 8-11");
	places(sockets, "0-15", 5, socket2, "");
	places(sockets, "0-15", 6, socket3, "0-1 2-3 4-5 8-9 10-11 12-13");
	places(sockets, "0-15", 8, l3, "0-1 2-3 4-5 6-7 8-9 10-11 12-13 14-15");
	places(two_nodes, "0-11", 4, numa, "0-2 3-5 6-8 9-11");
	places(two_nodes, "0-1,6-11", 4, numa, "0 1 6-8 9-11");
	places(two_nodes, "6-11", 2, numa, "6-8 9-11");
	places(two_nodes, "6-11", 3, numa, "");
	places(sockets, "0-15", 4, one_core, "0-1 2-3 8-9 10-11");
	places(sockets, "0-15", 1, too_wide, "");
	places(sockets, "0-15", 4, core, "0-1 2-3 8-9 10-11");
	places(sockets, "0-3", 3, crowded, "0-1 2-3 0-1");
	places(sockets, "0-15", 4, across, "0-3 8-11 4-7 12-15");
	places(hyper, "0-7", 1, l3, ""); /* it has none */
}

static void dealt(void)
{
	const struct options by_socket = {.map = MAP_SOCKET,
					  .cpus_per_rank = 1};
	const struct options by_l3 = {.map = MAP_L3, .bind = BIND_CORE};
	const struct options counted = {.rank_by = MAP_L3, .bind = BIND_CORE};
	const struct options l3 = {.bind = BIND_L3};
	const struct options threads = {.hwthreads = true, .bind = BIND_CORE};

	places(sockets, "0-15", 4, by_socket, "0-1 8-9 2-3 10-11");
	places(sockets, "0-15", 5, by_l3, "0-1 4-5 8-9 12-13 2-3");
	places(sockets, "0-15", 4, counted, "0-1 4-5 2-3 6-7");
	places(sockets, "0-15", 3, l3, "0-3 0-3 4-7");
	places(hyper, "0-7", 2, threads, "0 1");
}

/* Checks how many ranks there are if the job does not say. */
static void room(const char *machine, const char *usable, struct options opt,
		 int want)
{
	struct map map = {0};
	int got;

	load(&map, machine, usable);
	got = map_room(&map, &opt);
	map_fini(&map);
	ok(got == want, "%s, CPUs %s: room for %d", machine, usable, want);
}

static void rooms(void)
{
	room(sockets, "0-15", (struct options){0}, 8);
	room(sockets, "0-15", (struct options){.hwthreads = true}, 16);
	room(sockets, "0-15", (struct options){.cpus_per_rank = 3}, 2);
	room(sockets, "0-15", (struct options){.cpus_per_rank = 9}, 1);
	room(sockets, "0-15",
	     (struct options){.map = MAP_SOCKET, .per_object = 3}, 6);
	room(sockets, "0-11", (struct options){.map = MAP_L3, .per_object = 1},
	     3);
}

int main(void)
{
	per_object();
	dealt();
	rooms();
	shares();
	asked();
	bound();
	return tap_done();
}
