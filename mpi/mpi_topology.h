/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_topology.h: what the files of the chapter on topologies share. */
#ifndef MPI_MPI_TOPOLOGY_H
#define MPI_MPI_TOPOLOGY_H

#include <stdatomic.h>

#include "mpi/mpi_impl.h"

/* Ranks in a grid, the last dimension the fastest. */
struct mpi_grid {
	int ndims;
	const int *dims, *periods; /* [ndims] */
	const int *coords;	   /* [ndims] the caller's */
};

/* The whole graph, on all ranks: edges[index[i - 1] .. index[i] - 1] lead from
 * node i. */
struct mpi_graph {
	int nnodes, nedges;
	const int *index, *edges;
};

/* The caller's neighbours alone, which `near` has. */
struct mpi_dist_graph {
	int weighted;
	const int *source_weights, *dest_weights; /* NULL if not weighted */
};

struct mpi_topology {
	atomic_int users; /* communicators that have it */
	int kind;	  /* MPI_CART, MPI_GRAPH or MPI_DIST_GRAPH */
	struct mrt_neighbors neighbors;
	union {
		struct mpi_grid grid;
		struct mpi_graph graph;
		struct mpi_dist_graph dist;
	} as;
	int room[]; /* where all lists lie */
};

/* With room for so many ints, of no rank yet. NULL: no memory. */
struct mpi_topology *mpi_topology_create(int kind, size_t room);

/*
 * The topology of comm, which is to be of this kind. Returns MPI_SUCCESS or
 * what `function` has to return.
 */
int mpi_topology_of(MPI_Comm comm, const char *function, int kind,
		    struct mpi_topology **topology);

/* Size and rank of a communicator that is to get a topology: one of a group,
 * not of two. Returns as above. */
int mpi_topology_base(MPI_Comm comm, const char *function, int *size,
		      int *rank);

/*
 * Collective over comm: a communicator of those with a rank in it, which the
 * others (MPI_UNDEFINED) do not get; all_same says that all ranks stay what
 * they are. The error of libmrt.
 */
int mpi_topology_ranks(MPI_Comm comm, int rank, int all_same,
		       MPI_Comm *newcomm);

/* Gives newcomm the topology, which is its from now on, and what else it
 * inherits of comm; frees both on error. newcomm may be MPI_COMM_NULL. */
int mpi_topology_attach(MPI_Comm comm, struct mpi_topology *topology,
			MPI_Comm *newcomm);

/* ---- Distributed graphs -------------------------------------------------- */

/* With lists that are still to be filled, in its room: sources, dests, and
 * their weights. NULL: no memory. */
struct mpi_topology *mpi_dist_create(int nsources, int ndests, int weighted);

/* The edges that a rank gives: those of sources[0] first, degrees[0] of
 * them. */
struct mpi_given {
	int n; /* sources */
	const int *sources, *degrees, *dests, *weights;
};

/* Collective: *t gets the edges that any rank has given and the caller is an
 * end of. The error of libmrt. */
int mpi_dist_distribute(struct mrt_comm *comm, int size,
			const struct mpi_given *given, struct mpi_topology **t);

/* ---- Grids --------------------------------------------------------------- */

/* coords[ndims] of a rank of the grid. */
void mpi_grid_coords(const struct mpi_grid *grid, int rank, int *coords);
#endif
