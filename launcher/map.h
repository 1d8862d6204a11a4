/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map.h: the node's topology and which rank goes where on it. Needs hwloc,
 * no threads.
 */
#ifndef LAUNCHER_MAP_H
#define LAUNCHER_MAP_H

#include <hwloc.h>

#include "launcher/job.h"

struct map {
	hwloc_topology_t topo;
	hwloc_bitmap_t usable; /* allowed by topology and own affinity */
	int ncores;	       /* cores with at least one usable thread */
	double quota; /* CPUs' worth of the control group; 0: no limit */
};

/* Loads the topology. EXIT_INTERNAL (said). */
int map_load(struct map *map);
void map_fini(struct map *map);

/* Ranks that find a core each: cores, or fewer if the quota is less. */
int map_slots(const struct map *map);

/* Fills in cpus and bound of every rank as the options say. */
int map_ranks(const struct map *map, struct job *job);

/* "core": what ranks are bound to with these options. */
const char *map_binding_name(const struct options *opt);
#endif
