/* SPDX-License-Identifier: Apache-2.0 */
/* map.h: the topology of the node, and which rank is placed where. Needs hwloc;
 * starts no threads. */
#ifndef LAUNCHER_MAP_H
#define LAUNCHER_MAP_H

#include <hwloc.h>

#include "launcher/job.h"

struct map {
	hwloc_topology_t topo;
	hwloc_bitmap_t usable; /* allowed, and in mrun's own affinity */
	int ncores;	       /* cores with at least one usable thread */
	double quota;	       /* CPU limit of the control group; 0: none */
};

/* Loads the topology. Returns 0, EXIT_RESOURCE, EXIT_CONFIG or EXIT_INTERNAL,
 * after a message. */
int map_load(struct map *map);
void map_fini(struct map *map);

/* Returns how many ranks a job has that does not say: one for each usable core,
 * or for the quota if that is less; with --map-by ppr as many as these are. */
int map_room(const struct map *map, const struct options *opt);

/* Sets cpus and bound of every rank as the options say. Returns 0, or
 * EXIT_RESOURCE or EXIT_USAGE after a message. */
int map_ranks(const struct map *map, struct job *job);

/* Places the rank at these CPUs, and binds it to them or to the object of
 * --bind-to around them. Returns 0, or EXIT_RESOURCE after a message. */
int map_place(const struct map *map, const struct job *job,
	      hwloc_const_bitmap_t cpus, struct rank *rank);

/* Returns what ranks are bound to with these options, such as "core". */
const char *map_binding_name(const struct options *opt);
#endif
