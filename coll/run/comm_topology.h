/* SPDX-License-Identifier: Apache-2.0 */
/* comm_topology.h: the topology of a communicator, derived from the places of
 * its ranks (runtime/fabric/modex.h), and their machine. Functions that return
 * int return 0 or MRT_ERR_*. */
#ifndef COLL_COMM_TOPOLOGY_H
#define COLL_COMM_TOPOLOGY_H

#include "coll/plan/topology.h"

struct machine; /* model.h */

/*
 * Makes the topology of the world ranks in world[size], or of 0 .. size - 1 if
 * world is NULL. The caller destroys *topo. It is NULL if these ranks are all
 * on one node and in one cache, or bound to none.
 */
int topology_of_ranks(const int *world, int size, struct topology **topo);
/* Sets the machine of such ranks, which do not all share memory. */
int machine_of_ranks(const int *world, int size, struct machine *machine);

struct mrt_comm;
/* Sets *part to the lowest world rank of those that share the node or cache
 * (locality, of enum mrt_locality) of this rank, or to MRT_UNDEFINED if this
 * rank is in none. */
int topology_part(int locality, int *part);
/* Sets *locality to the largest kind of which the ranks of comm use several
 * (nodes, else caches), or to MRT_UNDEFINED if there is none. */
int topology_divides(const struct mrt_comm *comm, int *locality);
#endif
