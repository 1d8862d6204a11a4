/* SPDX-License-Identifier: Apache-2.0 */
/* info_topology.c: the topology of the node, from hwloc. */

#include "tools/info/info_parts.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/info/info_out.h"
#include "launcher/map.h"
#include "runtime/topo/switches.h"

static void print_count(const struct map *map, const char *key,
			hwloc_obj_type_t type)
{
	int n = hwloc_get_nbobjs_by_type(map->topo, type);

	if (n > 0)
		info_number(key, n);
}

static void print_cache(const struct map *map, const char *key,
			hwloc_obj_type_t type)
{
	hwloc_obj_t cache = hwloc_get_next_obj_by_type(map->topo, type, NULL);

	if (cache)
		info_text(key, "%d x %llu KiB, line %u bytes",
			  hwloc_get_nbobjs_by_type(map->topo, type),
			  (unsigned long long)cache->attr->cache.size / 1024,
			  cache->attr->cache.linesize);
}

/* Prints what would order trees and rings. */
static void print_switches(void)
{
	char host[256] = "", text[SWITCHES_TEXT];

	gethostname(host, sizeof(host) - 1);
	if (switches_find(host, text) || !*text)
		strcpy(text, "unknown");
	info_text("switches", "%s", text);
}

void info_topology(void)
{
	struct map map;
	char *list = NULL;
	hwloc_obj_t root;
	const char *model;

	info_open("topology", INFO_OBJECT);
	if (map_load(&map)) {
		info_text("state", "unknown");
		info_close(INFO_OBJECT);
		return;
	}
	root = hwloc_get_next_obj_by_type(map.topo, HWLOC_OBJ_PACKAGE, NULL);
	model = root ? hwloc_obj_get_info_by_name(root, "CPUModel") : NULL;
	if (model)
		info_text("processor", "%s", model);
	print_count(&map, "packages", HWLOC_OBJ_PACKAGE);
	print_count(&map, "NUMA nodes", HWLOC_OBJ_NUMANODE);
	print_count(&map, "cores", HWLOC_OBJ_CORE);
	print_count(&map, "hardware threads", HWLOC_OBJ_PU);
	print_cache(&map, "L3", HWLOC_OBJ_L3CACHE);
	print_cache(&map, "L2", HWLOC_OBJ_L2CACHE);
	print_cache(&map, "L1d", HWLOC_OBJ_L1CACHE);
	info_text("memory", "%.1f GiB",
		  (double)hwloc_get_root_obj(map.topo)->total_memory /
		      (1 << 30));
	info_number("usable cores", map.ncores);
	if (hwloc_bitmap_list_asprintf(&list, map.usable) >= 0)
		info_text("usable CPUs", "%s", list);
	free(list);
	if (map.quota > 0)
		info_text("CPU quota", "%.2f CPUs by control group", map.quota);
	else
		info_text("CPU quota", "none");
	print_switches();
	map_fini(&map);
	info_close(INFO_OBJECT);
}
