/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map.c: maps ranks to CPUs. Places are the usable cores (or hardware threads)
 * in the order of --map-by. Ranks take them round robin, so that more ranks
 * than cores share them evenly. A rank is bound to the object of --bind-to
 * around its place.
 */
#include "config.h"

#include "launcher/map.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "launcher/say.h"
#include "runtime/base/limits.h"
#include "runtime/base/quota.h"

/*
 * hwloc's plug-ins (GPUs, graphics) say nothing about cores and cost
 * milliseconds, so it looks for them in an empty place. It does so once, when
 * the first topology is made.
 */
static int load_without_plugins(hwloc_topology_t *topo)
{
	const char *inherited = getenv("HWLOC_PLUGINS_PATH");
	char *old = inherited ? strdup(inherited) : NULL;
	int rc;

	setenv("HWLOC_PLUGINS_PATH", "/nonexistent", 1);
	rc = hwloc_topology_init(topo);
	if (!rc && hwloc_topology_load(*topo)) {
		hwloc_topology_destroy(*topo);
		rc = -1;
	}
	if (old)
		setenv("HWLOC_PLUGINS_PATH", old, 1);
	else
		unsetenv("HWLOC_PLUGINS_PATH");
	free(old);
	return rc;
}

static int count_cores(const struct map *map)
{
	int n = hwloc_get_nbobjs_inside_cpuset_by_type(map->topo, map->usable,
						       HWLOC_OBJ_CORE);
	hwloc_obj_t core = NULL;

	if (n > 0) {
		/* hwloc counts only whole cores inside the set; a core with one
		 * usable thread counts too. */
		n = 0;
		while ((core = hwloc_get_next_obj_by_type(
			    map->topo, HWLOC_OBJ_CORE, core)))
			n += hwloc_bitmap_intersects(core->cpuset, map->usable);
	}
	return n > 0 ? n : hwloc_bitmap_weight(map->usable);
}

/* hwloc would retry for ever where the kernel answers with an error. */
static bool may_ask_for_cpus(void)
{
	cpu_set_t set;

	return !sched_getaffinity(0, sizeof(set), &set) || errno == EINVAL;
}

int map_load(struct map *map)
{
	hwloc_bitmap_t own;

	memset(map, 0, sizeof(*map));
	if (!may_ask_for_cpus())
		return say_fail(EXIT_RESOURCE, "sched_getaffinity: %s; %s",
				strerror(errno), limit_advice(errno));
	own = hwloc_bitmap_alloc();
	if (!own || load_without_plugins(&map->topo))
		goto no_topology;
	map->usable =
	    hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(map->topo));
	if (!map->usable)
		goto no_usable;
	if (!hwloc_get_cpubind(map->topo, own, HWLOC_CPUBIND_PROCESS) &&
	    hwloc_bitmap_intersects(own, map->usable))
		hwloc_bitmap_and(map->usable, map->usable, own);
	map->ncores = count_cores(map);
	map->quota = quota_cpus();
	hwloc_bitmap_free(own);
	return 0;
no_usable:
	hwloc_topology_destroy(map->topo);
no_topology:
	hwloc_bitmap_free(own);
	if (getenv("HWLOC_XMLFILE"))
		return say_fail(
		    EXIT_CONFIG,
		    "hwloc cannot read the topology of HWLOC_XMLFILE; "
		    "unset it");
	return say_fail(EXIT_INTERNAL,
			"hwloc cannot tell the topology of this node");
}

void map_fini(struct map *map)
{
	hwloc_bitmap_free(map->usable);
	hwloc_topology_destroy(map->topo);
}

int map_slots(const struct map *map)
{
	int n = map->ncores;

	if (map->quota > 0 && map->quota < n)
		n = (int)(map->quota + 0.999);
	return n > 0 ? n : 1;
}

static enum bind_to binding(const struct options *opt)
{
	return opt->bind == BIND_AUTO ? BIND_CORE : opt->bind;
}

const char *map_binding_name(const struct options *opt)
{
	static const char *const names[] = {
	    [BIND_NONE] = "none",     [BIND_HWTHREAD] = "hwthread",
	    [BIND_CORE] = "core",     [BIND_NUMA] = "numa",
	    [BIND_SOCKET] = "socket",
	};

	return names[binding(opt)];
}

