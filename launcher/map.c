/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map.c: maps ranks to CPUs. Places are the usable cores (or hardware threads)
 * in the order of --map-by, or neighbouring ones if a rank gets several. Ranks
 * take them round robin, so that more ranks than cores share them evenly. A
 * rank is bound to its place, or to the object of --bind-to around it.
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

const char *map_binding_name(const struct options *opt)
{
	static const char *const names[] = {
	    [BIND_AUTO] = "cores",	  [BIND_NONE] = "none",
	    [BIND_HWTHREAD] = "hwthread", [BIND_CORE] = "core",
	    [BIND_NUMA] = "numa",	  [BIND_SOCKET] = "socket",
	};

	return names[opt->bind];
}

/* Returns the usable objects of this type in the order of the machine (heap),
 * hardware threads where it has none; *n: how many. NULL: none, or out of
 * memory. */
static hwloc_obj_t *collect(const struct map *map, hwloc_obj_type_t type,
			    int *n)
{
	size_t room = (size_t)hwloc_get_nbobjs_by_type(map->topo, HWLOC_OBJ_PU);
	hwloc_obj_t *found = calloc(room, sizeof(*found)), obj = NULL;

	*n = 0;
	while (found &&
	       (obj = hwloc_get_next_obj_by_type(map->topo, type, obj)))
		if (hwloc_bitmap_intersects(obj->cpuset, map->usable))
			found[(*n)++] = obj;
	if (*n || type == HWLOC_OBJ_PU)
		return found;
	free(found);
	return collect(map, HWLOC_OBJ_PU, n);
}

/* Returns the NUMA node that has all of these CPUs, or NULL. */
static hwloc_obj_t numa_node(const struct map *map, hwloc_const_bitmap_t cpus)
{
	hwloc_obj_t node = NULL;

	while ((node = hwloc_get_next_obj_by_type(map->topo, HWLOC_OBJ_NUMANODE,
						  node)))
		if (hwloc_bitmap_isincluded(cpus, node->cpuset))
			break;
	return node;
}

/* Places of neighbouring cores. */
struct places {
	hwloc_bitmap_t *cpus; /* [n] */
	int n;
};

static void places_free(struct places *p)
{
	while (p->n > 0)
		hwloc_bitmap_free(p->cpus[--p->n]);
	free(p->cpus);
	p->cpus = NULL;
}

/* Makes as many places of `each` of the n cores as there are; none has cores of
 * several NUMA nodes if in_node. Returns whether there was memory. */
static bool places_make(const struct map *map, const hwloc_obj_t *cores, int n,
			int each, bool in_node, struct places *p)
{
	hwloc_bitmap_t next = hwloc_bitmap_alloc();
	int has = 0;

	p->n = 0;
	p->cpus = calloc((size_t)n, sizeof(hwloc_bitmap_t));
	for (int k = 0; k < n && p->cpus && next; k++) {
		hwloc_bitmap_or(next, next, cores[k]->cpuset);
		has++;
		if (in_node && !numa_node(map, next)) {
			/* the first core of another node */
			hwloc_bitmap_copy(next, cores[k]->cpuset);
			has = 1;
		}
		if (has < each)
			continue;
		p->cpus[p->n++] = next;
		next = hwloc_bitmap_alloc();
		has = 0;
	}
	if (p->cpus && next) {
		hwloc_bitmap_free(next);
		return true;
	}
	places_free(p);
	return false;
}

/* Reorders the places, one of each NUMA node in turn, if each belongs to one.
 */
