/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map.c: maps ranks to CPUs. Places are the usable cores (or hardware threads)
 * in the order of --map-by, or neighbouring ones if a rank gets several. Ranks
 * take them round robin, so that more ranks than cores share them evenly. A
 * rank is bound to its place, or to the object of --bind-to around it.
 */

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

/* Returns how many ranks get a core each. */
static int map_slots(const struct map *map, const struct options *opt)
{
	int n = opt->hwthreads ? hwloc_bitmap_weight(map->usable) : map->ncores;

	if (map->quota > 0 && map->quota < n)
		n = (int)(map->quota + 0.999);
	return n > 0 ? n : 1;
}

/* The words of --map-by and --bind-to as hwloc has them. */
static hwloc_obj_type_t type_of_map(enum map_by by)
{
	return by == MAP_NUMA ? HWLOC_OBJ_NUMANODE
	       : by == MAP_L3 ? HWLOC_OBJ_L3CACHE
			      : HWLOC_OBJ_PACKAGE;
}

static hwloc_obj_type_t type_of_bind(enum bind_to bind)
{
	return bind == BIND_NUMA ? HWLOC_OBJ_NUMANODE
	       : bind == BIND_L3 ? HWLOC_OBJ_L3CACHE
				 : HWLOC_OBJ_PACKAGE;
}

/* Returns the next object of this type with a usable CPU after `last`, or
 * NULL. */
static hwloc_obj_t next_usable(const struct map *map, hwloc_obj_type_t type,
			       hwloc_obj_t last)
{
	do
		last = hwloc_get_next_obj_by_type(map->topo, type, last);
	while (last && !hwloc_bitmap_intersects(last->cpuset, map->usable));
	return last;
}

int map_room(const struct map *map, const struct options *opt)
{
	int n = map_slots(map, opt) / (opt->cpus_per_rank ?: 1), objects = 0;

	for (hwloc_obj_t obj = NULL;
	     opt->per_object &&
	     (obj = next_usable(map, type_of_map(opt->map), obj));)
		objects++;
	if (objects)
		return objects * opt->per_object;
	return n > 0 ? n : 1;
}

const char *map_binding_name(const struct options *opt)
{
	static const char *const names[] = {
	    [BIND_AUTO] = "cores",
	    [BIND_NONE] = "none",
	    [BIND_HWTHREAD] = "hwthread",
	    [BIND_CORE] = "core",
	    [BIND_NUMA] = "numa",
	    [BIND_SOCKET] = "socket",
	    [BIND_L3] = "l3",
	};

	if (opt->rankfile && opt->bind == BIND_AUTO)
		return "cores of the rankfile";
	return names[opt->bind];
}

/* Returns the usable objects of this type in the order of the machine (heap),
 * hardware threads where it has none; *n: how many. NULL: none, or out of
 * memory. */
static hwloc_obj_t *map_collect(const struct map *map, hwloc_obj_type_t type,
				int *n)
{
	size_t room = (size_t)hwloc_get_nbobjs_by_type(map->topo, HWLOC_OBJ_PU);
	hwloc_obj_t *found = calloc(room, sizeof(*found)), obj = NULL;

	*n = 0;
	while (found && (obj = next_usable(map, type, obj)))
		found[(*n)++] = obj;
	if (*n || type == HWLOC_OBJ_PU)
		return found;
	free(found);
	return map_collect(map, HWLOC_OBJ_PU, n);
}