/* Stores the usable objects of `type` inside `within` from places[n] on, and
 * returns the new n. */
static int collect(const struct map *map, hwloc_obj_type_t type,
		   hwloc_const_bitmap_t within, hwloc_obj_t *places, int n)
{
	hwloc_obj_t obj = NULL;

	while ((obj = hwloc_get_next_obj_by_type(map->topo, type, obj)))
		if (hwloc_bitmap_intersects(obj->cpuset, map->usable) &&
		    hwloc_bitmap_intersects(obj->cpuset, within))
			places[n++] = obj;
	return n;
}

/* Reorders the places: one of each NUMA node in turn. */
static void deal_by_numa(const struct map *map, hwloc_obj_t *places, int n)
{
	hwloc_obj_t *dealt = malloc((size_t)n * sizeof(*dealt));
	hwloc_obj_t node;
	int nodes = hwloc_get_nbobjs_by_type(map->topo, HWLOC_OBJ_NUMANODE);
	int filled = 0;

	if (!dealt || nodes < 2) {
		free(dealt);
		return;
	}
	for (int round = 0; filled < n && round < n; round++) {
		for (int k = 0; k < nodes; k++) {
			int seen = 0;

			node = hwloc_get_obj_by_type(
			    map->topo, HWLOC_OBJ_NUMANODE, (unsigned)k);
			for (int i = 0; i < n; i++)
				if (hwloc_bitmap_intersects(places[i]->cpuset,
							    node->cpuset) &&
				    seen++ == round && filled < n)
					dealt[filled++] = places[i];
		}
	}
	if (filled == n)
		memcpy(places, dealt, (size_t)n * sizeof(*dealt));
	free(dealt);
}

/* Returns the CPUs that a rank at `place` is bound to. */
static hwloc_const_bitmap_t widen(const struct map *map, hwloc_obj_t place,
				  enum bind_to bind)
{
	hwloc_obj_t obj = NULL;

	if (bind == BIND_SOCKET)
		obj = hwloc_get_ancestor_obj_by_type(map->topo,
						     HWLOC_OBJ_PACKAGE, place);
	if (bind == BIND_NUMA)
		while ((obj = hwloc_get_next_obj_by_type(
			    map->topo, HWLOC_OBJ_NUMANODE, obj)))
			if (hwloc_bitmap_isincluded(place->cpuset, obj->cpuset))
				break;
	if (bind == BIND_NONE ||
	    ((bind == BIND_SOCKET || bind == BIND_NUMA) && !obj))
		return map->usable;
	return obj ? obj->cpuset : place->cpuset;
}

static int place_of(const struct job *job, int r, int nplaces)
{
	if (job->opt->map == MAP_SLOT && job->nranks > nplaces)
		return (int)((long)r * nplaces / job->nranks);
	return r % nplaces;
}

int map_ranks(const struct map *map, struct job *job)
{
	enum bind_to bind = binding(job->opt);
	hwloc_obj_type_t type =
	    bind == BIND_HWTHREAD ? HWLOC_OBJ_PU : HWLOC_OBJ_CORE;
	size_t room = (size_t)hwloc_get_nbobjs_by_type(map->topo, HWLOC_OBJ_PU);
	hwloc_obj_t *places = calloc(room, sizeof(*places));
	int n = 0;

	if (places)
		n = collect(map, type, map->usable, places, 0);
	if (places && n == 0) /* no cores known: take threads */
		n = collect(map, HWLOC_OBJ_PU, map->usable, places, 0);
	if (n == 0) {
		free(places);
		return say_fail(EXIT_RESOURCE, "no CPU that ranks may use");
	}
	if (job->opt->map == MAP_NUMA)
		deal_by_numa(map, places, n);
	for (int r = 0; r < job->nranks; r++) {
		struct rank *rank = &job->ranks[r];
		hwloc_obj_t place = places[place_of(job, r, n)];

		rank->cpus = hwloc_bitmap_dup(widen(map, place, bind));
		if (!rank->cpus) {
			free(places);
			return say_fail(EXIT_RESOURCE, "out of memory");
		}
		hwloc_bitmap_and(rank->cpus, rank->cpus, map->usable);
		rank->bound = bind != BIND_NONE;
	}
	free(places);
	return 0;
}