static void deal_by_numa(const struct map *map, struct places *p)
{
	hwloc_bitmap_t *dealt = calloc((size_t)p->n, sizeof(hwloc_bitmap_t));
	hwloc_obj_t node;
	int nodes = hwloc_get_nbobjs_by_type(map->topo, HWLOC_OBJ_NUMANODE);
	int filled = 0;

	if (!dealt || nodes < 2) {
		free(dealt);
		return;
	}
	for (int round = 0; filled < p->n && round < p->n; round++) {
		for (int k = 0; k < nodes; k++) {
			int seen = 0;

			node = hwloc_get_obj_by_type(
			    map->topo, HWLOC_OBJ_NUMANODE, (unsigned)k);
			for (int i = 0; i < p->n; i++)
				if (numa_node(map, p->cpus[i]) == node &&
				    seen++ == round)
					dealt[filled++] = p->cpus[i];
		}
	}
	if (filled == p->n)
		memcpy(p->cpus, dealt, (size_t)p->n * sizeof(*dealt));
	free(dealt);
}

/* Returns the CPUs that a rank at `place` is bound to. */
static hwloc_const_bitmap_t widen(const struct map *map,
				  hwloc_const_bitmap_t place, enum bind_to bind)
{
	hwloc_obj_t obj = NULL;

	if (bind == BIND_SOCKET)
		obj = hwloc_get_next_obj_covering_cpuset_by_type(
		    map->topo, place, HWLOC_OBJ_PACKAGE, NULL);
	if (bind == BIND_NUMA)
		obj = numa_node(map, place);
	if (bind == BIND_NONE ||
	    ((bind == BIND_SOCKET || bind == BIND_NUMA) && !obj))
		return map->usable;
	return obj ? obj->cpuset : place;
}

static int place_of(const struct job *job, int r, int nplaces)
{
	if (job->opt->map == MAP_SLOT && job->nranks > nplaces)
		return (int)((long)r * nplaces / job->nranks);
	return r % nplaces;
}

/* Returns the cores of a rank: those asked for, or an equal share. */
static int cores_each(const struct map *map, const struct job *job)
{
	int share = map_slots(map) / job->nranks;

	if (job->opt->cpus_per_rank)
		return job->opt->cpus_per_rank;
	return job->opt->bind == BIND_AUTO && share > 0 ? share : 1;
}

/* Makes the places of the ranks, inside NUMA nodes where they fit. Returns 0,
 * EXIT_RESOURCE or EXIT_USAGE after a message. */
static int find_places(const struct map *map, const struct job *job,
		       struct places *p)
{
	int n, each = cores_each(map, job), wanted;
	hwloc_obj_t *cores = collect(
	    map,
	    job->opt->bind == BIND_HWTHREAD ? HWLOC_OBJ_PU : HWLOC_OBJ_CORE,
	    &n);
	bool made = cores && n;

	if (made && each > n) {
		free(cores);
		return say_fail(EXIT_USAGE,
				"--cpus-per-rank %d: %d %s usable here", each,
				n, n > 1 ? "cores are" : "core is");
	}
	if (made)
		made = places_make(map, cores, n, each, true, p);
	wanted = made && job->nranks > n / each ? n / each : job->nranks;
	if (made && p->n < wanted) {
		places_free(p);
		made = places_make(map, cores, n, each, false, p);
	}
	free(cores);
	return made ? 0 : say_fail(EXIT_RESOURCE, "no CPU that ranks may use");
}

int map_ranks(const struct map *map, struct job *job)
{
	struct places places;
	int code = find_places(map, job, &places);

	if (code)
		return code;
	if (job->opt->map == MAP_NUMA)
		deal_by_numa(map, &places);
	for (int r = 0; r < job->nranks && !code; r++) {
		struct rank *rank = &job->ranks[r];

		rank->cpus = hwloc_bitmap_dup(
		    widen(map, places.cpus[place_of(job, r, places.n)],
			  job->opt->bind));
		if (!rank->cpus) {
			code = say_fail(EXIT_RESOURCE, "out of memory");
			break;
		}
		hwloc_bitmap_and(rank->cpus, rank->cpus, map->usable);
		rank->bound = job->opt->bind != BIND_NONE;
	}
	places_free(&places);
	return code;
}