/* Returns the object of this type that has all of these CPUs, or NULL. */
static hwloc_obj_t map_around(const struct map *map, hwloc_obj_type_t type,
			      hwloc_const_bitmap_t cpus)
{
	hwloc_obj_t obj = NULL;

	while ((obj = hwloc_get_next_obj_by_type(map->topo, type, obj)))
		if (hwloc_bitmap_isincluded(cpus, obj->cpuset))
			break;
	return obj;
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
		if (in_node && !map_around(map, HWLOC_OBJ_NUMANODE, next)) {
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

/* A place and when it is dealt. */
struct dealt {
	hwloc_bitmap_t cpus;
	int round;
	unsigned object;
};

static int by_turn(const void *a, const void *b)
{
	const struct dealt *x = a, *y = b;

	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	return x->object < y->object ? -1 : x->object > y->object;
}

/* Reorders the places, one of each object of this type in turn, if each belongs
 * to one. */
static void map_deal(const struct map *map, hwloc_obj_type_t type,
		     hwloc_bitmap_t *cpus, int n)
{
	int objects = hwloc_get_nbobjs_by_type(map->topo, type), k = 0;
	struct dealt *dealt = calloc((size_t)n, sizeof(*dealt));
	int *rounds = calloc((size_t)(objects > 0 ? objects : 1), sizeof(int));

	for (; dealt && rounds && k < n; k++) {
		hwloc_obj_t obj = map_around(map, type, cpus[k]);

		if (!obj)
			break;
		dealt[k] = (struct dealt){cpus[k], rounds[obj->logical_index]++,
					  obj->logical_index};
	}
	if (k == n && n) {
		qsort(dealt, (size_t)n, sizeof(*dealt), by_turn);
		for (k = 0; k < n; k++)
			cpus[k] = dealt[k].cpus;
	}
	free(rounds);
	free(dealt);
}

/* Returns the CPUs that a rank at `place` is bound to. */
static hwloc_const_bitmap_t
map_widen(const struct map *map, hwloc_const_bitmap_t place, enum bind_to bind)
{
	bool wide = bind >= BIND_NUMA;
	hwloc_obj_t obj =
	    wide ? map_around(map, type_of_bind(bind), place) : NULL;

	if (bind == BIND_NONE || (wide && !obj))
		return map->usable;
	return obj ? obj->cpuset : place;
}

static int place_of(const struct job *job, int r, int nplaces)
{
	if (job->opt->map == MAP_SLOT && job->nranks > nplaces)
		return (int)((long)r * nplaces / job->nranks);
	return r % nplaces;
}

/* Returns the cores of a rank, of those that `ranks` ranks share: as many as
 * were asked for, or an equal share. */
static int cores_each(const struct job *job, int cores, int ranks)
{
	int share = cores / ranks;

	if (job->opt->cpus_per_rank)
		return job->opt->cpus_per_rank;
	return job->opt->bind == BIND_AUTO && share > 0 ? share : 1;
}

static int refuse_each(int each, int n, const char *where)
{
	return say_fail(EXIT_USAGE, "--cpus-per-rank %d: %d %s usable %s", each,
			n, n > 1 ? "cores are" : "core is", where);
}

/* Makes the places of the ranks from the n cores, inside NUMA nodes where they
 * fit. Returns 0, EXIT_RESOURCE or EXIT_USAGE after a message. */
static int places_of_node(const struct map *map, const struct job *job,
			  const hwloc_obj_t *cores, int n, struct places *p)
{
	int each = cores_each(job, map_slots(map, job->opt), job->nranks),
	    wanted;
	bool made;

	if (each > n)
		return refuse_each(each, n, "here");
	made = places_make(map, cores, n, each, true, p);
	wanted = job->nranks > n / each ? n / each : job->nranks;
	if (made && p->n < wanted) {
		places_free(p);
		made = places_make(map, cores, n, each, false, p);
	}
	return made ? 0 : say_fail(EXIT_RESOURCE, "out of memory");
}

/* Adds the places of per_object ranks on one object. */
static int add_object(const struct map *map, const struct job *job,
		      const hwloc_obj_t *cores, int n, struct places *p)
{
	int ranks = job->opt->per_object, each = cores_each(job, n, ranks);
	struct places own = {0};
	hwloc_bitmap_t *all;
	bool good = true;

	if (each > n)
		return refuse_each(each, n, "on an object of --map-by");
	all = realloc(p->cpus, (size_t)(p->n + ranks) * sizeof(*all));
	if (all)
		p->cpus = all;
	good = all && places_make(map, cores, n, each, false, &own);
	for (int r = 0; good && r < ranks; r++) {
		all[p->n] = hwloc_bitmap_dup(own.cpus[r % own.n]);
		good = all[p->n] != NULL;
		p->n += good;
	}
	places_free(&own);
	return good ? 0 : say_fail(EXIT_RESOURCE, "out of memory");
}

/* Makes a place for each rank of --map-by ppr, object after object. */
static int places_of_objects(const struct map *map, const struct job *job,
			     const hwloc_obj_t *cores, int n, struct places *p)
{
	hwloc_obj_type_t type = type_of_map(job->opt->map);
	hwloc_obj_t obj = NULL;
	int code = 0;

	while (!code && (obj = next_usable(map, type, obj))) {
		int first = 0, end;

		while (first < n && !hwloc_bitmap_isincluded(
					cores[first]->cpuset, obj->cpuset))
			first++;
		for (end = first;
		     end < n &&
		     hwloc_bitmap_isincluded(cores[end]->cpuset, obj->cpuset);)
			end++;
		if (end > first)
			code =
			    add_object(map, job, cores + first, end - first, p);
	}
	if (!code && p->n < job->nranks)
		code = say_fail(EXIT_USAGE,
				"--map-by ppr:%d: this node has room for %d, "
				"not for %d ranks",
				job->opt->per_object, p->n, job->nranks);
	return code;
}

static int find_places(const struct map *map, const struct job *job,
		       struct places *p)
{
	const struct options *opt = job->opt;
	bool threads = opt->hwthreads || opt->bind == BIND_HWTHREAD;
	int n, code;
	hwloc_obj_t *cores =
	    map_collect(map, threads ? HWLOC_OBJ_PU : HWLOC_OBJ_CORE, &n);

	if (!cores || !n)
		code = say_fail(EXIT_RESOURCE, "no CPU that ranks may use");
	else if (opt->per_object)
		code = places_of_objects(map, job, cores, n, p);
	else
		code = places_of_node(map, job, cores, n, p);
	free(cores);
	return code;
}

int map_place(const struct map *map, const struct job *job,
	      hwloc_const_bitmap_t cpus, struct rank *rank)
{
	rank->cpus = hwloc_bitmap_dup(map_widen(map, cpus, job->opt->bind));
	if (!rank->cpus)
		return say_fail(EXIT_RESOURCE, "out of memory");
	hwloc_bitmap_and(rank->cpus, rank->cpus, map->usable);
	rank->bound = job->opt->bind != BIND_NONE;
	return 0;
}

static bool map_deals(enum map_by by)
{
	return by == MAP_NUMA || by == MAP_L3 || by == MAP_SOCKET;
}

int map_ranks(const struct map *map, struct job *job)
{
	const struct options *opt = job->opt;
	struct places places = {0};
	hwloc_bitmap_t *at;
	int code;

	if (job->nranks > NODE_RANKS_MAX)
		return say_fail(EXIT_RESOURCE,
				"%d ranks on this node: at most %d can share "
				"its memory; --hostfile or --nodes spreads "
				"them over more nodes",
				job->nranks, NODE_RANKS_MAX);
	at = calloc((size_t)job->nranks, sizeof(*at));
	code = at ? find_places(map, job, &places)
		  : say_fail(EXIT_RESOURCE, "out of memory");
	if (!code && map_deals(opt->map) && !opt->per_object)
		map_deal(map, type_of_map(opt->map), places.cpus, places.n);
	for (int r = 0; r < job->nranks && !code; r++)
		at[r] = places.cpus[place_of(job, r, places.n)];
	if (!code && map_deals(opt->rank_by))
		map_deal(map, type_of_map(opt->rank_by), at, job->nranks);
	for (int r = 0; r < job->nranks && !code; r++)
		code = map_place(map, job, at[r], &job->ranks[r]);
	free(at);
	places_free(&places);
	return code;
}
