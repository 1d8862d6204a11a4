/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bindings.c: prints one line per rank. Brackets are packages, bars separate
 * cores, and each character is a hardware thread: # the rank may run there, .
 * another rank may, - no rank may.
 *	rank 1  ./app  cpus 2-3  [..|##][..|..]
 */

#include "launcher/bindings.h"

#include <stdio.h>
#include <stdlib.h>

#include "launcher/say.h"
#include "launcher/spawn.h"

static void bindings_draw(const struct map *map, hwloc_const_bitmap_t cpus,
			  FILE *out)
{
	hwloc_obj_t pu = NULL, core, package, last_core = NULL, last = NULL;
	bool first = true;

	while ((pu = hwloc_get_next_obj_by_type(map->topo, HWLOC_OBJ_PU, pu))) {
		core = hwloc_get_ancestor_obj_by_type(map->topo, HWLOC_OBJ_CORE,
						      pu);
		package = hwloc_get_ancestor_obj_by_type(map->topo,
							 HWLOC_OBJ_PACKAGE, pu);
		if (first)
			fputc('[', out);
		else if (package != last)
			fputs("][", out);
		else if (core != last_core || !core)
			fputc('|', out);
		if (!hwloc_bitmap_isset(map->usable, pu->os_index))
			fputc('-', out);
		else
			fputc(hwloc_bitmap_isset(cpus, pu->os_index) ? '#'
								     : '.',
			      out);
		first = false;
		last_core = core;
		last = package;
	}
	fputs("]\n", out);
}

static int bindings_count(const struct map *map, hwloc_obj_type_t type)
{
	int n = hwloc_get_nbobjs_by_type(map->topo, type);

	return n > 0 ? n : 0;
}

void bindings_print(const struct map *map, const struct job *job)
{
	fprintf(stderr,
		"mrun: node %s: %d rank%s, bound to %s; usable cores %d of %d, "
		"NUMA nodes %d, packages %d\n",
		job->host, job->nranks, job->nranks > 1 ? "s" : "",
		map_binding_name(job->opt), map->ncores,
		bindings_count(map, HWLOC_OBJ_CORE),
		bindings_count(map, HWLOC_OBJ_NUMANODE),
		bindings_count(map, HWLOC_OBJ_PACKAGE));
	for (int r = 0; r < job->nranks; r++) {
		const struct rank *rank = &job->ranks[r];
		char *list = NULL;

		if (hwloc_bitmap_list_asprintf(&list, rank->cpus) < 0)
			list = NULL;
		fprintf(stderr, "mrun: rank %-4d %s  cpus %-6s ", r,
			rank->app->argv[0], list ? list : "?");
		bindings_draw(map, rank->cpus, stderr);
		free(list);
	}
}

/* Returns the number of OpenMP threads that the ranks of a program are to have,
 * at the outermost level; 0: it is not set. */
static long wanted_threads(const struct app *app)
{
	const char *value = spawn_getenv(app, "OMP_NUM_THREADS");

	return value ? strtol(value, NULL, 10) : 0;
}

void bindings_check_threads(const struct job *job)
{
	const struct app *app = NULL;
	const struct rank *first = NULL;
	long threads = 0, wanted = 0;
	int few = 0;

	for (int r = 0; r < job->nranks; r++) {
		const struct rank *rank = &job->ranks[r];

		if (rank->app != app)
			threads = wanted_threads(app = rank->app);
		if (threads <= hwloc_bitmap_weight(rank->cpus))
			continue;
		few++;
		if (!first) {
			first = rank;
			wanted = threads;
		}
	}
	if (few)
		say("%d rank%s fewer CPUs than OMP_NUM_THREADS (rank %d: %d "
		    "for %ld); set it lower, or use -c %ld and fewer ranks",
		    few, few > 1 ? "s have" : " has", first->rank,
		    hwloc_bitmap_weight(first->cpus), wanted, wanted);
}
