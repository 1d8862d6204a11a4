/* SPDX-License-Identifier: Apache-2.0 */
/* comm_topology.h: the topology of a communicator, from the places of its
 * ranks (runtime/engine/place.h). */
#ifndef COLL_COMM_TOPOLOGY_H
#define COLL_COMM_TOPOLOGY_H

#include "coll/plan/topology.h"

/*
 * The topology of the ranks world[size] (NULL: 0 .. size - 1) by their places
 * (runtime/engine/place.h), or *topo NULL if it says nothing. MRT_ERR_*.
 */
int topology_of_ranks(const int *world, int size, struct topology **topo);

struct mrt_comm;
/* The part of this kind (enum mrt_locality) that the caller is in, by its
 * lowest world rank; MRT_UNDEFINED if in none. MRT_ERR_*. */
int topology_part(int locality, int *part);
/* The largest kind of which ranks of comm use several, or MRT_UNDEFINED. */
int topology_divides(const struct mrt_comm *comm, int *locality);

/* Forgets the places, at finalize. */
void topology_fini(void);
#endif
