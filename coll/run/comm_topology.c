/* SPDX-License-Identifier: Apache-2.0 */
/* comm_topology.c: derives the topologies of communicators from the places of
 * ranks. */
#include <stdlib.h>

#include "coll/plan/model.h"
#include "coll/run/comm_topology.h"
#include "mrt.h"
#include "p2p/comm.h"
#include "runtime/engine/proc.h"
#include "runtime/fabric/modex.h"

/* place_in_world tells where a rank runs. arg: the world rank of each; NULL:
 * itself. */
static struct topology_place place_in_world(int rank, const void *arg)
{
	const int *world = arg;
	struct place p = modex_place_of(world ? world[rank] : rank);

	return (struct topology_place){p.node, p.cache, p.switches};
}

int topology_of_ranks(const int *world, int size, struct topology **topo)
{
	int rc = modex_places();

	if (rc)
		return rc;
	*topo = topology_create(size, place_in_world, world);
	if (!*topo)
		return proc_fail(MRT_ERR_NO_MEM, "topology of %d ranks", size);
	/* all ranks are on one node and in one cache, or bound to none */
	if ((*topo)->caches == 1) {
		topology_destroy(*topo);
		*topo = NULL;
	}
	return 0;
}

int machine_of_ranks(const int *world, int size, struct machine *machine)
{
	int rc = modex_places();
	double cpus = 0;

	*machine = (struct machine){.medium = MEDIUM_NET};
	for (int r = 0; r < size && !rc; r++) {
		struct place p = modex_place_of(world ? world[r] : r);

		cpus += p.cpu / 100.0;
		if (p.software)
			machine->medium = MEDIUM_SOFT;
	}
	/* a device leaves the CPUs to the ranks, and they are not counted */
	if (machine->medium == MEDIUM_SOFT)
		machine->cpus = cpus > 1 ? cpus : 1;
	return rc;
}

/* Tells whether two world ranks share a node, or also a cache. */
static bool comm_topology_share(int rank, int other, int locality)
{
	struct place a = modex_place_of(rank), b = modex_place_of(other);

	return a.node == b.node &&
	       (locality == MRT_LOCALITY_NODE || a.cache == b.cache);
}

int topology_part(int locality, int *part)
{
	int own = proc.job.rank, rc = modex_places(), r = 0;

	if (rc)
		return rc;
	*part = MRT_UNDEFINED;
	if (locality == MRT_UNDEFINED ||
	    (locality == MRT_LOCALITY_CACHE && modex_place_of(own).cache < 0))
		return 0;
	while (!comm_topology_share(own, r, locality))
		r++;
	*part = r;
	return 0;
}

int topology_divides(const struct mrt_comm *comm, int *locality)
{
	bool nodes = false, caches = false;
	int rc = modex_places();

	if (rc)
		return rc;
	for (int r = 1; r < comm->size; r++) {
		int a = comm_world_rank(comm, r - 1);
		int b = comm_world_rank(comm, r);

		nodes |= !comm_topology_share(a, b, MRT_LOCALITY_NODE);
		caches |= !comm_topology_share(a, b, MRT_LOCALITY_CACHE);
	}
	*locality = nodes    ? MRT_LOCALITY_NODE
		    : caches ? MRT_LOCALITY_CACHE
			     : MRT_UNDEFINED;
	return 0;
}

/* Numbers the switches of the nodes in leaf[topo->nodes]. */
static void number_leaves(const struct mrt_comm *comm,
			  const struct topology *topo, int *leaf)
{
	uint64_t last = 0;
	int n = 0;

	for (int i = 0; i < topo->nodes; i++) {
		int k = topo->node_order ? topo->node_order[i] : i;
		int rank =
		    topology_member(topo, topo->first[topo->first_cache[k]]);
		struct place p = modex_place_of(comm_world_rank(comm, rank));

		n += p.switches != last;
		leaf[k] = p.switches ? n - 1 : -1;
		last = p.switches;
	}
}

static int fill_places(const struct mrt_comm *comm, const struct topology *topo,
		       struct mrt_place *found)
{
	int *leaf = malloc((size_t)topo->nodes * sizeof(*leaf));

	if (!leaf)
		return proc_fail(MRT_ERR_NO_MEM, "switches of nodes");
	number_leaves(comm, topo, leaf);
	for (int r = 0; r < comm->size; r++) {
		int node = topology_node_of(topo, r);

		found[r] = (struct mrt_place){node, topology_cache_of(topo, r),
					      leaf[node]};
	}
	free(leaf);
	return 0;
}

static int find_places(const struct mrt_comm *comm, struct mrt_place *found)
{
	struct topology *topo = NULL;
	int rc = 0;

	if (comm->size > 1)
		rc = topology_of_ranks(comm->world, comm->size, &topo);
	if (!rc && topo)
		rc = fill_places(comm, topo, found);
	for (int r = 0; r < comm->size && !rc && !topo; r++)
		found[r] = (struct mrt_place){0, 0, -1};
	topology_destroy(topo);
	return rc;
}

int mrt_comm_places(struct mrt_comm *comm, struct mrt_place found[])
{
	const struct mrt_comm *c = comm_get(comm);
	int rc = proc_enter("mrt_comm_places");

	if (!rc) {
		if (!c || c->inter)
			rc = proc_fail_handle(MRT_ERR_COMM, comm,
					      "a communicator of one group");
		else if (!found)
			rc = proc_fail(MRT_ERR_ARG, "places is NULL");
		else
			rc = find_places(c, found);
		proc_leave();
	}
	return proc_result("mrt_comm_places", rc);
}
