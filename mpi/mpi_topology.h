/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_topology.h: what the files of the chapter on topologies share. */
#ifndef MPI_MPI_TOPOLOGY_H
#define MPI_MPI_TOPOLOGY_H

#include <stdatomic.h>

#include "mpi/mpi_impl.h"

/* A grid of ranks, in row-major order. */
struct mpi_grid {
	int ndims;
	const int *dims, *periods; /* [ndims] */
	const int *coords;	   /* [ndims] the caller's */
};

/* The whole graph, on every rank: the edges of node i are edges[index[i - 1] ..
 * index[i] - 1]. */
struct mpi_graph {
	int nnodes, nedges;
	const int *index, *edges;
};

/* Only the caller's neighbours, which mpi_topology.neighbors lists. */
struct mpi_dist_graph {
	int weighted;
	const int *source_weights, *dest_weights; /* NULL if not weighted */
};

struct mpi_topology {
	atomic_int users; /* references: communicators */
	int kind;	  /* MPI_CART, MPI_GRAPH or MPI_DIST_GRAPH */
	struct mrt_neighbors neighbors;
	union {
		struct mpi_grid grid;
		struct mpi_graph graph;
		struct mpi_dist_graph dist;
	} as;
	int ints[]; /* storage of all the lists */
};

/* Allocates a topology with storage of n ints for its lists. NULL if out
 * of memory. */
struct mpi_topology *mpi_topology_create(int kind, size_t n);

/* Sets *topology to comm's topology, which must be of this kind. Returns
 * MPI_SUCCESS or what `function` has to return. */
int mpi_topology_of(MPI_Comm comm, const char *function, int kind,
		    struct mpi_topology **topology);

/* Sets size and rank of an intracommunicator that is to get a topology. Returns
 * MPI_SUCCESS or what `function` has to return. */
int mpi_topology_base(MPI_Comm comm, const char *function, int *size,
		      int *rank);

/*
 * Collective over comm: makes a communicator of those ranks that are not
 * MPI_UNDEFINED; the others get MPI_COMM_NULL. all_same: every rank keeps its
 * number. Returns an error of libmrt.
 */
int mpi_topology_ranks(MPI_Comm comm, int rank, int all_same,
		       MPI_Comm *newcomm);

/*
 * Collective over comm: mpi_topology_ranks and mpi_topology_attach. *newcomm is
 * the new communicator, with the topology t, which is taken over and is NULL
 * where rank is MPI_UNDEFINED. Returns an error of libmrt.
 */
int mpi_topology_make(MPI_Comm comm, struct mpi_topology *t, int rank,
		      int all_same, MPI_Comm *newcomm);

/* Gives newcomm the topology, taking it over, and what it inherits from comm.
 * Frees both on error. newcomm may be MPI_COMM_NULL. Returns an error of
 * libmrt. */
int mpi_topology_attach(MPI_Comm comm, struct mpi_topology *topology,
			MPI_Comm *newcomm);

/* ---- Distributed graphs -------------------------------------------------- */

/* Allocates a distributed graph whose lists the caller fills, in `ints`:
 * sources, dests, then their weights. NULL if out of memory. */
struct mpi_topology *mpi_dist_create(int nsources, int ndests, int weighted);

/* The edges that a rank contributes: degrees[i] edges from sources[i], listed
 * in the order of the sources. */
struct mpi_edge_list {
	int n; /* sources */
	const int *sources, *degrees, *dests, *weights;
};

/* Collective: makes *t of all edges, contributed by any rank, of which the
 * caller is an end. Returns an error of libmrt. */
int mpi_dist_distribute(struct mrt_comm *comm, int size,
			const struct mpi_edge_list *given,
			struct mpi_topology **t);

/* ---- Grids --------------------------------------------------------------- */

/* Sets coords[ndims] to the coordinates of a rank. */
void mpi_grid_coords(const struct mpi_grid *grid, int rank, int *coords);
#endif
