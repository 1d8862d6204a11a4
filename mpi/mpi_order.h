/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_order.h: which rank is to be which node of a grid or graph, so that
 * neighbours are near each other. Pure functions of the ranks' places: every
 * rank finds the same.
 */
#ifndef MPI_MPI_ORDER_H
#define MPI_MPI_ORDER_H

#include "mpi/mpi_topology.h"

/*
 * All return 0 and *order [nodes of the graph], the rank for each node of the
 * grid or graph; or *order NULL: the ranks as they are are as good. The caller
 * frees *order. MRT_ERR_NO_MEM. places[] are those of the first ranks.
 */
int mpi_order_grid(const struct mrt_place *places, const struct mpi_grid *grid,
		   int **order);
/* weights of the edges; NULL: all 1. */
int mpi_order_graph(const struct mrt_place *places,
		    const struct mpi_graph *graph, const int *weights,
		    int **order);

/* The same for the first ranks of comm, where these are. */
int mpi_order_grid_on(MPI_Comm comm, const struct mpi_grid *grid, int **order);
int mpi_order_graph_on(MPI_Comm comm, const struct mpi_graph *graph,
		       const int *weights, int **order);

/* The place of `rank` in order[size] (NULL: its own), MPI_UNDEFINED if it has
 * none. */
int mpi_order_find(const int *order, int size, int rank);

/* ---- Between the files of it --------------------------------------------- */

/* A graph with each edge seen from both ends: those of node i are to[first[i]]
 * .. to[first[i + 1] - 1]. */
struct mpi_edges {
	int nnodes;
	int *first; /* [nnodes + 1] */
	int *to, *weights;
};

/* What makes an order; sorted[] has the ranks by place. 0: it could not. */
int mpi_order_blocks(const struct mrt_place *places, const int *sorted,
		     const struct mpi_grid *grid, int *order);
int mpi_order_grown(const struct mrt_place *places, const int *sorted,
		    const struct mpi_edges *edges, int *order);
#endif
